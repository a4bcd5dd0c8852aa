import { suggest } from '../../../engine/values/texts/nearest-word.ts'

const value = (name: string): string => `${name}=...`

export const unlisted = {
  secret: (count: number) => ({ detail: `the identity of ${count} of them contains a secret` }),
  parent: (type: string) => ({ detail: `it is inside ${type}, which was not listed completely` }),
  noList: (type: string, keys: readonly string[]) => ({
    detail: 'the document has no list of all objects of this type',
    fix: `add \`discover\` to its document, or name the object: import ${type} ${keys.map(value).join(' ')}`,
  }),
  /** `isKnown`: declared resources have some of the values. */
  scope: (name: string, isKnown: boolean) => ({
    detail: `its list needs ${name}, ${isKnown ? 'and only the values of declared resources are known' : 'but no value is known'}`,
    fix: `pass --where ${value(name)}, or set refersTo for ${name} in its document`,
  }),
  query: (name: string) => ({
    detail: `its list was requested without the query parameter ${name} and may be incomplete`,
    fix: `pass --where ${value(name)}`,
  }),
}

export const noObject = 'the object does not exist'

export const refusals = {
  provider: (name: string, known: Iterable<string>) =>
    `there is no provider "${name}"; ${suggest(name, known, 'declare it')}`,
  type: (name: string, known: Iterable<string>) =>
    `no provider has the type ${name}; ${suggest(name, known, 'name another one')}`,
  where: (name: string) => `no type has the attribute ${name} of --where`,
  unknownKey: (type: string, name: string, keys: readonly string[]) =>
    `${type} is not identified by ${name}, but by ${keys.join(', ')}`,
  missingKey: (type: string, name: string, keys: readonly string[]) =>
    `${type} needs ${value(name)}; it is identified by ${keys.join(', ')}`,
}

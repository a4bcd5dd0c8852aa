import type { Json } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import type { SecurityScheme } from './description.ts'
import { membersOf, resolvePiece, type Source, textOf } from './resolve-ref.ts'

/** How requests are signed: those that are asked for first, then those that are only declared. */
export const readSecurity = (source: Source): readonly SecurityScheme[] => {
  const { root, version } = source
  const components = root['components']
  const [value, pointer] =
    version === '2.0'
      ? [root['securityDefinitions'], '/securityDefinitions']
      : [isObject(components) ? components['securitySchemes'] : undefined, '/components/securitySchemes']
  const schemes = membersOf(source, value, pointer).flatMap(([name, written]) => {
    const piece = resolvePiece(source, written, `${pointer}/${name}`)
    return piece === undefined ? [] : [schemeOf(name, piece.node)]
  })
  const asked = askedOf(root['security'])
  const place = (name: string): number => (asked.includes(name) ? asked.indexOf(name) : asked.length)
  return schemes.toSorted((left, right) => place(left.name) - place(right.name))
}

const askedOf = (value: Json | undefined): readonly string[] =>
  (isArray(value) ? value : []).flatMap((one) => (isObject(one) ? Object.keys(one) : []))

const schemeOf = (name: string, node: Readonly<Record<string, Json>>): SecurityScheme => {
  const parameter = textOf(node['name'])
  const place = textOf(node['in'])
  switch (textOf(node['type'])) {
    case 'apiKey':
      return (place === 'header' || place === 'query' || place === 'cookie') && parameter !== undefined
        ? { name, kind: place, parameter }
        : { name, kind: 'other' }
    case 'basic':
      return { name, kind: 'basic' }
    case 'http': {
      const scheme = textOf(node['scheme'])?.toLowerCase()
      return { name, kind: scheme === 'basic' || scheme === 'bearer' ? scheme : 'other' }
    }
    case 'oauth2':
    case 'openIdConnect':
      return { name, kind: 'oauth2' }
    default:
      return { name, kind: 'other' }
  }
}

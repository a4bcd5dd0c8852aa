import type { ObjectSchema } from '../../schema/attribute.ts'
import type { Issue } from '../../schema/issue.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import type { Configuration } from '../configuration.ts'
import { say } from '../words.ts'

interface Importable {
  readonly schema: ObjectSchema
  /** Names of server ids. */
  readonly ids?: readonly string[] | undefined
}

/** Each name of an `import` must be a server id or a key of the type. */
export const checkImports = (
  { resources, imports }: Configuration,
  importable: (alias: string, type: string) => Importable | undefined,
): readonly Issue[] =>
  imports.flatMap(({ to, id, position }) => {
    const resource = resources.find(({ address }) => address === to)
    const type = resource && importable(resource.provider, resource.type)
    if (resource === undefined || type === undefined) return []
    const { attributes } = type.schema
    const keys = Object.keys(attributes).filter((name) => attributes[name]?.identity === true)
    const names = [...(type.ids ?? []), ...keys]
    return Object.keys(id).flatMap((name): Issue[] =>
      names.includes(name) ? [] : [{ ...position, ...say('importsBy', name, resource.type, suggest(name, names)) }],
    )
  })

import type { ObjectSchema } from '../../schema/attribute.ts'
import type { Issue } from '../../schema/issue.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import type { Configuration } from '../shared/configuration.ts'
import { say } from '../shared/words.ts'

interface Importable {
  readonly schema: ObjectSchema
  readonly ids?: readonly string[] | undefined
}

/** Each name of an `import` must be a server id or a key of the type. */
export const checkImports = (
  { resources, imports }: Configuration,
  importable: (alias: string, type: string) => Importable | undefined,
): readonly Issue[] => {
  const rules = new Map(imports.map((rule) => [rule.to, rule]))
  return resources.flatMap((resource) => {
    const rule = rules.get(resource.address)
    const type = rule && importable(resource.provider, resource.type)
    if (rule === undefined || type === undefined) return []
    const { id, position } = rule
    const { attributes } = type.schema
    const keys = Object.keys(attributes).filter((name) => attributes[name]?.identity === true)
    const names = [...(type.ids ?? []), ...keys]
    return Object.keys(id).flatMap((name): Issue[] =>
      names.includes(name) ? [] : [{ ...position, ...say('importsBy', name, resource.type, suggest(name, names)) }],
    )
  })
}

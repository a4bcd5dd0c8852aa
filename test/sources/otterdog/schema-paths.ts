import * as z from 'zod'
import { organisationShape } from '../../../core/sources/otterdog/shape/organisation.ts'

/** A JSON Schema, as far as it says which properties there are. */
export interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export const schemaOfFormat = (): Schema => z.toJSONSchema(organisationShape) as Schema

/** All properties with those around them, `repositories.workflows.enabled`. `read`: a schema that another one names. */
export const propertiesOf = (root: Schema, read: (file: string) => Schema = () => ({})): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (schema: Schema, whole: Schema, path: string): void => {
    if (schema.$ref !== undefined) {
      const [file = '', pointer = ''] = schema.$ref.split('#')
      const other = file === '' ? whole : read(file)
      const steps = pointer.split('/').slice(1)
      const named = steps.reduce<Schema>((inner, step) => (inner as Record<string, Schema>)[step] ?? {}, other)
      visit(named, other, path)
    }
    for (const inner of [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.items ? [schema.items] : [])])
      visit(inner, whole, path)
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      const at = path === '' ? name : `${path}.${name}`
      found.add(at)
      visit(inner, whole, at)
    }
  }
  visit(root, root, '')
  return found
}

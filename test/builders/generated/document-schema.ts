import * as z from 'zod'
import { json } from '../../../core/engine/schema/described.ts'
import { extensionSchema } from '../../../core/engine/values/extension-keys.ts'
import { restDocument } from '../../../core/providers/rest/document/document.ts'

type Schema = z.core.JSONSchema.BaseSchema

/** Any value is any: how values are made of values is not worth a word. Editors show descriptions as Markdown only here. */
const override = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Schema }): void => {
  if (Object.is(zodSchema, json)) delete jsonSchema.$ref
  if (jsonSchema.const === true) {
    // As `const`, yaml-language-server 1 takes it for another value than the `true` in a document.
    delete jsonSchema.const
    jsonSchema.not = { const: false }
  }
  // Where an input is completed after it is read, the examples are those of the input still.
  const { examples } = zodSchema instanceof z.ZodType ? (z.globalRegistry.get(zodSchema) ?? {}) : {}
  if (Array.isArray(examples)) jsonSchema.examples = examples
  if (jsonSchema.description !== undefined) jsonSchema['markdownDescription'] = jsonSchema.description
}

/** Definitions that are nothing but another one, and those that nothing refers to, left out. */
const tidied = (schema: Schema): Schema => {
  const all = Object.entries(schema.$defs ?? {})
  const aliases = all.filter(([, { $ref, ...rest }]) => $ref !== undefined && Object.keys(rest).length === 0)
  const text = aliases.reduce(
    (whole, [id, { $ref }]) => whole.replaceAll(JSON.stringify(`#/$defs/${id}`), JSON.stringify($ref)),
    JSON.stringify(schema),
  )
  const resolved = JSON.parse(text) as Schema
  const used = Object.entries(resolved.$defs ?? {}).filter(([id]) => text.includes(JSON.stringify(`#/$defs/${id}`)))
  return used.length === all.length ? resolved : tidied({ ...resolved, $defs: Object.fromEntries(used) })
}

/** The JSON Schema (draft 2020-12) of a provider document, for editors and for checks in other tools. */
export const documentSchema = (): Schema =>
  tidied({ ...z.toJSONSchema(restDocument, { target: 'draft-2020-12', io: 'input', override }), ...extensionSchema })

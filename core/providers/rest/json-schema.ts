import * as z from 'zod'
import { restDocument } from './document.ts'
import { json } from './document-words.ts'

type Schema = z.core.JSONSchema.BaseSchema

/** Any value is any: how values are made of values is not worth a word. Editors show descriptions as Markdown only here. */
const override = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Schema }): void => {
  if (zodSchema === (json as z.ZodType)) delete jsonSchema.$ref
  if (jsonSchema.description !== undefined) jsonSchema['markdownDescription'] = jsonSchema.description
}

/** Without the definitions that nothing refers to. */
const inUse = (schema: Schema): Schema => {
  const text = JSON.stringify(schema)
  const $defs = Object.fromEntries(
    Object.entries(schema.$defs ?? {}).filter(([id]) => text.includes(JSON.stringify(`#/$defs/${id}`))),
  )
  return Object.keys($defs).length === Object.keys(schema.$defs ?? {}).length ? schema : inUse({ ...schema, $defs })
}

/** The JSON Schema (draft 2020-12) of a provider document, for editors and for checks in other tools. */
export const documentSchema = (): Schema =>
  inUse(z.toJSONSchema(restDocument, { target: 'draft-2020-12', io: 'input', override }))

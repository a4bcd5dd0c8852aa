import * as z from 'zod'
import { configurationShape } from './shape.ts'

/** The JSON Schema (draft 2020-12) of plumbline.yaml, for editors and for checks in other tools. */
export const configurationSchema = (): object => ({
  ...z.toJSONSchema(configurationShape, { target: 'draft-2020-12', io: 'input' }),
  title: 'Plumbline workspace',
  description: 'plumbline.yaml, plumbline.json or plumbline.jsonc: how the systems of one workspace shall be.',
})

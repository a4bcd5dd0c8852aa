import * as z from 'zod'
import { described, optional } from '../../schema/described.ts'
import { extensionSchema } from '../../values/extension-keys.ts'
import { moduleText } from '../shared/words.ts'
import { anything, name } from './basics.ts'
import { modulesShape, resourcesShape } from './resource-shape.ts'
import { variablesShape } from './variable-shape.ts'

export const includedShape = z.strictObject({
  $schema: optional(z.string(), 'For editors.'),
  resources: optional(resourcesShape, 'More resources.'),
  modules: optional(modulesShape, 'More modules.'),
})

const outputShape = z.strictObject({
  value: described(
    anything,
    'What `${module.<name>.<output>}` becomes outside. It may refer to everything in the module.',
  ),
  description: optional(z.string(), 'For people.'),
})

export const moduleShape = z.strictObject({
  $schema: optional(z.string(), 'For editors.'),
  description: optional(z.string(), 'For people.'),
  parameters: optional(variablesShape, 'What a call passes with `with`; used as `${var.name}`.'),
  resources: optional(resourcesShape, 'The resources of each instance.'),
  modules: optional(modulesShape, 'Modules inside this one.'),
  outputs: optional(z.record(name, outputShape), 'The values that are visible outside.'),
})

export const moduleSchema = (): object => ({
  ...z.toJSONSchema(moduleShape, { target: 'draft-2020-12', io: 'input' }),
  ...extensionSchema,
  title: 'Plumbline module',
  description: moduleText,
})

import * as z from 'zod'
import { failureShape } from './records.ts'

/** An item of the store that cannot be used. Nothing of its content is shown. */
export const damagedShape = z.object({
  kind: z.string().meta({ description: 'What it is: `run`, `apply`, `entry`, `version`, `recorded`.' }),
  id: z.string().meta({ description: 'Among the items of its kind.' }),
  error: failureShape,
})
export type DamagedRecord = z.infer<typeof damagedShape>

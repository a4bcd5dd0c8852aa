import * as z from 'zod'
import { parseShape } from '../../../engine/config/shape/shape-issues.ts'
import type { Report } from '../../../engine/config/syntax/parse-document.ts'
import type { JsonObject } from '../../../engine/schema/json.ts'

/* What a module with `source: otterdog` takes. */

const shape = z.strictObject({
  file: z.string().min(1),
  provider: z.string().min(1).exactOptional(),
  library: z.string().min(1).exactOptional(),
  unknownKeys: z.enum(['error', 'warn']).exactOptional(),
  secrets: z.record(z.string(), z.strictObject({ $secret: z.string() })).exactOptional(),
  excludeTeams: z.array(z.string()).exactOptional(),
})

export type Given = z.output<typeof shape>

/** `undefined` if it has a problem, which is reported. A text where a secret belongs is never repeated. */
export const readGiven = (given: JsonObject, report: Report): Given | undefined =>
  parseShape(shape, given, (path, { value, ...diagnostic }, what) =>
    report(path, path[0] === 'secrets' || value === undefined ? diagnostic : { ...diagnostic, value }, what),
  )

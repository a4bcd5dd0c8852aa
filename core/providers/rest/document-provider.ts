import * as z from 'zod'
import { absences, envelope, errors, rate, unknowns } from './document-answers.ts'
import { auth, tls } from './document-auth.ts'
import { pagination } from './document-pages.ts'
import { count, name, scalar, template } from './document-words.ts'

/** The API as a whole. */
export const provider = z.strictObject({
  id: name,
  description: z.string().exactOptional(),
  /** Where the API's OpenAPI description is: a path beside the document, or a URL. Only `plumbline provider check` reads it. */
  openapi: z.string().min(1).exactOptional(),
  /** What a workspace gives under `with`. */
  with: z
    .record(
      name,
      z.strictObject({
        description: z.string().exactOptional(),
        default: scalar.exactOptional(),
        secret: z.boolean().exactOptional(),
      }),
    )
    .exactOptional(),
  baseUrl: template,
  auth: auth.exactOptional(),
  tls: tls.exactOptional(),
  params: z.record(name, template).exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  pagination: pagination.default({ style: 'none' }),
  reads: z
    .strictObject({
      absent: absences.default([404]),
      unknown: unknowns.default({}),
    })
    .default({ absent: [404], unknown: {} }),
  errors: errors.exactOptional(),
  envelope: envelope.exactOptional(),
  encodePath: z.enum(['full', 'plain']).default('full'),
  maxBodyBytes: count.exactOptional(),
  timeoutMs: count.exactOptional(),
  concurrency: count.exactOptional(),
  rate: rate.exactOptional(),
})
export type RestSettings = z.infer<typeof provider>

import * as z from 'zod'
import { chapter, described } from '../../../engine/schema/described.ts'
import { place } from './shared/words.ts'

const generation = described(place.min(1), 'Where the object has its generation.', 'metadata.resourceVersion')

export const lock = chapter(
  'lock',
  'Lock',
  'A write carries the version that was read, and the target refuses a stale write. The version is a header (`etag`) or a generation in the object (`field`).',
  z.union([
    z.strictObject({
      etag: described(
        z.union([z.literal(true), z.string()]),
        'The header or trailer of the read that has the version; `true`: ETag.',
      ),
      send: described(z.string().default('If-Match'), 'The header of the write that repeats it.'),
      weak: described(z.boolean().default(false), 'Whether a weak version (`W/"..."`) is sent too.'),
      create: described(z.boolean().default(false), 'A create sends `If-None-Match: *`: the object must not exist.'),
    }),
    z.strictObject({
      field: generation,
      send: described(
        place.min(1),
        'Where the body of a write repeats it; in a JSON Patch it is a `test`.',
        'metadata.resourceVersion',
      ),
    }),
    z.strictObject({
      field: generation,
      query: described(z.string(), 'The query parameter in which a write repeats it.', 'version'),
    }),
  ]),
)
export type Lock = z.infer<typeof lock>

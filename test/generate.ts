import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generated } from './builders/generated/generated.ts'

/** Writes every committed file that is made from the code: `npm run generate`. */
for (const [path, text] of Object.entries(generated())) writeFileSync(join(import.meta.dirname, '..', path), text)

import * as z from 'zod'
import { optional } from '../described.ts'
import type { Json } from '../json.ts'
import { bundlePreviewShape } from './preview.ts'

/** The files of one workspace, by path relative to its folder; `entry` is plumbline.yaml, .json, .jsonc or .jsonnet. */
export const bundleShape = z.object({
  entry: z.string(),
  files: z.record(z.string(), z.string()),
  variables: optional(
    z.record(z.string(), z.json() as z.ZodType<Json>),
    'Values of its variables, by name. A secret is `{ "secret": "ssm:..." }`.',
  ),
  preview: optional(bundlePreviewShape, 'Makes a preview of the workspace for a branch.'),
})
export type Bundle = z.infer<typeof bundleShape>

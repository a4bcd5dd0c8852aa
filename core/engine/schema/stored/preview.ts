import * as z from 'zod'

/* docs/preview.md explains previews. */

const branchName = z
  .string()
  .min(1)
  .max(250)
  // Names appear in terminals and logs.
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'text without control characters')
  .meta({ description: 'The branch that the files are from.' })

export const bundlePreviewShape = z.strictObject({
  branch: branchName,
  overlay: z.string().min(1).meta({ description: 'The file with what differs from the workspace.' }),
})
export type BundlePreview = z.infer<typeof bundlePreviewShape>

export const workspacePreviewShape = z.object({
  base: z.string().meta({ description: 'The workspace that it is a preview of. Nothing of it is ever written.' }),
  branch: branchName,
  expiresAt: z.iso.datetime().meta({ description: 'From then on it declares nothing: each check plans its deletion.' }),
})
export type WorkspacePreview = z.infer<typeof workspacePreviewShape>

import * as z from 'zod'
import { type Apply, digestText, reasonText } from '#core'
import { sentApply } from '../cli/backend/sent-apply.ts'
import { watchOf, withFolder } from './open-folder.ts'
import { requireOptions, type WorkspaceOptions, workspaceOptions } from './options.ts'

export interface Approval extends WorkspaceOptions {
  /** The store that keeps the check. */
  readonly store: string
  /** `plan.digests.commands` of an earlier check: exactly these commands are sent, or none. */
  readonly digest: string
  /** For the ledger. */
  readonly reason: string
}

const shape = z.strictObject({
  ...workspaceOptions,
  store: z
    .string()
    .min(1)
    .refine((store) => store !== 'memory', 'nothing is kept in memory that could be approved'),
  digest: digestText,
  reason: reasonText,
})

export const applyApproved = async (folder: string, approval: Approval): Promise<Apply> => {
  requireOptions('apply', shape, approval)
  const { digest, reason } = approval
  return withFolder(folder, approval, ({ local, workspace }) =>
    sentApply.local({ request: { workspace, mode: 'execute', digest, reason }, watch: watchOf(approval) }, local),
  )
}

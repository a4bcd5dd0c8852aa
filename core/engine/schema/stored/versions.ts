import * as z from 'zod'
import { actorShape } from '../actor.ts'
import { optional } from '../described.ts'

/* The versions of a configuration are numbered 1, 2, 3, without a gap. */

const time = z.iso.datetime()
const count = z.number().int().nonnegative()
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
export const versionNumber = z.number().int().positive()

/** The configuration that a run, an apply or an alert is about. */
export const versionMembers = {
  configurationVersion: optional(versionNumber, 'Version of the configuration; absent if it was read from a folder.'),
  commit: optional(z.string(), 'The Git commit that the configuration was read from.'),
}

export interface VersionNames {
  readonly configurationVersion?: number
  readonly commit?: string
}

const tallyShape = z.object({ added: count, removed: count, changed: count })
export type Tally = z.infer<typeof tallyShape>

const versionChangesShape = z.object({
  resources: optional(tallyShape, 'Absent if one of the two versions is not valid any more.'),
  files: tallyShape,
})
export type VersionChanges = z.infer<typeof versionChangesShape>

export const versionShape = z.object({
  version: versionNumber,
  at: time,
  by: actorShape,
  digest: digest.meta({ description: 'Digest of its files and values.' }),
  reason: optional(z.string(), 'Why it was made; only of a rollback.'),
  rollbackOf: optional(versionNumber, 'The version whose content it has.'),
  commit: versionMembers.commit,
  changes: optional(versionChangesShape, 'What differs from the version before.'),
})
export type Version = z.infer<typeof versionShape>

const changeKind = z.enum(['added', 'removed', 'changed'])
export type ChangeKind = z.infer<typeof changeKind>

export const versionDiffShape = z.object({
  workspace: z.string(),
  from: versionShape,
  to: versionShape,
  resources: z.array(z.object({ address: z.string(), kind: changeKind })).meta({ description: 'By address.' }),
  variables: z
    .array(z.object({ name: z.string(), kind: changeKind }))
    .meta({ description: 'Given values of variables that differ, by name. The values are not shown.' }),
  files: z
    .array(
      z.object({
        file: z.string(),
        kind: changeKind,
        diff: optional(z.string(), 'A unified diff; values that are secret in one of the versions are `(secret)`.'),
      }),
    )
    .meta({ description: 'By path.' }),
  unreadable: optional(
    z.array(z.object({ version: versionNumber, detail: z.string() })),
    'Versions that are not valid any more. It cannot be told which of their values are secret, so no text is shown.',
  ),
})
export type VersionDiff = z.infer<typeof versionDiffShape>

import * as z from 'zod'
import { optional } from '../described.ts'
import { severity } from '../rules.ts'
import { anchoredHeadShape } from './anchor.ts'
import {
  count,
  countsShape,
  digestText,
  episodeKey,
  pausedShape,
  time,
  uncheckedCause,
  workspaceId,
} from './records.ts'
import { versionMembers } from './versions.ts'

const attributionShape = z.object({
  actor: z.string(),
  at: time,
  action: z.string().meta({ description: 'As the target names it.' }),
  via: optional(z.string(), 'By what it was done: a token, an app, a key.'),
  paths: z.array(z.string()).meta({ description: 'What differs because of it; `` is the object itself.' }),
})
export type Attribution = z.infer<typeof attributionShape>

const findingShape = z.object({
  address: z.string(),
  kind: z.enum(['create', 'update', 'replace', 'delete', 'unchecked', 'orphaned']),
  summary: z.string().meta({ description: 'Paths that differ, or the reason why it could not be read. No values.' }),
  severity: severity.exactOptional(),
  access: optional(
    z.enum(['wider', 'narrower']),
    'The target gives more access than the configuration (`wider`), or less, so that a repair gives more (`narrower`). Facts of the provider tell it.',
  ),
  changed: optional(
    z.object({
      after: time.meta({ description: 'The last check without the difference began at this time.' }),
      by: z.array(attributionShape),
      unknown: optional(z.string(), 'Why nothing, or not all, is known.'),
    }),
    'Who changed it outside, as the log of the target tells it.',
  ),
  attributes: optional(z.array(z.string()), 'Of an `unchecked` one: only these attributes could not be read.'),
  permission: optional(
    z.string(),
    'Of an `unchecked` one: what the credentials would have to be allowed to do, as the target or its document names it.',
  ),
  digest: digestText,
  left: optional(
    z.enum(['ignored', 'below_severity', 'removed']),
    'Of a finding that has ended but still differs: a rule ignores it now, `minSeverity` is above it, or the workspace was removed.',
  ),
})
export type Finding = z.infer<typeof findingShape>

export const episodeShape = z.object({
  id: z.string(),
  workspace: workspaceId,
  key: episodeKey,
  status: z.enum(['open', 'resolved']),
  openedAt: time,
  changedAt: time,
  toldAt: time.meta({ description: 'When the last alert about it was written.' }),
  resolvedAt: time.exactOptional(),
  findings: z.array(findingShape),
  places: optional(
    z.record(z.string(), z.array(z.string())),
    'By address, short digests of the paths that differ, to compare them with a new ignore rule.',
  ),
  peak: optional(severity, 'The highest severity that it has had; absent: that of its findings.'),
  fingerprint: digestText,
  acknowledged: optional(
    pausedShape.extend({ severity }),
    'Somebody has seen it: only a finding above this severity, drift of another resource, a snooze that ended and its end send an alert.',
  ),
  snoozed: optional(
    pausedShape.extend({ until: time }),
    'It sends no alert until then, except of a check that begins to fail, and of its end. If that time is over, the next check tells it again.',
  ),
})
export type Episode = z.infer<typeof episodeShape>

/** `id` is stable: repeated deliveries of an alert have the same `id`. */
export const alertShape = z.object({
  version: z.literal('2'),
  id: z.string(),
  workspace: workspaceId,
  episodeId: z.string(),
  kind: z.enum(['opened', 'changed', 'reminder', 'resolved']),
  about: z.enum(['drift', 'unchecked']),
  severity,
  peak: optional(severity, 'The highest severity that the episode has had, if that is another one.'),
  at: time,
  since: optional(time, 'When the episode opened.'),
  runId: z.string(),
  ...versionMembers,
  counts: countsShape.exactOptional(),
  digest: optional(digestText, 'Digest of the commands, for an approval.'),
  causes: optional(
    z.array(uncheckedCause),
    'Of an alert about `unchecked`: why resources could not be read, most frequent first; at most three.',
  ),
  endpoint: optional(z.url(), 'The deployment that sent it, for the commands of its text.'),
  page: optional(z.url(), 'Where a browser shows what the check found, if the deployment has a web page.'),
  paused: optional(pausedShape, 'The workspace is not checked by its schedule.'),
  anchored: optional(anchoredHeadShape, 'The latest anchored head of the ledger, if the deployment keeps anchors.'),
  findings: z.array(findingShape),
  findingsLeftOut: count,
})
export type Alert = z.infer<typeof alertShape>

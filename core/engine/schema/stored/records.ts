import * as z from 'zod'
import { actorShape } from '../actor.ts'
import { alertRouteShape } from '../alert-route.ts'
import { optional } from '../described.ts'
import { unknownReasons } from '../resource.ts'
import { severity } from '../rules.ts'
import { commandOutcomeShape, leftShape, progressShape, resourceResultShape, resultCountsShape } from './outcome.ts'
import { workspacePreviewShape } from './preview.ts'
import { basisShape } from './saved-plan.ts'
import { storedSourceShape } from './source.ts'
import { stateChangeKinds, stateChangeShape } from './state-change.ts'
import { versionMembers, versionNumber } from './versions.ts'
import { waitingShape } from './waiting.ts'

/* Types, checks and OpenAPI are made from these shapes. Times are ISO 8601 in UTC. */

export const workspaceId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'lower case letters, digits and hyphens, at most 63')
  .meta({ description: 'Name of a workspace.' })
/** `sha256:<hex>`, as core/engine/json/digest.ts writes it. */
export const digestText = z.string().regex(/^sha256:[0-9a-f]{64}$/)
export const time = z.iso.datetime()
export const count = z.number().int().nonnegative()

export const countsShape = z.object({
  create: count,
  update: count,
  replace: count,
  delete: count,
  blocked: count,
  unchanged: count,
  unchecked: count,
  drifted: count,
  commands: count,
  orphaned: optional(count, 'Resources that left the configuration and are only reported; absent: none.'),
  unobserved: optional(count, 'Attributes that nobody can read back; absent: none.'),
})
export type PlanCounts = Readonly<z.infer<typeof countsShape>>

/** What ended a run or an apply: an error of core/engine/errors/errors.ts, as it is reported. */
export const failureShape = z.object({ code: z.string(), message: z.string(), hint: z.string() })
export type Failure = z.infer<typeof failureShape>

const runStatus = z.enum(['in_sync', 'changes', 'incomplete', 'failed'])

/** Why many resources could not be read: `reason` as in a plan, `detail` for people. */
export const uncheckedCause = z.object({ reason: z.enum(unknownReasons), detail: z.string(), count })
export type UncheckedCause = z.infer<typeof uncheckedCause>

/** One check. A run with unchecked resources is `incomplete`; a run that stopped is `failed` and has no plan. */
export const runShape = z.object({
  id: z.string(),
  workspace: workspaceId,
  status: runStatus,
  trigger: z.enum(['schedule', 'api', 'cli', 'apply']),
  scheduledFor: time.exactOptional(),
  actor: actorShape,
  startedAt: time,
  finishedAt: time,
  counts: countsShape.exactOptional(),
  /** Causes of unread resources, most frequent first; at most three, absent if everything was read. */
  causes: z.array(uncheckedCause).exactOptional(),
  differing: optional(
    z.object({ count, first: z.array(z.string()) }),
    'Resources that are to change or have drifted: how many, and the addresses of the first ones, those to destroy before others; at most three. Absent if there are none.',
  ),
  digests: z.object({ observed: digestText, plan: digestText, commands: digestText }).exactOptional(),
  configurationDigest: digestText.exactOptional(),
  ...versionMembers,
  view: optional(z.literal('recorded'), 'Nothing live was read.'),
  undoes: optional(z.string(), 'It is no check: its plan undoes this apply.'),
  basis: basisShape.exactOptional(),
  error: failureShape.exactOptional(),
})
export type Run = z.infer<typeof runShape>

/** `check` writes the commands to the ledger and sends none, `execute` sends them. */
export const applyMode = z.enum(['check', 'execute'])
const applyStatus = z.enum(['queued', 'running', 'succeeded', 'not_converged', 'failed', 'refused'])

export const applyShape = z.object({
  id: z.string(),
  workspace: workspaceId,
  mode: applyMode,
  status: applyStatus,
  digest: digestText,
  runId: z.string().meta({ description: 'The run whose commands were approved.' }),
  undoes: optional(z.string(), 'The apply that its commands undo; absent: they lead to what is configured.'),
  ...versionMembers,
  targets: z.array(z.string()).exactOptional(),
  exclude: z.array(z.string()).exactOptional(),
  basis: optional(basisShape, 'What a saved plan was made from: if one of it moved, nothing is sent.'),
  reason: z.string(),
  actor: actorShape,
  requestedAt: time,
  startedAt: time.exactOptional(),
  finishedAt: time.exactOptional(),
  resent: optional(count, 'How often an apply that has not ended was queued again, because no worker processed it.'),
  interrupted: optional(
    z.object({ at: time, error: failureShape }),
    'Why a worker could not continue an apply that has not ended. It is tried again within a minute.',
  ),
  outcomes: z.array(commandOutcomeShape),
  progress: optional(
    progressShape,
    'Of an apply that has started and has not ended. Then `outcomes` has what is done so far.',
  ),
  resources: optional(
    z.array(resourceResultShape),
    'What became of each resource of the approved plan, in the order of the plan.',
  ),
  results: optional(resultCountsShape, 'The number of resources with each result.'),
  left: optional(
    z.array(leftShape),
    'Differences from the configuration that a new read of everything found after it; of what an undo was about, those from its plan. Absent if there are none.',
  ),
  error: failureShape.exactOptional(),
})
export type Apply = z.infer<typeof applyShape>

/** As a list shows it: the outcomes and the resources are in the apply itself. */
export const listedApplyShape = applyShape.omit({ outcomes: true, progress: true, resources: true })
export type ListedApply = z.infer<typeof listedApplyShape>

export const hasEnded = ({ status }: Pick<Apply, 'status'>): boolean => status !== 'queued' && status !== 'running'

export const pausedShape = z.object({ at: time, by: actorShape, reason: z.string() })

const pendingShape = z.object({
  scheduledFor: time.meta({ description: 'The time of its run.' }),
  at: time.meta({ description: 'When it became pending.' }),
  actor: optional(actorShape, 'Who requested it; absent: the schedule.'),
  next: optional(
    time,
    'When it is due by its schedule. `nextCheckAt` may be earlier: when the pending one counts as lost.',
  ),
  followAt: optional(
    time,
    'When its source announced a change. If it began before that, another check is due when it ends.',
  ),
})

const daysShape = z.object({
  until: z.iso.date().meta({ description: 'The last of the days, in UTC: that of the latest check.' }),
  worst: z.array(runStatus.nullable()).meta({
    description: 'The worst result of the checks of each of 30 days, the oldest day first; null: no check.',
  }),
})
export type Days = z.infer<typeof daysShape>

const openEpisodesShape = z.object({
  count: z.number().int().positive(),
  severity: severity.meta({ description: 'The highest severity of their findings.' }),
  differ: optional(count, 'Findings of drift and changes, as they were last read; absent: none.'),
  acknowledged: optional(count, 'How many of them are acknowledged; absent: none.'),
  snoozed: optional(count, 'How many of them are snoozed; absent: none.'),
})
export type OpenEpisodes = z.infer<typeof openEpisodesShape>

/** What is stored of a workspace, except its files. `nextCheckAt` is absent if no check is scheduled. */
export const workspaceShape = z.object({
  id: workspaceId,
  schedule: z.string().exactOptional(),
  timezone: z.string().exactOptional(),
  blackout: z.array(z.object({ cron: z.string(), durationMs: count })).exactOptional(),
  nextCheckAt: time.exactOptional(),
  scheduledSince: optional(
    time,
    'Since when checks at these times are promised. An overdue check stays overdue when they change.',
  ),
  configurationDigest: digestText,
  configurationVersion: versionNumber,
  commit: versionMembers.commit,
  source: optional(storedSourceShape, 'Where its configuration is read from; absent: it is pushed.'),
  events: optional(
    z.object({
      github: z.object({ organization: z.string(), webhookSecret: z.object({ secret: z.string() }) }).exactOptional(),
    }),
    'What starts a check besides the schedule: a webhook of an organisation, with a reference to its secret.',
  ),
  alertRoutes: optional(z.array(alertRouteShape), 'Where its alerts are sent besides, with references to secrets.'),
  updatedAt: time,
  updatedBy: actorShape,
  origin: optional(z.string(), 'Where its files are: `<machine>:<folder>`, or the value of PLUMBLINE_ORIGIN.'),
  pendingCheck: optional(
    pendingShape,
    'A check that is queued or running. There is at most one; no other check is queued until it ends.',
  ),
  paused: optional(pausedShape, 'Scheduled checks are off until the workspace is resumed.'),
  quarantined: optional(
    z.object({ since: time, error: failureShape }),
    'Why the due check cannot be queued. It is tried again each hour.',
  ),
  undeliveredSince: optional(time, 'Time of the oldest undelivered alert about it.'),
  preview: optional(workspacePreviewShape, 'Present if it is a preview.'),
  lastRun: runShape
    .pick({ id: true, status: true, finishedAt: true, counts: true, digests: true })
    .extend({ code: optional(z.string(), 'Why it failed: a code of the table of errors.') })
    .exactOptional(),
  days: optional(daysShape, 'What its checks of each day found; absent before the first check.'),
  openEpisodes: optional(openEpisodesShape, 'Its alert episodes that are open; absent: none.'),
})
export type Workspace = z.infer<typeof workspaceShape>

export const episodeKey = z.enum(['drift', 'unchecked'])

const ledgerKind = z.enum([
  'started',
  'logged',
  'intent',
  'attempt',
  'waiting',
  'result',
  'blocked',
  'refused',
  'finished',
  'paused',
  'resumed',
  'removed',
  'reused',
  'expired',
  'source_removed',
  'acknowledged',
  'snoozed',
  'unsnoozed',
  ...stateChangeKinds,
])

/** `hash` covers every other member, including `previous`; the first entry has `previous` = 64 zeros. */
export const ledgerEntryShape = z.object({
  workspace: workspaceId,
  seq: z.number().int().positive(),
  at: time,
  kind: ledgerKind,
  mode: applyMode.exactOptional(),
  applyId: optional(z.string(), 'Absent if the entry is about the workspace itself or its recorded state.'),
  runId: z.string().exactOptional(),
  actor: actorShape,
  reason: z.string(),
  digest: optional(digestText, 'Digest of the approved command list.'),
  formatVersion: optional(z.literal('2'), 'Form of the command; absent without one.'),
  command: optional(z.record(z.string(), z.json()), 'The command, secrets as references.'),
  outcome: commandOutcomeShape.exactOptional(),
  results: optional(resultCountsShape, 'Of the end of an apply: the number of resources with each result.'),
  waiting: waitingShape.exactOptional(),
  attempt: optional(
    z.number().int().positive(),
    'Number of the attempt to send the command; each attempt has an entry before it is sent.',
  ),
  state: optional(stateChangeShape, 'The change of the recorded state: forgotten, moved, imported.'),
  episode: optional(
    z.object({ id: z.string(), about: episodeKey, severity, until: optional(time, 'The end of the snooze.') }),
    'The alert episode that was acknowledged or snoozed, with the severity of its findings.',
  ),
  detail: z.string().exactOptional(),
  previous: digestText,
  hash: digestText,
})
export type LedgerEntry = z.infer<typeof ledgerEntryShape>

/**
 * The end of a ledger: stored beside its entries, and the last line of an export. Without it a truncated ledger could
 * not be detected.
 */
export const ledgerEndShape = z.object({
  workspace: workspaceId,
  entries: count,
  head: digestText.meta({ description: '`hash` of the last entry; 64 zeros if there is none.' }),
  at: optional(time, 'Time of the last entry.'),
})
export type LedgerEnd = z.infer<typeof ledgerEndShape>

export const ledgerVerdictShape = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    workspace: workspaceId,
    entries: count,
    head: z.string(),
    from: optional(
      count,
      'The verification began behind this entry, at a head that was verified before: what is older was not read. Absent: it began at the first entry.',
    ),
  }),
  /** `seq` is the first entry that cannot be trusted. */
  z.object({ ok: z.literal(false), seq: z.number().int(), detail: z.string() }),
])
export type LedgerVerdict = z.infer<typeof ledgerVerdictShape>

/** Where the verification of a ledger goes on. */
export const ledgerPlaceShape = z.object({
  /** The head at which the whole verification began. */
  since: z.object({ seq: count, at: time.exactOptional() }),
  /** The last entry that is verified. */
  seq: count,
  hash: digestText,
  /** The entries are verified; the apply that was compared last, or an empty text before the first one. */
  applies: z.string().exactOptional(),
})
export type LedgerPlace = z.infer<typeof ledgerPlaceShape>

import * as z from 'zod'
import { alertRouteShape } from '../alert-route.ts'
import { severity } from '../rules.ts'
import { applyShape, runShape } from './records.ts'

/*
 * The form of each kind of item, as far as code relies on it: an item is verified whenever it is read, so this is less
 * than what the published shapes say.
 */

interface KindForm {
  /** The attributes of the item. Absent: all facts are in the key, so that nothing in the item can be damaged. */
  readonly item?: z.ZodType
  /** The document of the item: readable in it, compressed, or in a blob beside it. */
  readonly body?: z.ZodType
  /**
   * Absent: 1. It grows with a change that earlier code would misread. Earlier code refuses the items that are written
   * from then on, and items of former formats are still read.
   */
  readonly format?: number
}

const text = z.string()
const number = z.number()
const time = text.refine((value) => !Number.isNaN(Date.parse(value)))
const actor = z.looseObject({ subject: text })
const object = z.looseObject({})
const list = z.array(z.unknown())
const acknowledged = z.looseObject({ severity }).optional()
const snoozed = z.looseObject({ until: time }).optional()
const ref = z.looseObject({ digest: text, chunks: number })
const anything = z.looseObject({})

const workspace = z.looseObject({
  id: text,
  schedule: text.optional(),
  timezone: text.optional(),
  blackout: z.array(z.looseObject({ cron: text, durationMs: number })).optional(),
  nextCheckAt: time.optional(),
  scheduledSince: time.optional(),
  configurationDigest: text,
  configurationVersion: number,
  source: object.optional(),
  events: object.optional(),
  updatedAt: time,
  updatedBy: actor,
  origin: text.optional(),
  pendingCheck: z
    .looseObject({ scheduledFor: time, at: time, next: time.optional(), followAt: time.optional() })
    .optional(),
  paused: z.looseObject({ at: time, by: actor, reason: text }).optional(),
  preview: z.looseObject({ base: text }).optional(),
  lastRun: z.looseObject({ id: text, status: runShape.shape.status, finishedAt: time }).optional(),
  days: z.looseObject({ until: time, worst: list }).optional(),
})
const run = z.looseObject({
  id: text,
  workspace: text,
  status: runShape.shape.status,
  startedAt: time,
  finishedAt: time,
  actor,
  counts: object.optional(),
})
const apply = z.looseObject({
  id: text,
  workspace: text,
  mode: applyShape.shape.mode,
  status: applyShape.shape.status,
  digest: text,
  runId: text,
  reason: text,
  actor,
  requestedAt: time,
  outcomes: list,
})
const entry = z.looseObject({ workspace: text, seq: number, at: text, kind: text, previous: text, hash: text })
const recorded = z.looseObject({ address: text, type: text, provider: text, attributes: object })
const pointer = z.looseObject({ run: text })

const table = {
  workspace: {
    item: z.looseObject({ version: number, bundle: ref.optional(), lineage: text.optional() }),
    body: workspace,
  },
  removed: { item: anything, body: z.looseObject({ at: text, by: actor, reason: text }) },
  directory: {},
  due: {},
  quarantine: {},
  delivery: {},
  state: {
    item: z.looseObject({
      serial: number,
      lineage: text,
      generation: text.optional(),
      isPartial: z.literal(true).optional(),
    }),
  },
  recorded: { item: anything, body: recorded },
  backup: { item: z.looseObject({ about: z.looseObject({ id: text, at: time }), blob: ref }) },
  reads: { item: anything, body: z.looseObject({ resources: object, left: list, limits: object }) },
  holdings: {
    item: anything,
    body: z.looseObject({ workspace: text, homes: z.array(text), tenants: z.array(object) }),
  },
  homes: { item: anything, body: z.array(text) },
  version: {
    item: z.looseObject({ about: z.looseObject({ version: number, at: time, by: actor, digest: text }), bundle: ref }),
  },
  source: { item: z.looseObject({ seen: z.looseObject({ source: text }) }) },
  run: { item: z.looseObject({ plan: text.optional() }), body: run },
  pointer: { item: pointer },
  plan: { item: anything, body: z.looseObject({ digests: object }) },
  apply: { item: anything, body: apply },
  sight: { item: anything, body: z.looseObject({ attributes: object, counted: list }) },
  unfinished: { item: z.looseObject({ resent: number, lookAt: time, seen: text.optional() }) },
  idempotency: { item: z.looseObject({ apply: text, request: text }) },
  lock: {
    item: z.looseObject({ holder: text, fence: number, beat: number, leaseMs: number, until: time, held: z.boolean() }),
  },
  watch: { item: z.looseObject({ fence: number, beat: number, until: text, watchedMs: number }) },
  episode: {
    item: z.looseObject({ version: text }),
    body: z.looseObject({
      id: text,
      workspace: text,
      key: text,
      status: text,
      openedAt: time,
      findings: list,
      acknowledged,
      snoozed,
    }),
  },
  alert: { item: anything, body: z.looseObject({ id: text, workspace: text, kind: text, at: time, findings: list }) },
  routed: {
    item: z.looseObject({ route: alertRouteShape, tries: number }),
    body: z.looseObject({ id: text, workspace: text, kind: text, at: time, findings: list }),
  },
  undelivered: { item: z.looseObject({ at: time }) },
  anchored: { item: z.looseObject({ head: z.looseObject({ seq: number, hash: text, at: time }) }) },
  unanchored: { item: z.looseObject({ at: time }) },
  answers: { item: z.looseObject({ bytes: z.instanceof(Uint8Array) }) },
  entry: { item: anything, body: entry },
  head: {
    item: z.looseObject({
      seq: number,
      hash: text,
      at: text,
      index: z.looseObject({ since: number, apply: text.optional(), actor: text }).optional(),
    }),
  },
  stretch: {},
  /** The chunks of a blob are verified together. */
  chunk: { item: anything },
} as const satisfies Record<string, KindForm>

export type RecordKind = keyof typeof table
export const itemForms: Readonly<Record<RecordKind, KindForm>> = table

/** The path of the first wrong member; the empty text is the whole value. */
export const flawIn = (form: z.ZodType | undefined, value: unknown): string | undefined => {
  const issue = form?.safeParse(value).error?.issues[0]
  return issue === undefined ? undefined : issue.path.map(String).join('.')
}

export const flawOfRef = (value: unknown): string | undefined => flawIn(ref, value)

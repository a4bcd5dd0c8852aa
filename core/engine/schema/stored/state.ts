import * as z from 'zod'
import { actorShape } from '../actor.ts'
import { json, optional } from '../described.ts'
import type { JsonObject } from '../json.ts'
import { immutableFates, type Lifecycle, orphanFates, type RecordedResource, replaceOrders } from '../resource.ts'
import { damagedShape } from './damaged.ts'
import { digestText, workspaceId } from './records.ts'
import { stateChangeKinds, stateChangeShape } from './state-change.ts'

/* The recorded state of a workspace, as it leaves the store. docs/state.md describes it. Secrets are seals. */

const time = z.iso.datetime()
const count = z.number().int().nonnegative()
/** A sort key of the store contains the address, and a sort key may have at most 1024 bytes. */
const address = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed() && new TextEncoder().encode(text).length <= 900, 'at most 900 bytes of text')
const word = z.string().min(1).max(2_000)
const texts = z.record(z.string(), z.string())
const values = z.record(z.string(), json) as z.ZodType<JsonObject>

const lastAppliedShape = z.strictObject({ applyId: z.string(), runId: z.string(), actor: actorShape, at: time })

const taintShape = z.strictObject({ reason: z.string(), by: actorShape, at: time })

const lifecycleMembers = {
  preventDestroy: z.boolean().exactOptional(),
  ignoreChanges: z.array(z.string()).exactOptional(),
  onImmutable: z.enum(immutableFates).exactOptional(),
  replaceOrder: z.enum(replaceOrders).exactOptional(),
  manage: z.record(z.string(), z.enum(['exclusive', 'declared'])).exactOptional(),
  readOnly: z.boolean().exactOptional(),
  orphan: z.enum(orphanFates).exactOptional(),
} satisfies Readonly<Record<keyof Lifecycle, z.ZodType>>

/** Every member of a record has its shape here, so that an export followed by an import loses none. */
const recordMembers = {
  address,
  type: word,
  name: word,
  module: word.exactOptional(),
  provider: word,
  attributes: values,
  place: word.exactOptional(),
  seenBy: values.exactOptional(),
  ids: texts.exactOptional(),
  parents: texts.exactOptional(),
  refs: values.exactOptional(),
  refersBy: z.array(z.string()).exactOptional(),
  doubted: z.enum(['several', 'sent', 'strayed', 'deleted', 'replaced']).exactOptional(),
  sentBy: z.string().exactOptional(),
  sent: z
    .record(z.string(), z.strictObject({ digest: z.string(), witness: z.string().exactOptional() }))
    .exactOptional(),
  neverAgreed: z.array(z.string()).exactOptional(),
  awaited: values.exactOptional(),
  shownInstead: values.exactOptional(),
  tainted: taintShape.exactOptional(),
  reading: z.string().exactOptional(),
  lastApplied: lastAppliedShape.exactOptional(),
  dependsOn: z.array(address),
  lifecycle: z.strictObject(lifecycleMembers),
} satisfies Readonly<Record<keyof RecordedResource, z.ZodType>>

export const stateRecordShape: z.ZodType<RecordedResource> = z.strictObject(recordMembers)

const stateResourceShape = z.strictObject({
  ...recordMembers,
  digest: digestText.meta({ description: 'Of `attributes`.' }),
})
export type StateResource = RecordedResource & { readonly digest: string }

const documentMembers = {
  workspace: workspaceId,
  lineage: word.meta({ description: 'Identity of the history of this state.' }),
  serial: count.max(1e12).meta({ description: 'Number of its version; each write has a larger one.' }),
  digest: digestText.meta({ description: 'Of the canonical JSON of all other members.' }),
}

export const stateDocumentShape = z.strictObject({
  formatVersion: z.literal('2'),
  ...documentMembers,
  resources: z.array(stateResourceShape),
})

export interface StateDocument extends Omit<z.infer<typeof stateDocumentShape>, 'resources'> {
  readonly resources: readonly StateResource[]
}

const entryShape = z.object({
  address: z.string(),
  type: z.string(),
  provider: z.string(),
  foundBy: z
    .enum(['ids', 'keys'])
    .meta({ description: 'How its object is found: by ids of the server, or by its keys.' }),
  ids: optional(texts, 'The ids that the server gave it.'),
  doubted: recordMembers.doubted,
  lastApplied: optional(lastAppliedShape, 'The last apply that changed it; absent if none is known.'),
  digest: digestText.meta({ description: 'Of its recorded attributes.' }),
})
export type StateEntry = z.infer<typeof entryShape>

export const stateListShape = z.object({
  workspace: workspaceId,
  lineage: optional(z.string(), 'Absent as long as nothing was recorded.'),
  serial: count,
  resources: z.array(entryShape),
  damaged: optional(z.array(damagedShape), 'Records that are damaged in the store; absent if there are none.'),
})
export type StateList = z.infer<typeof stateListShape>

export const stateShownShape = z.object({
  workspace: workspaceId,
  lineage: z.string(),
  serial: count,
  resource: stateResourceShape,
  doubt: optional(z.string(), 'Why its keys alone do not identify its object, in words.'),
})
export interface StateShown extends Omit<z.infer<typeof stateShownShape>, 'resource'> {
  readonly resource: StateResource
}

/** What was recorded before a user changed it, without the records. */
export const stateBackupShape = z.object({
  id: z.string(),
  workspace: workspaceId,
  lineage: z.string(),
  serial: count,
  resources: count.meta({ description: 'How many records it contains.' }),
  at: time.meta({ description: 'When it was made.' }),
  until: time.meta({ description: 'When it is deleted.' }),
  before: z.enum(stateChangeKinds).meta({ description: 'The change that it was made for.' }),
  actor: actorShape,
  reason: z.string(),
})
export type StateBackup = z.infer<typeof stateBackupShape>

export const stateChangedShape = z.object({
  workspace: workspaceId,
  change: z.enum(stateChangeKinds),
  ...stateChangeShape.shape,
  backup: optional(
    stateBackupShape.pick({ id: true, until: true }),
    'The copy of what was recorded before; absent if nothing was.',
  ),
  doubted: optional(
    z.array(z.string()),
    'Resources that refer to a forgotten one: if they leave the configuration too, their keys alone do not prove their objects.',
  ),
})
export type StateChanged = z.infer<typeof stateChangedShape>

import * as z from 'zod'
import {
  AppError,
  forgetRecords,
  importState,
  moveRecord,
  optional,
  parseForeign,
  reasonText,
  type StateSource,
  stateBackupShape,
  stateChangedShape,
  stateDocumentShape,
  stateListShape,
  stateShownShape,
  taintRecords,
  untaintRecords,
} from '#core'
import { jsonFaults } from '../../adapters/json-in.ts'
import { bodyLimits } from '../route/body-limits.ts'
import { exampleState } from '../route/examples.ts'
import { recordsRoute } from '../route/records-route.ts'
import { ok, route } from '../route/route.ts'
import { id, json, named, ofWorkspace } from '../route/shapes.ts'
import { unpack } from '../route/unpack.ts'

const address = z.string().min(1).max(2_000)

export const listStateRoute = recordsRoute({
  id: 'listState',
  path: '/state/resources',
  summary: 'List what is recorded of a workspace, by address',
  query: z.strictObject({ glob: optional(address, 'Only addresses that match; `*` stands for any text.') }),
  answers: {
    200: json('The recorded resources, without their attributes.', named('StateList', stateListShape), {
      example: exampleState.list,
    }),
  },
  read: async (records, { query: { glob } }) => ok(await records.state(glob)),
})

export const showStateRoute = recordsRoute({
  id: 'showState',
  path: '/state/resource',
  summary: 'Get what is recorded of a resource; secrets are seals',
  query: z.strictObject({ address: address.meta({ description: 'For example pdns_zone.main.' }) }),
  answers: {
    200: json('The record.', named('StateRecord', stateShownShape), { example: exampleState.shown }),
  },
  errors: ['RECORD_NOT_FOUND'],
  read: async (records, { query }) => ok(await records.recordOf(query.address)),
})

export const exportStateRoute = recordsRoute({
  id: 'exportState',
  path: '/state',
  summary: 'Export the recorded state of a workspace',
  description: 'The state as it is now, or a backup. Large states need `Accept-Encoding: gzip`.',
  query: z.strictObject({ backup: optional(id, 'Id of a backup.') }),
  answers: {
    200: json('The recorded state, with its digest.', named('State', stateDocumentShape), {
      example: exampleState.document,
    }),
  },
  errors: ['STATE_NOT_FOUND', 'BACKUP_NOT_FOUND', 'STORE_CONFLICT'],
  read: async (records, { query: { backup } }) => ok(await records.exportState(backup)),
})

export const listBackupsRoute = recordsRoute({
  id: 'listBackups',
  path: '/state/backups',
  summary: 'List the backups of the recorded state, latest first',
  description: 'Each change by a user keeps one first, until the time in `until`.',
  answers: {
    200: json('The backups.', named('StateBackupList', z.object({ items: z.array(stateBackupShape) })), {
      example: { items: [exampleState.backup] },
    }),
  },
  read: async (records) => ok({ items: await records.backups() }),
})

const changed = json('Changed.', named('StateChanged', stateChangedShape), { example: exampleState.changed })
const changeErrors = [
  'WORKSPACE_NOT_FOUND',
  'WORKSPACE_REMOVED',
  'LOCKED',
  'LOCK_LOST',
  'APPLY_UNFINISHED',
  'STORE_CONFLICT',
] as const
const addresses = z.array(address).min(1).max(1_000)

const ofAddresses = {
  'application/json': {
    shape: z.strictObject({ addresses, reason: reasonText }),
    example: { addresses: ['pdns_zone.main'], reason: 'team B has the zone now' },
  },
}

export const forgetRecordsRoute = route({
  id: 'forgetRecords',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/state/forget',
  scope: 'configure',
  summary: 'Forget what is recorded of resources',
  description:
    'Their objects in the target are not touched. Refused while an apply runs. A backup is kept first, and the ledger records who did it and why.',
  params: ofWorkspace,
  bodies: ofAddresses,
  maxBodyBytes: 1_000_000,
  answers: { 200: changed },
  errors: [...changeErrors, 'RECORD_NOT_FOUND'],
  handle: async ({ params: { workspace }, body, actor }, deps) =>
    ok(await forgetRecords({ workspace, actor, ...body }, deps)),
})

export const moveRecordRoute = route({
  id: 'moveRecord',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/state/move',
  scope: 'configure',
  summary: 'Give a record another address',
  description:
    'Its object in the target is not touched. Refused if something is recorded under the new address, if the types differ, and while an apply runs. A backup is kept first, and the ledger records who did it and why.',
  params: ofWorkspace,
  bodies: {
    'application/json': {
      shape: z.strictObject({ from: address, to: address, reason: reasonText }),
      example: { from: 'pdns_zone.old', to: 'module.prod["eu"].pdns_zone.main', reason: 'the zone is in a module now' },
    },
  },
  answers: { 200: changed },
  errors: [...changeErrors, 'RECORD_NOT_FOUND', 'MOVE_REFUSED'],
  handle: async ({ params: { workspace }, body, actor }, deps) =>
    ok(await moveRecord({ workspace, actor, ...body }, deps)),
})

const marked = {
  method: 'POST',
  scope: 'configure',
  params: ofWorkspace,
  bodies: ofAddresses,
  maxBodyBytes: 1_000_000,
  answers: { 200: changed },
  errors: [...changeErrors, 'RECORD_NOT_FOUND'],
} as const

export const taintRecordsRoute = route({
  ...marked,
  id: 'taintRecords',
  path: '/v1/workspaces/{workspace}/state/taint',
  summary: 'Mark objects to be replaced by the next apply',
  description:
    'Each check plans it until an apply did it. A backup is kept first, and the ledger records who did it and why.',
  handle: async ({ params: { workspace }, body, actor }, deps) =>
    ok(await taintRecords({ workspace, actor, ...body }, deps)),
})

export const untaintRecordsRoute = route({
  ...marked,
  id: 'untaintRecords',
  path: '/v1/workspaces/{workspace}/state/untaint',
  summary: 'Take that mark back',
  description: 'A backup is kept first, and the ledger records who did it and why.',
  handle: async ({ params: { workspace }, body, actor }, deps) =>
    ok(await untaintRecords({ workspace, actor, ...body }, deps)),
})

/** The limit of an unpacked state, in bytes. */
const maxUnpacked = 64_000_000

const reasoned = { reason: reasonText }
/** The rest is read only once the format version is known. */
const anyState = z.looseObject({ formatVersion: z.string() })
const stateSource = z.union([
  z.strictObject({ state: anyState.meta({ description: 'As `GET .../state` answers it.' }), ...reasoned }),
  z.strictObject({
    gzip: z.string().min(1).meta({ description: 'The same as JSON, compressed with gzip, in Base64.' }),
    ...reasoned,
  }),
  z.strictObject({ backup: id.meta({ description: 'Id of a backup to restore.' }), ...reasoned }),
])

const unpacked = async (base64: string): Promise<unknown> => {
  const limits = bodyLimits(maxUnpacked)
  const bytes = await unpack(Buffer.from(base64, 'base64'), limits, 'body.gzip: is not gzip in Base64')
  const parsed = parseForeign(new TextDecoder().decode(bytes))
  if ('fault' in parsed) throw new AppError('STATE_INVALID', { detail: `body.gzip ${jsonFaults[parsed.fault]}` })
  return parsed.value
}

const sourceOf = async (body: z.infer<typeof stateSource>): Promise<StateSource> => {
  if ('backup' in body) return { backup: body.backup }
  return { document: 'gzip' in body ? await unpacked(body.gzip) : body.state }
}

export const importStateRoute = route({
  id: 'importState',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/state/import',
  scope: 'configure',
  summary: 'Replace the recorded state by an exported one, or by a backup',
  description:
    'All of it or nothing; nothing in the target is touched. A state of another workspace or lineage is refused, and an older one unless it is a backup. Refused while an apply runs. A backup is kept first, and the ledger records who did it and why.',
  params: ofWorkspace,
  bodies: {
    'application/json': {
      shape: stateSource,
      example: { backup: exampleState.backup.id, reason: 'the wrong resource was forgotten' },
    },
  },
  maxBodyBytes: maxUnpacked,
  answers: { 200: changed },
  errors: [...changeErrors, 'STATE_INVALID', 'STATE_NEWER', 'STATE_FOREIGN', 'STATE_OUTDATED', 'BACKUP_NOT_FOUND'],
  handle: async ({ params: { workspace }, body, actor }, deps) =>
    ok(await importState({ workspace, actor, reason: body.reason, source: await sourceOf(body) }, deps)),
})

import * as z from 'zod'
import {
  forgetRecords,
  optional,
  stateBackupShape,
  stateChangedShape,
  stateDocumentShape,
  stateListShape,
  stateShownShape,
} from '#core'
import { exampleState } from '../route/examples.ts'
import { recordsRoute } from '../route/records-route.ts'
import { ok, route } from '../route/route.ts'
import { id, json, named, ofWorkspace, why } from '../route/shapes.ts'

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
  description: 'Each change by a user keeps one first, for 90 days.',
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

export const forgetRecordsRoute = route({
  id: 'forgetRecords',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/state/forget',
  scope: 'apply',
  summary: 'Forget what is recorded of resources',
  description:
    'Their objects in the target are not touched. Refused while an apply runs. A backup is kept first, and the ledger records who forgot what and why.',
  params: ofWorkspace,
  bodies: {
    'application/json': {
      shape: z.strictObject({ addresses, reason: why }),
      example: { addresses: ['pdns_zone.main'], reason: 'team B has the zone now' },
    },
  },
  maxBodyBytes: 1_000_000,
  answers: { 200: changed },
  errors: [...changeErrors, 'RECORD_NOT_FOUND'],
  handle: async ({ params: { workspace }, body, actor }, deps) =>
    ok(await forgetRecords({ workspace, actor, ...body }, deps)),
})

import * as z from 'zod'
import { optional, stateDocumentShape, stateListShape, stateShownShape } from '#core'
import { exampleState } from '../route/examples.ts'
import { recordsRoute } from '../route/records-route.ts'
import { ok } from '../route/route.ts'
import { json, named } from '../route/shapes.ts'

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
  description: 'The same bytes as `plumbline state export`. Large states need `Accept-Encoding: gzip`.',
  answers: {
    200: json('The recorded state, with its digest.', named('State', stateDocumentShape), {
      example: exampleState.document,
    }),
  },
  errors: ['STATE_NOT_FOUND', 'STORE_CONFLICT'],
  read: async (records) => ok(await records.exportState()),
})

import * as z from 'zod'
import { type Route, route } from '../route/route.ts'
import { named } from '../route/shapes.ts'

/** Tells only that this function responds, because anybody may ask. */
export const getHealthRoute = route({
  id: 'getHealth',
  method: 'GET',
  path: '/v1/health',
  scope: null,
  summary: 'Check that the endpoint responds',
  answers: {
    200: {
      description: 'It does.',
      content: { 'application/json': named('Health', z.object({ status: z.literal('ok') })) },
      example: { status: 'ok' },
    },
  },
  errors: [],
  handle: async () => ({ status: 200, body: { status: 'ok' } }),
})

/** Takes the document from the registry, which contains this route too. */
export const getOpenapiRoute = (document: () => Promise<unknown>): Route =>
  route({
    id: 'getOpenapi',
    method: 'GET',
    path: '/v1/openapi.json',
    scope: null,
    summary: 'Get this document',
    answers: {
      200: { description: 'OpenAPI 3.1.', content: { 'application/json': z.record(z.string(), z.json()) } },
    },
    errors: [],
    handle: async () => ({ status: 200, body: await document() }),
  })

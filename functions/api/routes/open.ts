import * as z from 'zod'
import { ok, type Route, route } from '../route/route.ts'
import { json, named } from '../route/shapes.ts'

/** Answers only that this function responds, because the route is open to everybody. */
export const getHealthRoute = route({
  id: 'getHealth',
  method: 'GET',
  path: '/v1/health',
  scope: null,
  summary: 'Check that the endpoint responds',
  answers: {
    200: json('It does.', named('Health', z.object({ status: z.literal('ok') })), { example: { status: 'ok' } }),
  },
  errors: [],
  handle: async () => ok({ status: 'ok' }),
})

/** `document` is a parameter, because the document contains this route too. */
export const getOpenapiRoute = (document: () => Promise<unknown>): Route =>
  route({
    id: 'getOpenapi',
    method: 'GET',
    path: '/v1/openapi.json',
    scope: null,
    summary: 'Get this document',
    answers: { 200: json('OpenAPI 3.1.', z.record(z.string(), z.json())) },
    errors: [],
    handle: async () => ok(await document()),
  })

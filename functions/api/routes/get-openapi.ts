import * as z from 'zod'
import { type Route, route } from '../route/route.ts'
import { none } from '../route/shapes.ts'

/** Takes the document from the registry, which knows this route too. */
export const getOpenapiRoute = (document: () => Promise<unknown>): Route =>
  route({
    id: 'getOpenapi',
    method: 'GET',
    path: '/v1/openapi.json',
    scope: null,
    summary: 'This document',
    params: none,
    query: none,
    headers: z.object({}),
    bodies: {},
    answers: {
      200: { description: 'OpenAPI 3.1.', content: { 'application/json': z.record(z.string(), z.json()) } },
    },
    errors: [],
    handle: async () => ({ status: 200, body: await document() }),
  })

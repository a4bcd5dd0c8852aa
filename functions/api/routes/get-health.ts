import * as z from 'zod'
import { route } from '../route/route.ts'
import { none, shapes } from '../route/shapes.ts'

/** Says that this function answers and nothing about what is behind it, as anybody may ask. */
export const getHealthRoute = route({
  id: 'getHealth',
  method: 'GET',
  path: '/v1/health',
  scope: null,
  summary: 'Does the endpoint answer?',
  params: none,
  query: none,
  headers: z.object({}),
  bodies: {},
  answers: { 200: { description: 'Yes.', content: { 'application/json': shapes.Health } } },
  errors: [],
  handle: async () => ({ status: 200, body: { status: 'ok' } }),
})

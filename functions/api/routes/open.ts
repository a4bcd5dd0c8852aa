import * as z from 'zod'
import { defined } from '#core'
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

const signInShape = z.object({
  issuer: z.string().optional(),
  clientId: z.string().optional().meta({ description: 'The public client that a program on a machine uses.' }),
  scope: z.string().optional().meta({ description: 'What to ask for, separated by spaces.' }),
})

/** Open, because it is asked by those who have no token yet. */
export const getSignInRoute = route({
  id: 'getSignIn',
  method: 'GET',
  path: '/v1/sign-in',
  scope: null,
  summary: 'Get how people sign in',
  description: 'Empty if the settings of the deployment name no client for people.',
  answers: {
    200: json('The issuer of its tokens.', named('SignIn', signInShape), {
      example: {
        issuer: 'https://login.acme.example',
        clientId: 'plumbline',
        scope: 'openid offline_access read check apply irreversible configure',
      },
    }),
  },
  errors: [],
  handle: async ({ signIn: { issuer, clientId, scope } = {} }) => ok(defined({ issuer, clientId, scope })),
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

import * as z from 'zod'
import { defined } from '#core'
import { scopes } from '../../rights.ts'
import { ok, route } from '../route/route.ts'
import { json, named } from '../route/shapes.ts'

const callerShape = z.object({
  subject: z.string().describe('As the ledger names the caller.'),
  issuer: z.string().optional().describe('Who vouches for the subject.'),
  expiresAt: z.iso.datetime().optional().describe('When the token ends.'),
  rights: z.array(
    z.object({
      scope: z.enum(scopes),
      workspaces: z.string().describe('A name; a `*` at its end stands for every name with this beginning.'),
    }),
  ),
})

/** Who the endpoint takes the caller for. */
export const getCallerRoute = route({
  id: 'getCaller',
  method: 'GET',
  path: '/v1/me',
  scope: 'read',
  summary: 'Get who you are, and what you may do',
  answers: {
    200: json('The caller.', named('Caller', callerShape), {
      example: {
        subject: 'mona',
        issuer: 'https://issuer.acme.example',
        rights: [
          { scope: 'read', workspaces: '*' },
          { scope: 'apply', workspaces: 'acme-*' },
        ],
      },
    }),
  },
  errors: [],
  handle: async ({ actor: { subject, issuer }, expiresAt, rights }) =>
    ok({ subject, ...defined({ issuer, expiresAt }), rights }),
})

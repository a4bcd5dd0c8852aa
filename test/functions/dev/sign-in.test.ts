import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSignIn, pageClient } from '../../../functions/dev/http/sign-in.ts'

const url = 'http://127.0.0.1:8787'
const page = `${url}/`
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

const open = () => {
  const links: string[] = []
  const issuer = { url, issue: async (subject: string, _: string, scope = '') => `token of ${subject}: ${scope}` }
  const signIn = openSignIn({ issuer, subject: 'local:ada', lifetime: '12h', used: (link) => links.push(link) })
  const ask = (path: string, { query = {}, cookie = '', body = '', method = 'GET' } = {}) =>
    signIn.answer({
      ...{ method, path, cookie, host: '127.0.0.1:8787' },
      query: new URLSearchParams(query),
      body: async () => body,
    })
  return { ...signIn, ask, links }
}

const asked = {
  client_id: pageClient,
  redirect_uri: page,
  response_type: 'code',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: 'abc',
  scope: 'openid read check',
}

const pathIn = (link: string): string => new URL(link).pathname

const signedIn = async () => {
  const world = open()
  const answer = await world.ask(pathIn(world.link()))
  const cookie = String(answer?.headers?.['set-cookie']).split(';')[0] ?? ''
  return { ...world, cookie }
}

const codeOf = async ({ ask, cookie }: Awaited<ReturnType<typeof signedIn>>): Promise<string> => {
  const answer = await ask('/authorize', { query: asked, cookie })
  return new URL(answer?.headers?.['location'] ?? '').searchParams.get('code') ?? ''
}

const form = (more: Record<string, string>) => ({
  method: 'POST',
  body: String(
    new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: page,
      code_verifier: verifier,
      ...more,
    }),
  ),
})

describe('the link to the page', () => {
  it('gives a session that only the page can use, and works once', async () => {
    const { ask, link, links } = open()
    const first = link()
    const answer = await ask(pathIn(first))
    expect(answer).toMatchObject({ status: 303, headers: { location: page } })
    expect(answer?.headers?.['set-cookie']).toMatch(
      /^plumbline-8787=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/authorize$/,
    )
    expect(await ask(pathIn(first))).toMatchObject({ status: 403 })
    expect(links).toEqual([link()])
    expect(await ask(pathIn(link()))).toMatchObject({ status: 303 })
  })
  it.each(['', 'x', '../token'])('is no other text: %j', async (key) => {
    expect(await open().ask(`/sign-in/${key}`)).toMatchObject({ status: 403 })
  })
})

describe('a code', () => {
  it('is exchanged for a token with the verifier of its challenge', async () => {
    const world = await signedIn()
    const answer = await world.ask('/token', form({ code: await codeOf(world) }))
    expect(answer).toMatchObject({
      status: 200,
      body: {
        access_token: 'token of local:ada: read check',
        scope: 'read check',
        token_type: 'Bearer',
        expires_in: 43_200,
      },
    })
  })
  it('is of no use twice, with another verifier, or for another address', async () => {
    const world = await signedIn()
    const code = await codeOf(world)
    await world.ask('/token', form({ code }))
    const invalid = { status: 400, body: { error: 'invalid_grant' } }
    expect(await world.ask('/token', form({ code }))).toMatchObject(invalid)
    expect(await world.ask('/token', form({ code: await codeOf(world), code_verifier: 'other' }))).toMatchObject(
      invalid,
    )
    expect(await world.ask('/token', form({ code: await codeOf(world), redirect_uri: 'http://evil/' }))).toMatchObject(
      invalid,
    )
    expect(await world.ask('/token', form({ code: 'made up' }))).toMatchObject(invalid)
    expect(await world.ask('/token', form({ grant_type: 'password' }))).toMatchObject({ status: 400 })
  })
  it.each([
    ['another client', { client_id: 'other' }],
    ['another address', { redirect_uri: 'http://localhost:8976/callback' }],
    ['no challenge', { code_challenge: '' }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['a token in the address', { response_type: 'token' }],
  ])('is not given for %j, and nobody is sent anywhere', async (_, more) => {
    const { ask, cookie } = await signedIn()
    const answer = await ask('/authorize', { query: { ...asked, ...more }, cookie })
    expect(answer?.status).toBe(400)
    expect(answer?.headers?.['location']).toBeUndefined()
  })
  it.each(['', 'plumbline-8787=made-up', 'plumbline-9999=x'])('is not given without a session: %j', async (cookie) => {
    const answer = await open().ask('/authorize', { query: asked, cookie })
    const back = new URL(answer?.headers?.['location'] ?? '')
    expect(back.origin + back.pathname).toBe(page)
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'login_required', state: 'abc', iss: url })
  })
})

it('a browser that has signed out needs the link again', async () => {
  const world = await signedIn()
  const answer = await world.ask('/authorize/sign-out', { cookie: world.cookie })
  expect(answer).toMatchObject({ status: 303, headers: { location: `${page}?error=login_required` } })
  expect(answer?.headers?.['set-cookie']).toContain('Max-Age=0')
  const back = await world.ask('/authorize', { query: asked, cookie: world.cookie })
  expect(back?.headers?.['location']).toContain('error=login_required')
})

it('is silent about everything else', async () => {
  expect(await open().ask('/v1/workspaces')).toBeUndefined()
})

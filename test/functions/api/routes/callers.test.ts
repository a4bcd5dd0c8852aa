import { beforeAll, describe, expect, test } from 'vitest'
import type { Deps } from '#core'
import { createApply } from '../../../../core/engine/state/applies/applies.ts'
import { saveRun } from '../../../../core/engine/state/runs/runs.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import type { Access } from '../../../../functions/api/middleware/authenticate.ts'
import { routes } from '../../../../functions/api/routes/index.ts'
import { type RightScope, readRight, scopes } from '../../../../functions/rights.ts'
import { testApi, testDeps } from '../../../builders/aws/api.ts'
import { eachOf } from '../../../builders/long.ts'
import { aBundle, anApply, anId, aPlan, aRun, aWorkspace } from '../../../builders/values/records.ts'

/*
 * Every route of the registry, asked about the workspace `acme` by every kind of caller. `beta` is somebody else's: its
 * name stands in no answer to a caller who may not read it.
 */

const arn = (role: string): string => `arn:aws:sts::123456789012:assumed-role/${role}/job`
const access: Access = {
  SCOPE_PREFIX: 'pl/',
  REQUIRED_SCOPES_IAM: Object.fromEntries(
    scopes.flatMap((scope) =>
      [
        [`${scope}-all`, scope],
        [`${scope}-acme`, `${scope}:acme`],
        [`${scope}-beta`, `${scope}:beta`],
      ].map(([role = '', right = '']) => [arn(role), [readRight(right)].filter((one) => one !== undefined)]),
    ),
  ),
}

const iss = 'https://login.acme.example'
const token = (scope: string, claims: object = {}) => ({ jwt: { claims: { sub: 'ada', iss, scope, ...claims } } })
const machine = (role: string) => ({ iam: { userArn: arn(role), accountId: '123456789012' } })
const others = (scope: RightScope): string[] => scopes.filter((one) => one !== scope)

interface Kind {
  readonly who: string
  readonly of: (scope: RightScope) => unknown
  /** For a route about `acme`, and for one that lists workspaces. */
  readonly one: 'passes' | 401 | 403
  readonly list?: 'passes'
}

const kinds: readonly Kind[] = [
  { who: 'nobody', of: () => undefined, one: 401 },
  { who: 'a token without a subject', of: (scope) => token(`pl/${scope}`, { sub: null }), one: 401 },
  { who: 'a token with the subject "null"', of: (scope) => token(`pl/${scope}`, { sub: 'null' }), one: 401 },
  { who: 'a token without an issuer', of: (scope) => token(`pl/${scope}`, { iss: undefined }), one: 401 },
  { who: 'a token without a right', of: () => token('openid'), one: 403 },
  { who: 'a token without the prefix', of: (scope) => token(scope), one: 403 },
  {
    who: 'every other right',
    of: (scope) =>
      token(
        others(scope)
          .map((each) => `pl/${each}`)
          .join(' '),
      ),
    one: 403,
  },
  {
    who: 'every other right for acme',
    of: (scope) =>
      token(
        others(scope)
          .map((each) => `pl/${each}:acme`)
          .join(' '),
      ),
    one: 403,
  },
  { who: 'the right for beta', of: (scope) => token(`pl/${scope}:beta`), one: 403, list: 'passes' },
  { who: 'the right for acme-dns', of: (scope) => token(`pl/${scope}:acme-dns`), one: 403, list: 'passes' },
  { who: 'the right for acme-*', of: (scope) => token(`pl/${scope}:acme-*`), one: 403, list: 'passes' },
  { who: 'the right for acm', of: (scope) => token(`pl/${scope}:acm`), one: 403, list: 'passes' },
  { who: 'the right for ACME', of: (scope) => token(`pl/${scope}:ACME`), one: 403 },
  { who: 'the right for acme', of: (scope) => token(`pl/${scope}:acme`), one: 'passes' },
  { who: 'the right for ac*', of: (scope) => token(`pl/${scope}:ac*`), one: 'passes' },
  { who: 'the right for all', of: (scope) => token(`pl/${scope}`), one: 'passes' },
  { who: 'a machine that no rule names', of: () => machine('other'), one: 403 },
  { who: 'a machine with every other right', of: (scope) => machine(`${others(scope)[0]}-all`), one: 403 },
  { who: 'a machine with the right for beta', of: (scope) => machine(`${scope}-beta`), one: 403, list: 'passes' },
  { who: 'a machine with the right for acme', of: (scope) => machine(`${scope}-acme`), one: 'passes' },
  { who: 'a machine with the right for all', of: (scope) => machine(`${scope}-all`), one: 'passes' },
]

let deps: Deps
beforeAll(async () => {
  deps = testDeps().deps
  for (const [n, id] of ['acme', 'beta'].entries()) {
    await saveWorkspace(deps.store, aWorkspace({ id }), aBundle())
    await saveRun(deps.store, {
      run: aRun(n + 1, aPlan(), { workspace: id }),
      plan: aPlan([], [], { workspace: id }),
      advance: () => ({ episodes: [], alerts: [] }),
    })
    await createApply(deps.store, { ...anApply(n + 1), workspace: id })
  }
})

const guarded = routes.flatMap(({ id, method, path, scope }) => (scope === null ? [] : [{ id, method, path, scope }]))
const about = (path: string, workspace: string, n: number): string =>
  path.replace('{workspace}', workspace).replace('{runId}', anId(n)).replace('{applyId}', anId(n))
const table = guarded.flatMap((route) => kinds.map((kind) => ({ ...route, ...kind })))

describe('every route by every kind of caller', () => {
  test.each(table)(
    '$id answers as the rights of the caller allow: $who',
    async ({ method, path, scope, of, one, list }) => {
      const isList = !path.includes('{workspace}')
      const expected = isList ? (list ?? one) : one
      const answer = await testApi(deps, access)(method, about(path, 'acme', 1), {
        authorizer: of(scope),
        ...(method === 'GET' ? {} : { body: '{' }),
      })
      if (expected === 'passes') expect([401, 403]).not.toContain(answer.status)
      else expect(answer.status).toBe(expected)
    },
  )

  test.each(guarded)('$id reveals whether the workspace exists to nobody without the right to know', async (route) => {
    const { method, path, scope } = route
    if (!path.includes('{workspace}')) return
    const call = testApi(deps, access)
    const authorizer = token(`pl/${scope}:acme`)
    const [there, nowhere] = await Promise.all(
      ['beta', 'nowhere'].map((name) => call(method, about(path, name, 2), { authorizer })),
    )
    expect(there?.json).toEqual({ ...nowhere?.json })
    expect(there?.status).toBe(403)
  })

  test.each(guarded)('$id reads nothing of beta through acme', async ({ method, path }) => {
    const answer = await testApi(deps, access)(method, about(path, 'acme', 2), {
      authorizer: token('pl/read:acme pl/check:acme pl/apply:acme'),
      headers: { 'accept-encoding': 'identity' },
    })
    expect(answer.text).not.toContain('beta')
    if (/\{(run|apply)\}/.test(path)) expect(answer.status).toBe(404)
  })
})

describe('the list of workspaces', () => {
  const names = Array.from({ length: 450 }, (_, n) => `${n % 3 === 0 ? 'mine' : 'their'}-${String(n).padStart(3, '0')}`)
  const walk = async (scope: string, limit: number) => {
    const { deps: own } = testDeps()
    for (const id of names) await saveWorkspace(own.store, aWorkspace({ id }), aBundle())
    const call = testApi(own, { SCOPE_PREFIX: '' })
    const found: string[] = []
    const told: string[] = []
    for (let cursor = ''; ; ) {
      const answer = await call('GET', '/v1/workspaces', { scope, query: `limit=${limit}${cursor}` })
      const { items, next } = answer.json as { items: { id: string }[]; next?: string }
      expect(items.length).toBeLessThanOrEqual(limit)
      found.push(...items.map(({ id }) => id))
      told.push(answer.text, Buffer.from(next ?? '', 'base64url').toString())
      if (next === undefined) return { found, told: told.join() }
      cursor = `&cursor=${next}`
    }
  }

  eachOf(
    test,
    2,
  )([
    ['read:mine-*', 7],
    ['read:mine-*', 200],
    ['read:their-*', 100],
    ['read', 200],
    ['read:mine-003 read:their-448', 1],
    ['read:none', 5],
  ])(
    'contains with %s in pages of %i each workspace that may be read, once, and names no other',
    async (scope, limit) => {
      const may = scope.split(' ').map((right) => right.replace('read:', '').replace(/^read$/, ''))
      const isMine = (name: string) =>
        may.some((each) => (/\*$|^$/.test(each) ? name.startsWith(each.replace('*', '')) : name === each))
      const { found, told } = await walk(scope, limit)
      expect(found).toEqual(names.filter(isMine).toSorted())
      for (const name of names.filter((each) => !isMine(each))) expect(told).not.toContain(name)
    },
  )
})

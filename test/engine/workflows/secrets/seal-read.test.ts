import { describe, expect, it } from 'vitest'
import type { ObjectSchema } from '../../../../core/engine/schema/attribute.ts'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { createRedactor } from '../../../../core/engine/transport/redaction/redact.ts'
import { sealListed, sealRead } from '../../../../core/engine/workflows/session/read/seal-read.ts'
import { spellings } from '../../../builders/generators/spellings.ts'
import { configureText, testSeal } from '../../../builders/workspaces/rest.ts'

const canary = 'c@n4ry/"x\\ +key'
const own = 'server-made-pw'
const schema: ObjectSchema = {
  attributes: {
    name: { type: 'string' },
    tags: { type: 'map' },
    any: { type: 'any' },
    pw: { type: 'string', sensitive: true },
  },
}
const read = (over: JsonObject, desired?: JsonObject) => {
  const configured = createRedactor()
  configured.learn(canary)
  const { ids, version, versions, ...attributes } = over
  const result = {
    kind: 'present' as const,
    attributes,
    ...(ids === undefined ? {} : { ids: ids as Record<string, string> }),
    ...(version === undefined ? {} : { version: String(version) }),
    ...(versions === undefined ? {} : { versions: versions as JsonObject }),
  }
  return sealRead(schema, result, desired, { seal: testSeal, learn: () => {}, configured })
}

describe.each(Object.entries(spellings))('a secret as %s', (_, spell) => {
  const spelled = spell(canary)
  it.each<[string, JsonObject]>([
    ['a value', { name: spelled }],
    ['a part of a value', { any: [{ deep: `x ${spelled} y` }] }],
  ])('is stored as a digest in %s', (_place, over) => {
    const found = read(over)
    expect(found.kind).toBe('present')
    expect(JSON.stringify(found)).toContain('$sealed')
    expect(JSON.stringify(found)).not.toContain(JSON.stringify(spelled).slice(1, -1))
  })

  it.each<[string, JsonObject]>([
    ['an id', { ids: { id: spelled } }],
    ['a version', { version: `"${spelled}"` }],
    ['one of several versions', { versions: { main: spelled } }],
    ['the key of a map', { tags: { [spelled]: 'x' } }],
    ['a key deep inside', { any: [{ a: { [`x-${spelled}`]: 1 } }] }],
  ])('makes an object unknown where it appears as %s', (_place, over) => {
    const found = read({ name: 'a', ...over })
    expect(found).toMatchObject({ kind: 'unknown', reason: 'bad_body' })
    expect(JSON.stringify(found)).not.toContain(spelled)
  })

  it('is stored as a digest in the name of an undeclared object', () => {
    const configured = createRedactor()
    configured.learn(canary)
    expect(JSON.stringify(sealListed({ name: spelled }, { seal: testSeal, configured }))).toMatch(/"\$sealed"/)
  })
})

it('a text at a sensitive place of the same object is not used as an id either', () => {
  expect(read({ pw: own, ids: { id: own } })).toMatchObject({ kind: 'unknown' })
  expect(read({ pw: own, ids: { id: 'x' } })).toMatchObject({ kind: 'present', ids: { id: 'x' } })
})

it('a text that the configuration holds in clear is not a secret of its own', () => {
  expect(read({ name: 'a', tags: { [canary]: 'x' } }, { tags: { [canary]: 'x' } })).toMatchObject({ kind: 'present' })
})

describe('a provider document', () => {
  const document = (serverId: string, produces = ''): string => `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_user:
    operations:
      list: { method: GET, path: /users }
      retrieve: { method: GET, path: "/users/{id}" }
      create: { method: POST, path: /users, ${produces} }
      update: { method: PATCH, path: "/users/{id}" }
      delete: { method: DELETE, path: "/users/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { ${serverId} }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes: { name: {}, key: { path: auth.key, sensitive: true }, login: { type: object, attributes: { token: { sensitive: true } } } }
`
  const problemsOf = (text: string): string => {
    const configured = configureText(text, {})
    return configured.ok ? '' : configured.issues.map(({ message }) => message).join('\n')
  }
  it.each([
    ['id: auth.key', ''],
    ['id: auth', ''],
    ['id: auth.key.x', ''],
    ['id: /login/token', ''],
    ['id: id', 'produces: { id: auth.key }'],
  ])('cannot make a sensitive value an id: %s %s', (serverId, produces) => {
    expect(problemsOf(document(serverId, produces))).toContain('the sensitive attribute')
  })
  it('may have ids at other places', () => {
    expect(problemsOf(document('id: id', 'produces: { id: id }'))).toBe('')
    expect(problemsOf(document('id: auth.id'))).toBe('')
  })
})

import { describe, expect, it } from 'vitest'
import type { Request } from '../../../core/engine/schema/command.ts'
import { isRead } from '../../../core/engine/transport/read-only.ts'
import { openDocument } from '../../../core/tools/authoring/document/open-document.ts'

/* A read whose server is told by another name to write is no read. */

const get = (more: Partial<Request>): Request => ({ method: 'GET', url: 'https://api.test/a', effect: 'read', ...more })
const headers = [
  ...[
    'X-HTTP-Method-Override',
    'x-http-method',
    'X-Method-Override',
    'X-Method',
    'HTTP-Method-Override',
    'X_HTTP_METHOD_OVERRIDE',
  ],
  ...['X-HTTP-Verb-Override', 'Method-Override'],
]
const parameters = [
  '_method',
  '$method',
  '_Method',
  '__method',
  '_http_method',
  '$httpMethod',
  'X-HTTP-Method-Override',
  'x-method-override',
  'x_http_method',
  '_method[]',
  'a;_method',
  ' _method',
  '_method\0',
  'x[_method]',
  '＿method',
  '%5Fmethod',
  '%255F%6Dethod',
]
/** Names of gateways and of single servers: a name that says that a method follows, where one that writes does. */
const others = {
  headers: [
    'X-Original-Method',
    'x_rewrite_method',
    'X-Forwarded-Method',
    'X-Request-Method',
    'X-Tunneled-Method',
    'X-Verb-Tunnel',
    'X-REST-Method',
    'X-Client-Verb',
  ],
  parameters: ['method', 'http_method', 'httpMethod', 'request-method', 'x[method]', 'Method', 'verb'],
}

const problemsOf = (operation: string, provider = '', effect = '') =>
  openDocument({
    name: 'a.yaml',
    text: `
provider: { id: a, baseUrl: "https://api.test"${provider} }
resources:
  a_b:
    operations:
      retrieve: { method: GET, path: "/b/{name}"${operation} }
      create: { method: PUT, path: "/b/{name}" }
      update: { method: POST, path: "/b/{name}"${effect} }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { in: path }, size: {} } }]
`,
  }).issues

describe('the method of a read', () => {
  it.each(headers)('is not overridden by the header %s', (name) => {
    for (const value of ['DELETE', ' delete', 'PATCH', 'anything'])
      expect(isRead(get({ headers: { [name]: value } }))).toBe(false)
    expect(isRead(get({ headers: { [name]: 'get' } }))).toBe(true)
  })

  it.each(parameters)('is not overridden by the parameter %s', (name) => {
    const query = `https://api.test/a?b=1&${encodeURIComponent(name)}=DELETE`
    expect(isRead(get({ url: query }))).toBe(false)
    expect(isRead(get({ url: query.replace('DELETE', 'GET') }))).toBe(true)
    for (const body of [{ [name]: 'DELETE' }, `a=1&${name}=DELETE`])
      expect(isRead(get({ method: 'POST', body }))).toBe(false)
  })

  it.each(others.headers)('is not overridden by a method that writes in the header %s', (name) => {
    for (const value of ['DELETE', ' delete', 'PATCH', 'merge', 'GET, PUT', '{"POST"}'])
      expect(isRead(get({ headers: { [name]: value } }))).toBe(false)
    for (const value of ['get', 'card', 'postal', '']) expect(isRead(get({ headers: { [name]: value } }))).toBe(true)
    expect(JSON.stringify(problemsOf(`, headers: { ${name}: "{name}" }`))).toContain('for another method')
  })

  it.each(others.parameters)('is not overridden by a method that writes in the parameter %s', (name) => {
    for (const [value, reads] of [
      ['DELETE', false],
      ['put', false],
      ['list', true],
      ['Get', true],
    ] as const)
      expect(isRead(get({ url: `https://api.test/a?b=1&${encodeURIComponent(name)}=${value}` }))).toBe(reads)
    expect(JSON.stringify(problemsOf(`, query: { "${name}": "{name}" }`))).toContain('for another method')
  })

  it('is not overridden by a parameter of the path', () => {
    expect(isRead(get({ url: 'https://api.test/a;_method=DELETE' }))).toBe(false)
    expect(isRead(get({ url: 'https://api.test/a;v=1/_method/b;method=card' }))).toBe(true)
  })

  it.each([
    ['https://api.test/a?method=list&httpMethod=1&payment_method=card', {}],
    ['https://api.test/a', { 'Access-Control-Request-Method': 'PUT', 'X-Payment-Method': 'card' }],
    ['https://api.test/a?methodology=POST&methods=PUT&verbose=delete&a=DELETE&%2525zz=PUT', { 'X-Verbose': 'delete' }],
  ])('is not taken for overridden by words that mean something else: %s', (url, more) => {
    expect(isRead(get({ url, headers: more }))).toBe(true)
  })

  it.each([
    ['a header', ', headers: { X-HTTP-Method-Override: DELETE }', ''],
    ['a header with a value of the workspace', ', headers: { X-Method-Override: "{name}" }', ''],
    ['a parameter', ', query: { _method: DELETE }', ''],
    ['a header of all requests', '', ', headers: { X-HTTP-Method: PUT }'],
  ])('is refused in a document where %s overrides it', (_, operation, provider) => {
    expect(JSON.stringify(problemsOf(operation, provider))).toContain('for another method')
  })

  it.each([', query: { payment_method: "{name}" }', ', query: { method: list }', ', headers: { X-Auth-Method: card }'])(
    'is not taken for overridden in a document by what means something else: %s',
    (operation) => expect(JSON.stringify(problemsOf(operation))).not.toContain('for another method'),
  )

  it('may be overridden in a write, as a part of what is approved', () => {
    const text = JSON.stringify(problemsOf('', '', ', headers: { X-HTTP-Method-Override: PATCH }'))
    expect(text).not.toContain('for another method')
  })
})

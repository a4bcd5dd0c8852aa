import { describe, expect, it } from 'vitest'
import { eachOf } from '../../../builders/long.ts'
import { richDocument } from '../../../builders/values/rich-document.ts'
import { configureText } from '../../../builders/workspaces/rest.ts'

/** What one mutation of the document is told with: at the line of the text that it put in, or of `at`. */
interface Mutation {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly says: RegExp
  readonly fix: RegExp
  /** A text whose line is meant, where that is not the one that was changed. */
  readonly at?: string
}

const bad = (name: string, from: string, to: string, says: RegExp, fix: RegExp, at?: string): Mutation => ({
  name,
  from,
  to,
  says,
  fix,
  ...(at === undefined ? {} : { at }),
})

const provider: readonly Mutation[] = [
  bad('a misspelled section', '\nresolvers:', '\nresolver:', /unknown key "resolver"/, /did you mean "resolvers"/),
  bad(
    'a misspelled key',
    '  encodePath: plain',
    '  encodepath: plain',
    /unknown key "encodepath"/,
    /did you mean "encodePath"/,
  ),
  bad('no base URL', '  baseUrl: "{with.baseUrl}/v1"\n', '', /"baseUrl" is missing/, /add it/, 'provider:'),
  bad(
    'a value outside a list',
    'encodePath: plain',
    'encodePath: some',
    /encodePath: there is no such value/,
    /full|plain/,
  ),
  bad('a text for a number', 'timeoutMs: 5000', 'timeoutMs: "5 s"', /timeoutMs.*number/, /number/),
  bad('a negative number', 'concurrency: 2', 'concurrency: -2', /concurrency/, /correct|greater|least/),
  bad('a status that is none', 'absent: [404, 410]', 'absent: [404, 4100]', /absent/, /correct|599/),
  bad('a status as a name', '418: server_error', '4xx: server_error', /a status such as/, /rename/),
  bad('a reason that is none', '418: server_error', '418: teapot', /418/, /server_error/),
  bad(
    'a status of two meanings',
    'unknown: { 418',
    'unknown: { 410',
    /410 is both absent and unknown/,
    /one of the two/,
  ),
  bad(
    'an undeclared with',
    '"{with.baseUrl}/v1"',
    '"{with.host}/v1"',
    /"\{with.host\}" is used and not declared/,
    /add host/,
  ),
  bad(
    'two ways to sign in',
    '    login:\n',
    '    bearer: { secret: "{with.password}" }\n    login:\n',
    /unknown key "login"/,
    /remove/,
    '    login:',
  ),
  bad('a login without a token', '      token: auth.token\n', '', /"token" is missing/, /add it/, '    login:'),
  bad('a token that goes nowhere', 'template: "{token}"', 'template: "Bearer"', /no \{token\}/, /write \{token\}/),
  bad('a token in two places', 'send: { header: X-Token', 'send: { query: t, header: X-Token', /unknown key/, /remove/),
  bad('a certificate without its key', ', key: "{with.password}" }', ' }', /no key/, /add tls.key/, '  tls:'),
  bad('a page style that is none', 'style: offset', 'style: offsets', /style/, /offset/),
  bad('pages without a parameter', 'style: offset, param: offset,', 'style: offset,', /"param" is missing/, /add it/),
  bad(
    'short pages without a size',
    'size: { param: limit, value: 50 }, total: meta.total',
    'shortEnds: true',
    /without a size/,
    /add size/,
  ),
  bad(
    'a cursor that is nowhere',
    '{ style: offset, param: offset, size: { param: limit, value: 50 }, total: meta.total,',
    '{ style: cursor, param: after,',
    /cursor/,
    /next|last/,
  ),
  bad(
    'an error rule about nothing',
    '{ place: error, exists: true, means: 500 }',
    '{ place: error, means: 500 }',
    /has no condition/,
    /exists/,
  ),
  bad('an error that is a success', 'means: 500', 'means: 200', /200 is no failure/, /status/),
  bad('an envelope without a letter', '{ payload: "{fields}" }', '{ payload: 1 }', /no \{fields\}/, /add it/),
  bad('a rate per year', 'per: second', 'per: year', /per/, /second/),
  bad(
    'a resolver that asks nothing',
    '    list: { method: GET, path: /regions }\n',
    '',
    /nothing to ask/,
    /add list/,
    '  region:',
  ),
  bad(
    'a resolver that writes',
    'method: GET, path: /regions',
    'method: POST, path: /regions',
    /must be a read/,
    /effect: read/,
  ),
]

const operations: readonly Mutation[] = [
  bad('a type without a prefix', '  rich_network:', '  network:', /after the prefix/, /rename/),
  bad('a method that is none', 'addDisk: { method: POST', 'addDisk: { method: SEND', /method/, /POST/),
  bad(
    'a path without its slash',
    'path: "/servers/{id}/disks" }',
    'path: "servers/{id}/disks" }',
    /starts with \//,
    /./,
  ),
  bad('a path with dots', 'path: "/servers/{id}/disks" }', 'path: "/servers/../{id}/disks" }', /segment/, /without it/),
  bad(
    'a variable that is none',
    'path: "/servers/{id}/restart"',
    'path: "/servers/{uid}/restart"',
    /\{uid\} has no value/,
    /./,
  ),
  bad(
    'a GET with a body',
    'list: { method: GET, path: "/projects/{project_id}/servers" }',
    'list: { method: GET, path: "/projects/{project_id}/servers", body: { a: 1 } }',
    /sends no body/,
    /query/,
  ),
  bad('an unknown grade', 'grade: lossy', 'grade: risky', /grade/, /lossy/),
  bad(
    'a create that reads',
    '      create: { method: POST, path: "/projects/{project_id}/networks"',
    '      create: { method: GET, path: "/projects/{project_id}/networks"',
    /only reads/,
    /writes/,
  ),
  bad(
    'a read that is the request of a write',
    'limits: { method: POST, path: "/servers/{id}/limits/query", effect: read, body: { of: "{id}" } }',
    'limits: { method: POST, path: "/servers/{id}/restart", effect: read }',
    /the request of "restart"/,
    /only reads/,
  ),
  bad(
    'a read that is a delete under other names of its variables',
    'limits: { method: POST, path: "/servers/{id}/limits/query", effect: read, body: { of: "{id}" } }',
    'limits: { method: DELETE, path: "/servers/{name}/disks/{id}", effect: read }',
    /the request of "removeDisk"/,
    /only reads/,
  ),
  bad(
    'a read that is a write to a server that is not strict',
    'limits: { method: POST, path: "/servers/{id}/limits/query", effect: read, body: { of: "{id}" } }',
    'limits: { method: POST, path: "/Servers/{id}//%72estart;x/ ", effect: read }',
    /the request of "restart"/,
    /only reads/,
  ),
  bad(
    'a read that is a write but for its body, which the write does not say',
    'limits: { method: POST, path: "/servers/{id}/limits/query", effect: read, body: { of: "{id}" } }',
    'limits: { method: POST, path: "/servers/{id}/disks", body: { of: "{id}" }, effect: read }',
    /the request of "addDisk"/,
    /only reads/,
  ),
  bad(
    'a read that is a write but for a header and a parameter, which the write has not',
    'limits: { method: POST, path: "/servers/{id}/limits/query", effect: read, body: { of: "{id}" } }',
    'limits: { method: POST, path: "/servers/{id}/restart", headers: { Accept: text/plain }, query: { dry: yes }, effect: read }',
    /the request of "restart"/,
    /only reads/,
  ),
  bad(
    'a read whose body is a part of that of a write',
    'addDisk: { method: POST, path: "/servers/{id}/disks" }',
    'addDisk: { method: POST, path: "/servers/{id}/limits/query", body: { of: "{id}", "...": "{fields}" } }',
    /the request of "addDisk"/,
    /only reads/,
    'limits: {',
  ),
  bad(
    'a read that is a write where its variable has the word of that',
    'limits: { method: POST, path: "/servers/{id}/limits/query", effect: read, body: { of: "{id}" } }',
    'limits: { method: POST, path: "/servers/{id}/rules", body: "{name}", effect: read }',
    /the request of "setRules"/,
    /only reads/,
  ),
  bad(
    'no create',
    '      create: { method: POST, path: "/projects/{project_id}/networks", produces: { id: id } }\n',
    '',
    /no operation "create"/,
    /declare it/,
    '    operations:',
  ),
  bad(
    'no delete',
    '      delete: { method: DELETE, path: "/projects/{project_id}/networks/{id}", success: [204], grade: lossy }\n',
    '',
    /no operation "delete"/,
    /preventDelete/,
    '    operations:',
  ),
  bad('a read that may write', 'effect: read, ', '', /"limits" may write/, /effect: read/, 'read: { op: limits'),
  bad(
    'an identity that is no attribute',
    'identity: { keys: [name] }\n    lookup: { list',
    'identity: { keys: [title] }\n    lookup: { list',
    /"title"/,
    /declare/,
  ),
  bad(
    'a container without such an id',
    'identity: { keys: [name] }\n    lookup:\n',
    'identity: { keys: [name], container: { op: list, id: uuid } }\n    lookup:\n',
    /"uuid" is no serverId/,
    /declare it under serverId/,
  ),
  bad(
    'a container that is read by its id',
    'identity: { keys: [name] }\n    lookup:\n',
    'identity: { keys: [name], container: { id: id } }\n    lookup:\n',
    /does not know its id/,
    /by its keys/,
  ),
  bad(
    'a container that is read by a write',
    'identity: { keys: [name] }\n    lookup:\n',
    'identity: { keys: [name], container: { op: restart, id: id } }\n    lookup:\n',
    /"restart" may write/,
    /effect: read/,
  ),
  bad(
    'a container whose id another object may get',
    'identity: { keys: [name] }\n    lookup:\n',
    'identity: { keys: [name], ids: reused, container: { op: list, id: id } }\n    lookup:\n',
    /another object may get the id/,
    /stable/,
  ),
  bad(
    'no identity',
    '    identity: { keys: [name] }\n    lookup:\n',
    '    lookup:\n',
    /nothing distinguishes the objects/,
    /add identity.keys/,
    '  rich_server:',
  ),
  bad(
    'a match that is no attribute',
    '      match: [name]',
    '      match: [title]',
    /"title" is no attribute/,
    /declare it/,
  ),
  bad(
    'a list that is none',
    'lookup: { list: { op: list',
    'lookup: { list: { op: lists',
    /no operation "lists"/,
    /did you mean "list"/,
  ),
  bad('a delete before and a delete at all', 'order: deleteFirst', 'order: first', /order/, /deleteFirst/),
  bad(
    'a lock of two kinds',
    'lock: { etag: true, weak: false }',
    'lock: { etag: true, field: rev, send: rev }',
    /unknown key|lock/,
    /remove|one/,
  ),
  bad('a wait for no operation', 'poll: retrieve', 'poll: fetch', /no operation "fetch"/, /declare/),
  bad(
    'a wait without an end',
    '      ok: [OK]\n',
    '',
    /no state is named|named as its end/,
    /add ok/,
    'state: state\n',
  ),
  bad('a state of two meanings', 'error: [ERRED]', 'error: [ERRED, ok]', /both ok and error/, /one of the two/),
  bad('a wait that ends before it begins', 'timeoutSeconds: 600', 'timeoutSeconds: 1', /ends before/, /longer/),
  bad(
    'an action on no attribute',
    'on: [flavor]',
    'on: [flavour]',
    /"flavour" is no attribute/,
    /did you mean "flavor"/,
  ),
  bad('an action that is no operation', 'op: restart, order', 'op: reboot, order', /no operation "reboot"/, /declare/),
]

const parts: readonly Mutation[] = [
  bad(
    'a part without a read',
    '      - name: main\n        read: list\n',
    '      - name: main\n',
    /"read" is missing/,
    /add it/,
    '      - name: main',
  ),
  bad('a way to send that is none', 'send: mergePatch', 'send: merge', /send/, /mergePatch/),
  bad(
    'a change without a write',
    '        write: { op: setLimits, send: full }\n',
    '',
    /"cpu" can change and the part has no write/,
    /add write/,
    'cpu: {',
  ),
  bad(
    'a write that reads',
    'write: { op: update, send',
    'write: { op: retrieve, send',
    /"retrieve" only reads/,
    /writes/,
  ),
  bad('a template without a body', 'send: full', 'send: template', /needs a body/, /write.body/),
  bad(
    'dropping from what is not sent',
    'send: full }',
    'send: changed, keeps: true, drop: [a] }',
    /no request sends "a" back/,
    /remove it from drop/,
  ),
  bad('a type that is none', 'flavor: { type: any }', 'flavor: { type: text }', /type/, /string/),
  bad('a normaliser that is none', 'normalise: [trim, lower]', 'normalise: [trim, lowercase]', /normalise/, /lower/),
  bad('a witness that is no attribute', 'witness: hash', 'witness: digest', /"digest" is no attribute/, /declare/),
  bad('a witness of what can be read', 'writeOnly: true, sensitive', 'sensitive', /needs no witness/, /writeOnly/),
  bad('a default that is none', ', default: debian', '', /no default to mean/, /add default/, 'image: {'),
  bad('commas for a map', 'labels: { type: map,', 'labels: { type: map, as: comma,', /only a list or set/, /type/),
  bad(
    'ignored keys that would go',
    'write: { op: update, send: mergePatch }',
    'write: { op: update, send: full }',
    /ignored keys/,
    /mergePatch/,
    'labels: {',
  ),
  bad('an element of a text', 'cidr: { immutable', 'cidr: { element: {}, immutable', /only a map, list or set/, /type/),
  bad(
    'attributes of a text',
    'cidr: { immutable',
    'cidr: { attributes: { a: {} }, immutable',
    /only an object/,
    /type: object/,
  ),
  bad(
    'a list that is to leave elements of others alone',
    'flavor: { type: any }',
    'flavor: { type: list, manage: declared, element: {} }',
    /only a map or set .* "flavor" is a list/,
    /set its type, or remove manage/,
  ),
  bad(
    'a key of an element',
    'flavor: { type: any }',
    'flavor: { type: list, element: { type: object, key: [n], attributes: { n: {} } } }',
    /only a set or list .* key, .* is a object/,
    /move it to the set or list/,
  ),
  bad(
    'a key of no member, in elements',
    'host: { cases',
    'names: { type: set, key: [n], element: { type: object, attributes: { m: {} } } }\n                host: { cases',
    /"n" is not .* element/,
    /element.attributes/,
  ),
  bad(
    'such a list in elements',
    'host: { cases',
    'names: { type: list, manage: declared, element: {} }\n                host: { cases',
    /only a map or set .* "names" is a list/,
    /set its type, or remove manage/,
  ),
  bad(
    'such a collection in order',
    'field: rules',
    'manage: declared\n          ordered: true\n          field: rules',
    /only a map or set .* "rules" is a list/,
    /set its type, or remove manage/,
  ),
  bad(
    'an element of a text in elements',
    'port: { type: number }',
    'port: { element: {} }',
    /only a map, list or set/,
    /type/,
  ),
  bad('a key outside the element', 'key: [number]', 'key: [numbers]', /"numbers" is not in element/, /declare/),
  bad('a place of a value that is a list', 'path: memory.mib', 'path: [memory, mib]', /path/, /text|string/),
  bad('a resolver that is not there', 'resolver: region', 'resolver: country', /no resolver "country"/, /declare/),
  bad(
    'a reference to nothing',
    'ref: { resolver: region, emit: id }',
    'ref: { emit: id }',
    /type or by a resolver/,
    /one of/,
  ),
  bad(
    'a type that is not there',
    'type: rich_network, attribute: name',
    'type: rich_net, attribute: name',
    /no type "rich_net"/,
    /rich_network/,
  ),
  bad(
    'an attribute declared twice',
    '          cpu: {',
    '          flavor: { type: any }\n          cpu: {',
    /"flavor" is declared twice/,
    /one part/,
    '    parts:\n      - name: main\n        read: retrieve',
  ),
  bad(
    'a collection of unkeyed elements',
    '          key: [label]\n',
    '',
    /need a key/,
    /add key/,
    'collection:\n          field: disks',
  ),
  bad('a key outside of its elements', 'key: [label]', 'key: [title]', /"title" is not in element/, /declare/),
  bad(
    'a collection within one with another key',
    '          key: [label]',
    '          within: rules\n          key: [label]',
    /"rules" is no other collection of the type with the same key/,
    /or remove within/,
  ),
  bad(
    'a collection that writes nothing',
    'body: { rules: "{changes}" }',
    'body: { rules: [] }',
    /holds no changes/,
    /\{changes\}/,
  ),
  bad(
    'ignored elements that would go',
    'body: { rules: "{changes}" }',
    'body: { rules: "{all}" }',
    /removes the ignored/,
    /\{changes\}/,
  ),
  bad('elements made by nothing', 'create: addDisk', 'create: makeDisk', /no operation "makeDisk"/, /declare/),
  bad(
    'an ignored member that is none',
    'ignore: [{ port: 22 }]',
    'ignore: [{ protocol: tcp }]',
    /"protocol" is not in element/,
    /declare/,
  ),
]

const given = { user: 'u', password: { $secret: 'env:PASSWORD' } }
const issuesOf = (text: string) => {
  const configured = configureText(text, given)
  return configured.ok ? [] : configured.issues
}

/** The first line that holds the text, from 1. */
const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length

describe('a document with one mistake', () => {
  it('is valid before the mistake is made', () => {
    expect(issuesOf(richDocument)).toEqual([])
  })

  eachOf(it, 27)([...provider, ...operations, ...parts])('is refused with its line and advice: $name', (mutation) => {
    const { from, to, says, fix, at } = mutation
    const text = richDocument.replace(from, () => to)
    expect(text).not.toBe(richDocument)
    const issues = issuesOf(text)
    const told = issues.map((issue) => `${issue.line} ${issue.message} | ${issue.fix}`).join('\n')
    const found = issues.find(({ message }) => says.test(message))
    expect(found ? '' : `${says} is not among\n${told}`).toBe('')
    expect([found?.line, found?.fix]).toEqual([lineOf(text, (at ?? to).trim()), expect.stringMatching(fix)])
    // One mistake is told as one, or as few.
    expect(issues.length).toBeLessThanOrEqual(4)
  })

  it.each([
    ['{ bearer: { token: "{with.password}" } }', ['"secret" is missing', 'unknown key "token"']],
    ['{ basic: { name: "{with.user}", password: "{with.password}" } }', ['"user" is missing', 'unknown key "name"']],
    ['{ header: { name: X-Key, key: "{with.password}" } }', ['"secret" is missing', 'unknown key "key"']],
  ])('is refused with the keys of the auth %s', (auth, expected) => {
    const start = richDocument.indexOf('  auth:\n')
    const rest = richDocument.slice(start + 1).search(/\n {2}\S/)
    const text = `${richDocument.slice(0, start)}  auth: ${auth}${richDocument.slice(start + 1 + rest)}`
    expect(issuesOf(text).map(({ message }) => message)).toEqual(expect.arrayContaining(expected))
  })

  it('exists in sixty forms at least', () => {
    expect(provider.length + operations.length + parts.length).toBeGreaterThanOrEqual(60)
  })
})

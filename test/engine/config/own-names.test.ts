import { describe, expect, it } from 'vitest'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { configureText } from '../../builders/workspaces/rest.ts'
import { actor, testDeps, yaml } from '../../builders/workspaces/workspace.ts'

/*
 * Names that every object of JavaScript has. Wherever somebody writes a name of his own they are refused, and wherever
 * somebody refers to one it is not there: nothing is ever found that nobody wrote.
 */
const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', '__defineGetter__', 'isPrototypeOf']

const documentWith = (parts: { readonly [place: string]: string }): string => `
provider: { id: ${parts['id'] ?? 'api'}, baseUrl: "http://api.test", with: { ${parts['with'] ?? ''} }, params: { ${parts['params'] ?? ''} } }
resolvers: { ${parts['resolvers'] ?? ''} }
resources:
  ${parts['type'] ?? 'api_thing'}:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}", ${parts['produces'] ?? ''} }
      delete: { method: DELETE, path: "/things/{name}" }
      ${parts['operations'] ?? ''}
    identity: { keys: [name] }
    lookup: { retrieve: true }
    serverId: { ${parts['serverId'] ?? ''} }
    actions: { ${parts['actions'] ?? ''} }
    parts: [{ name: ${parts['part'] ?? 'main'}, read: ${parts['read'] ?? 'retrieve'}, attributes: { name: { in: path }, ${parts['attributes'] ?? ''} } ${parts['collection'] ?? ''} }]
`

const problemsOf = (text: string): string => {
  try {
    const configured = configureText(text, {})
    return configured.ok ? '' : configured.issues.map(({ message }) => message).join('\n')
  } catch (error) {
    return String(error)
  }
}

const places: Readonly<Record<string, (name: string) => string>> = {
  with: (name) => documentWith({ with: `${name}: { default: a }` }),
  params: (name) => documentWith({ params: `${name}: a` }),
  'a resolver': (name) => documentWith({ resolvers: `${name}: { list: { method: GET, path: /x } }` }),
  'a type': (name) => documentWith({ type: name }),
  'an operation': (name) => documentWith({ operations: `${name}: { method: GET, path: /x }` }),
  'a server id': (name) => documentWith({ serverId: `${name}: id` }),
  produces: (name) => documentWith({ produces: `produces: { ${name}: id }` }),
  'an action': (name) => documentWith({ actions: `${name}: { on: [name], op: list }` }),
  'a part': (name) => documentWith({ part: name }),
  'what a part reads': (name) => documentWith({ read: name }),
  'an attribute': (name) => documentWith({ attributes: `${name}: {}` }),
  'a member': (name) => documentWith({ attributes: `a: { type: object, attributes: { ${name}: {} } }` }),
  'a member of an element': (name) =>
    documentWith({ attributes: `a: { type: list, element: { type: object, attributes: { ${name}: {} } } }` }),
}

it('the document that these tests change is valid', () => {
  expect(problemsOf(documentWith({}))).toBe('')
})

describe.each(Object.keys(places))('in a document, %s', (place) => {
  it.each(names)('cannot be called %s', (name) => {
    expect(problemsOf(places[place]?.(name) ?? '')).not.toBe('')
  })
})

const configurationWith = (parts: { readonly [place: string]: string }): string => `
workspace: ${parts['workspace'] ?? 'acme'}
providers: { ${parts['provider'] ?? 'api'}: { source: rest, definition: ./api.yaml, with: { ${parts['with'] ?? ''} } } }
variables: { ${parts['variables'] ?? 'a: { type: number, default: 1 }'} }
resources:
  - { type: ${parts['type'] ?? 'api_thing'}, name: ${parts['name'] ?? 'one'}, spec: { name: ${parts['value'] ?? 'one'}, ${parts['spec'] ?? ''} } }
`

const uses: Readonly<Record<string, (name: string) => string>> = {
  'a provider': (name) => configurationWith({ provider: name }),
  'a variable': (name) => configurationWith({ variables: `${name}: { type: string, default: a }` }),
  'a resource': (name) => configurationWith({ name }),
  'a type': (name) => configurationWith({ type: name }),
  'a type with a prefix': (name) => configurationWith({ type: `api_${name}` }),
  'an attribute': (name) => configurationWith({ spec: `${name}: a` }),
  'a value of a provider': (name) => configurationWith({ with: `${name}: a` }),
  'a variable that is referred to': (name) => configurationWith({ value: `"\${var.${name}}"` }),
  'a resource that is referred to': (name) => configurationWith({ value: `"\${resource.api_thing.${name}.name}"` }),
  'an attribute that is referred to': (name) =>
    configurationWith({ value: `"\${resource.api_thing.two.${name}}"` }).concat(
      '  - { type: api_thing, name: two, spec: { name: two } }\n',
    ),
}

const check = async (text: string) => {
  const { deps } = testDeps({
    bundle: yaml(text, { 'api.yaml': documentWith({}) }),
    transport: () => ({
      send: async () => ({ status: 404, headers: { 'content-type': 'application/json' }, body: {} }),
    }),
  })
  return checkWorkspace({ workspace: 'acme', trigger: 'cli', actor }, deps).then(
    ({ run }) => (run.status === 'failed' ? (run.error?.code ?? '') : 'planned'),
    (error: { readonly code?: string }) => error.code ?? String(error),
  )
}

it('the configuration that these tests change is valid', async () => {
  expect(await check(configurationWith({}))).toBe('planned')
})

describe.each(Object.keys(uses))('in a configuration, %s', (use) => {
  it.each(names)('cannot be called %s', async (name) => {
    expect(await check(uses[use]?.(name) ?? '')).toBe('CONFIG_INVALID')
  })
})

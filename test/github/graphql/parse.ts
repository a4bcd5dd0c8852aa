/** A GraphQL document: https://spec.graphql.org/October2021/#sec-Document. Only what can be executed. */

export type Value =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'enum'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'object'; readonly members: Readonly<Record<string, Value>> }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }

export interface Field {
  readonly kind: 'field'
  readonly alias: string
  readonly name: string
  readonly args: Readonly<Record<string, Value>>
  readonly selection: readonly Selection[] | undefined
  readonly directives: Directives
}

type Directives = Readonly<Record<string, Readonly<Record<string, Value>>>>

export type Selection =
  | Field
  | { readonly kind: 'spread'; readonly name: string; readonly directives: Directives }
  | {
      readonly kind: 'inline'
      readonly on: string | undefined
      readonly selection: readonly Selection[]
      readonly directives: Directives
    }

export interface Executable {
  readonly kind: 'query' | 'mutation'
  readonly name: string | undefined
  readonly variables: Readonly<Record<string, { readonly type: string; readonly initial: Value | undefined }>>
  readonly selection: readonly Selection[]
}

export interface Document {
  readonly operations: readonly Executable[]
  readonly fragments: ReadonlyMap<string, { readonly on: string; readonly selection: readonly Selection[] }>
}

const token =
  /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|\.\.\.|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[_A-Za-z]\w*|[{}()[\]:=!$@|&]|[\s,\uFEFF]+|./g
const isSkipped = (text: string): boolean => /^(#|[\s,\uFEFF])/.test(text)

export const parseGraphql = (text: string): Document => {
  const tokens = (text.match(token) ?? []).filter((each) => !isSkipped(each))
  let at = 0
  const peek = (): string => tokens[at] ?? ''
  const next = (): string => tokens[at++] ?? ''
  const fail = (wanted: string): never => {
    throw new Error(`Parse error: expected ${wanted}, found ${peek() === '' ? 'the end' : peek()}`)
  }
  const expect = (wanted: string): void => {
    if (next() !== wanted) {
      at -= 1
      fail(wanted)
    }
  }
  const accept = (wanted: string): boolean => {
    if (peek() !== wanted) return false
    at += 1
    return true
  }
  const name = (): string => (/^[_A-Za-z]/.test(peek()) ? next() : fail('a name'))
  const until = <T>(end: string, read: () => T): T[] => {
    const all: T[] = []
    while (!accept(end)) {
      if (peek() === '') fail(end)
      all.push(read())
    }
    return all
  }

  const value = (): Value => {
    if (accept('$')) return { kind: 'variable', name: name() }
    if (accept('[')) return { kind: 'list', items: until(']', value) }
    if (accept('{')) return { kind: 'object', members: Object.fromEntries(until('}', member)) }
    const own = next()
    if (own.startsWith('"""')) return { kind: 'literal', value: own.slice(3, -3) }
    if (/^["\d-]/.test(own)) return { kind: 'literal', value: JSON.parse(own) as string | number }
    if (own === 'true' || own === 'false') return { kind: 'literal', value: own === 'true' }
    return own === 'null' ? { kind: 'literal', value: null } : { kind: 'enum', name: own }
  }
  const member = (): [string, Value] => {
    const key = name()
    expect(':')
    return [key, value()]
  }
  const args = (): Readonly<Record<string, Value>> => (accept('(') ? Object.fromEntries(until(')', member)) : {})
  const directives = (): Directives => {
    const all: [string, Readonly<Record<string, Value>>][] = []
    while (accept('@')) all.push([name(), args()])
    return Object.fromEntries(all)
  }

  const selectionSet = (): readonly Selection[] => {
    expect('{')
    return until('}', selection)
  }
  const selection = (): Selection => {
    if (accept('...')) {
      if (peek() !== 'on' && /^[_A-Za-z]/.test(peek()))
        return { kind: 'spread', name: name(), directives: directives() }
      const on = accept('on') ? name() : undefined
      return { kind: 'inline', on, directives: directives(), selection: selectionSet() }
    }
    const first = name()
    const own = accept(':') ? name() : first
    const given = args()
    const marks = directives()
    return {
      kind: 'field',
      alias: first,
      name: own,
      args: given,
      directives: marks,
      selection: peek() === '{' ? selectionSet() : undefined,
    }
  }

  const type = (): string => {
    const isList = accept('[')
    const inner = isList ? `[${type()}]` : name()
    if (isList) expect(']')
    return accept('!') ? `${inner}!` : inner
  }
  const variable = (): [string, { type: string; initial: Value | undefined }] => {
    expect('$')
    const own = name()
    expect(':')
    return [own, { type: type(), initial: accept('=') ? value() : undefined }]
  }

  const operations: Executable[] = []
  const fragments = new Map<string, { on: string; selection: readonly Selection[] }>()
  while (peek() !== '') {
    if (accept('fragment')) {
      const own = name()
      expect('on')
      fragments.set(own, { on: name(), selection: selectionSet() })
      continue
    }
    const kind = peek() === '{' ? 'query' : (next() as Executable['kind'])
    if (kind !== 'query' && kind !== 'mutation') fail('query or mutation')
    const own = /^[_A-Za-z]/.test(peek()) ? name() : undefined
    const variables = accept('(') ? Object.fromEntries(until(')', variable)) : {}
    directives()
    operations.push({ kind, name: own, variables, selection: selectionSet() })
  }
  return { operations, fragments }
}

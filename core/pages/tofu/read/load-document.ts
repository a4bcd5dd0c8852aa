import { AppError } from '../../../engine/errors/errors.ts'
import { parseTaken } from './parse-value.ts'
import { type ByteStream, checkVersion, createReader, type Reader, readStream } from './read-json.ts'
import { each, ownText, parts, type Selection, wholes } from './scan.ts'
import { elementsOf, isMap, memberOf, textOf, type Value, type ValueMap } from './value.ts'

/** A plan or a state, without the parts that no page shows: they are most of a file of hundreds of megabytes. */
export interface TofuDocument {
  readonly name: string
  readonly kind: 'plan' | 'state'
  /** The document has a later minor version than is known: its new parts are not shown. */
  readonly newer: boolean
  /** Members of the document that no known version has. */
  readonly unknownMembers: readonly string[]
  readonly members: ValueMap
  /**
   * Entries of `resource_changes` and `resource_drift` as JSON text, for `entriesOf`: so that they need little memory until
   * they are read.
   */
  readonly changes: readonly string[]
  readonly drift: readonly string[]
  /** No-ops that neither move nor import: they are counted and not kept. */
  readonly unchanged: number
  /** The state before holds resources that are managed. */
  readonly hasManaged: boolean
  /** Types of the resources, of which schemas are needed. */
  readonly types: ReadonlySet<string>
}

/** The resources of a module of a state likewise; the document holds them as text. */
export const resourcesOf = (module: Value | undefined): Generator<Value> =>
  entriesOf(elementsOf(memberOf(module, 'resources')).filter((entry) => typeof entry === 'string'))

/** Entries one by one, so that only one at a time is in memory as a value. */
export function* entriesOf(texts: readonly string[]): Generator<Value> {
  for (const text of texts) yield parseTaken(text)
}

/** The configuration's expressions. Kinds and sources are inferred from them. */
const configModule: Selection = parts({
  outputs: 'all',
  resources: { element: parts(wholes('mode', 'type', 'name', 'expressions')) },
  module_calls: each({
    member: (key) => (key === 'module' ? configModule : key === 'expressions' ? 'all' : 'nothing'),
  }),
})

/** The members of an entry that decide whether it is kept or only counted. */
const entryHead = parts({
  ...wholes('mode', 'type', 'address', 'previous_address'),
  change: parts(wholes('actions', 'importing')),
})

const isPlainNoOp = (head: Value | undefined): boolean => {
  const change = memberOf(head, 'change')
  const actions = memberOf(change, 'actions')
  const previous = textOf(memberOf(head, 'previous_address')) ?? ''
  const moves = previous !== '' && previous !== memberOf(head, 'address')
  return elementsOf(actions).join() === 'no-op' && !moves && !isMap(memberOf(change, 'importing'))
}

const wholeMembers = wholes(
  ...['format_version', 'terraform_version', 'errored', 'complete', 'applyable', 'relevant_attributes', 'checks'],
  ...['output_changes', 'deferred_changes', 'action_invocations', 'deferred_action_invocations'],
)

interface Loading {
  readonly present: Set<string>
  readonly types: Set<string>
  readonly changes: string[]
  readonly drift: string[]
  unchanged: number
  hasManaged: boolean
}

const entriesTo = (loading: Loading, keep: string[], isKept: (head: Value | undefined) => boolean): Selection => ({
  element: {
    ...entryHead,
    text: (text, head) => {
      if (!isKept(head)) return undefined
      keep.push(ownText(text))
      loading.types.add(textOf(memberOf(head, 'type')) ?? '')
      return undefined
    },
  },
})

/** Many plans are mostly no-ops. */
const changesTo = (loading: Loading): Selection =>
  entriesTo(loading, loading.changes, (head) => {
    if (!isPlainNoOp(head)) return true
    if (memberOf(head, 'mode') !== 'ephemeral') loading.unchanged += 1
    return false
  })

/** Of the state before a plan, only whether it has managed resources. */
const priorModuleTo = (loading: Loading): Selection => {
  const resource: Selection = {
    ...parts(wholes('mode')),
    text: (_, head) => {
      loading.hasManaged ||= memberOf(head, 'mode') === 'managed'
      return undefined
    },
  }
  const module: Selection = {
    member: (key) =>
      key === 'resources' ? { element: resource } : key === 'child_modules' ? { element: module } : 'nothing',
  }
  return module
}

const stateModuleTo = (loading: Loading): Selection => {
  const resource: Selection = {
    ...parts(wholes('type')),
    text: (text, head) => {
      loading.types.add(textOf(memberOf(head, 'type')) ?? '')
      return ownText(text)
    },
  }
  const { member } = parts({ ...wholes('address'), resources: { element: resource } })
  const module: Selection = { member: (key) => (key === 'child_modules' ? { element: module } : member(key)) }
  return module
}

const wantedOf = (loading: Loading): Selection => {
  const { member } = parts({
    ...wholeMembers,
    values: parts({ ...wholes('outputs'), root_module: stateModuleTo(loading) }),
    resource_changes: changesTo(loading),
    resource_drift: entriesTo(loading, loading.drift, () => true),
    configuration: parts({ root_module: configModule }),
    prior_state: parts({ values: parts({ root_module: priorModuleTo(loading) }) }),
  })
  return {
    member: (key) => {
      loading.present.add(key)
      return member(key)
    },
  }
}

const planMembers = ['resource_changes', 'output_changes', 'planned_values', 'resource_drift', 'prior_state']

/** Of both kinds, also those that no page shows. */
const knownMembers: ReadonlySet<string> = new Set([
  ...[...Object.keys(wholeMembers), ...planMembers],
  ...['values', 'configuration', 'variables', 'timestamp', 'proposed_unknown', 'plumbline'],
])

/** An empty state has nothing but its versions. */
const stateMembers: ReadonlySet<string> = new Set(['format_version', 'terraform_version', 'values', 'checks'])

const kindOf = (name: string, present: ReadonlySet<string>): 'plan' | 'state' => {
  if (planMembers.some((member) => present.has(member))) return 'plan'
  if (present.has('values')) return 'state'
  if (present.has('configuration')) return 'plan'
  if (present.has('format_version') && [...present].every((member) => stateMembers.has(member))) return 'state'
  throw new AppError('USAGE', { detail: `${name} is neither a plan nor a state; write one with "tofu show -json"` })
}

const known = { plan: { major: 1, minor: 2 }, state: { major: 1, minor: 0 } }

/** A plan or a state. `end` throws USAGE if it is neither. */
export const documentReader = (name: string): Reader<TofuDocument> => {
  const loading: Loading = {
    present: new Set(),
    types: new Set(),
    changes: [],
    drift: [],
    unchanged: 0,
    hasManaged: false,
  }
  const { push, end } = createReader(name, wantedOf(loading))
  return {
    push,
    end: () => {
      const members = end()
      for (const entry of elementsOf(members.get('deferred_changes')))
        loading.types.add(textOf(memberOf(memberOf(entry, 'resource_change'), 'type')) ?? '')
      const { present, ...found } = loading
      const kind = kindOf(name, present)
      const unknownMembers = [...present].filter((member) => !knownMembers.has(member))
      return { name, kind, ...checkVersion(members, `the ${kind}`, known[kind]), unknownMembers, members, ...found }
    },
  }
}

/** A plan or a state in pieces, of any length. Rejects with USAGE if it is neither. */
export const loadTofuDocument = (source: ByteStream): Promise<TofuDocument> =>
  readStream(source, documentReader(source.name))

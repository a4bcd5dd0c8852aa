import { digestOfText } from '../../../engine/json/digest.ts'
import { setAt } from '../../../engine/json/pointer.ts'
import type { Actor } from '../../../engine/schema/actor.ts'
import { type Command, isSuccess, type PlannedRequest, type Response } from '../../../engine/schema/command.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import type { ReadResult } from '../../../engine/schema/resource.ts'
import type { Apply } from '../../../engine/schema/stored/records.ts'
import { meantStatus } from '../../../engine/transport/answer/answer-errors.ts'
import type { Fence } from '../../../engine/transport/limits/fenced.ts'
import type { Transport } from '../../../engine/transport/transport.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import { urlWords } from '../../../engine/values/url.ts'
import { fillAll } from '../../../engine/workflows/apply/approved/fill-known.ts'
import { valuesFor, withVersion } from '../../../engine/workflows/apply/execution/known-values.ts'
import { requestApply } from '../../../engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../engine/workflows/check/check-workspace.ts'
import type { Deps } from '../../../engine/workflows/deps.ts'
import { openSession } from '../../../engine/workflows/session/open-session.ts'
import { redactDetail } from '../../../engine/workflows/session/read/read-object.ts'
import { isAnswerTo, type ObservedAnswer } from './advise-places.ts'
import type { ProbedType } from './choose-types.ts'
import { skips } from './words.ts'

/** The values are unmodified, for comparisons; secrets among them are not shown. */
export type Observation =
  | {
      readonly kind: 'present'
      readonly attributes: JsonObject
      readonly ids: Readonly<Record<string, string>>
      /** Members of the last object that was read completely. */
      readonly members: readonly string[]
    }
  | Exclude<ReadResult, { readonly kind: 'present' }>

export type Present = Extract<Observation, { readonly kind: 'present' }>

type ListObservation =
  | { readonly kind: 'listed'; readonly identities: readonly JsonObject[] }
  | { readonly kind: 'unknown'; readonly detail: string }

export interface WriteResult {
  readonly ok: boolean
  readonly request?: string
  readonly status?: number
  readonly said?: string
  /** The requests that would undo the sent commands, as in plans; the last one first. */
  readonly inverses?: readonly PlannedRequest[]
  readonly sent?: PlannedRequest
}

export interface SandboxObject {
  readonly type: string
  look(attributes: JsonObject): Promise<Observation>
  /** Lists the objects of the same type and parents; `undefined` if the document names no list of them. */
  list(attributes: JsonObject): Promise<ListObservation | undefined>
  /** Changes the object to these attributes, or deletes it. */
  ensure(attributes: JsonObject, absent?: true): Promise<WriteResult>
  /** Sends the planned inverses of a write, for an object that cannot be planned any more. */
  undo(attributes: JsonObject, done: WriteResult): Promise<void>
  /** Sends the first command of a change with a stale version; `undefined` if the command contains no version. */
  sendStale(attributes: JsonObject): Promise<WriteResult | undefined>
  /** Sends the planned delete without checking whether the object changed meanwhile. */
  remove(attributes: JsonObject): Promise<void>
}

export interface Sandbox {
  /** Successful answers since the caller last emptied the list. */
  readonly answers: ObservedAnswer[]
  object(probed: ProbedType): SandboxObject
  /** Creates a new secret and returns its reference. */
  secret(): Json
  /** Ignores an attribute from now on: a value that moves by itself makes every plan stale. */
  ignore(path: Path): void
}

const name = 'probe'
const source = 'env:PLUMBLINE_PROBE_'

/** Every write is an apply with plan, lock and precondition. The caller discards `deps.store`. */
export const createSandbox = (
  document: Json,
  files: Readonly<Record<string, string>>,
  given: JsonObject,
  actor: Actor,
  outer: Deps,
): Sandbox => {
  const specs = new Map<string, string>()
  const secrets = new Map<string, string>()
  const file = 'probed.provider.json'
  let current = document
  const answers: ObservedAnswer[] = []
  const observed = (inner: Transport): Transport => ({
    send: async (request, signal) => {
      const response: Response = await inner.send(request, signal)
      const { status, headers, body = null } = response
      if (status >= 200 && status < 300) answers.push({ request, headers, body })
      return response
    },
  })
  const deps: Deps = {
    ...outer,
    config: {
      load: async (workspace) => ({
        entry: 'plumbline.json',
        files: { ...files, [file]: JSON.stringify(current), 'plumbline.json': specs.get(workspace) ?? '' },
      }),
    },
    secrets: {
      resolve: async (asked) => secrets.get(asked) ?? outer.secrets.resolve(asked),
    },
    transport: (confines) => observed(outer.transport(confines)),
  }
  const declare = (workspace: string, type: string, spec: JsonObject, absent?: true): void => {
    const providers = { probed: { source: 'rest', definition: `./${file}`, with: given } }
    const resource = { type, name, spec, ...defined({ absent }) }
    specs.set(workspace, JSON.stringify({ workspace, providers, resources: [resource] }))
  }
  let count = 0
  return {
    answers,
    secret: () => {
      const own = `${source}${secrets.size + 1}`
      // The secret is long enough for password rules, and has several kinds of characters.
      secrets.set(own, `Pp1-${digestOfText(deps.ids.uuid()).slice(-24)}`)
      return { secret: own }
    },
    ignore: (path) => {
      current = setAt(current, [...path, 'computed'], true)
    },
    object: (probed) => {
      const { type } = probed
      count += 1
      const workspace = `probe-${count}`
      const address = `${type}.${name}`
      const as = (spec: JsonObject, absent?: true): string => {
        declare(workspace, type, spec, absent)
        return workspace
      }
      return {
        type,
        look: (spec) => look(as(spec), address, deps, () => membersIn(probed, answers)),
        list: (spec) => list(as(spec), address, deps),
        ensure: (spec, absent) => ensure(as(spec, absent), actor, deps),
        undo: (spec, { inverses = [] }) => sendAll(as(spec), inverses, deps),
        sendStale: (spec) => sendStale(as(spec), actor, deps),
        remove: (spec) => remove(as(spec, true), deps),
      }
    },
  }
}

const look = async (
  workspace: string,
  address: string,
  deps: Deps,
  members: () => readonly string[],
): Promise<Observation> => {
  const { resources } = await openSession(workspace, deps)
  const one = resources.get(address)
  const result = one?.observed.result ?? {
    kind: 'unknown' as const,
    reason: 'unsupported' as const,
    detail: skips.notRead,
  }
  if (result.kind !== 'present') return result
  return { kind: 'present', attributes: one?.observed.raw ?? {}, ids: result.ids ?? {}, members: members() }
}

const membersIn = (probed: ProbedType, answers: readonly ObservedAnswer[]): readonly string[] => {
  const { retrieve } = probed.resource.operations
  const body = answers.findLast((each) => isAnswerTo(retrieve, each))?.body
  return isObject(body) ? Object.keys(body) : []
}

const list = async (workspace: string, address: string, deps: Deps): Promise<ListObservation | undefined> => {
  const { resources, transports } = await openSession(workspace, deps)
  const one = resources.get(address)
  const transport = transports.of('probed').read
  const listing = await one?.type?.list?.([one.target], { transport })
  if (listing?.kind === 'listed') return { kind: 'listed', identities: listing.objects.map(({ identity }) => identity) }
  return listing && { kind: 'unknown', detail: redactDetail(listing.detail, transports.redactor) }
}

/** A probe has its own store, so nobody else can hold the lock. */
const alone: Fence = {
  enter: async () => ({ mayLeave: () => true, signal: new AbortController().signal, end: () => {} }),
}

const remove = async (workspace: string, deps: Deps): Promise<void> => {
  const { plan } = await openSession(workspace, deps)
  return sendAll(
    workspace,
    plan.commands.map(({ request }) => request),
    deps,
  )
}

const sendAll = async (workspace: string, requests: readonly PlannedRequest[], deps: Deps): Promise<void> => {
  const session = await openSession(workspace, deps, alone)
  const { write } = session.transports.of('probed')
  const [address = ''] = session.resources.keys()
  for (const request of requests) await write.send(fillAll(request, valuesFor(address, session)))
}

/** Plans and makes the change, and then sends its first command once more, with the version from before the change. */
const sendStale = async (workspace: string, actor: Actor, deps: Deps): Promise<WriteResult | undefined> => {
  const session = await openSession(workspace, deps, alone)
  const command = session.plan.commands.find(
    ({ precondition }) => precondition?.kind === 'etag' || precondition?.kind === 'field',
  )
  if (command === undefined) return undefined
  const made = await ensure(workspace, actor, deps)
  if (!made.ok) return undefined
  const planned = withVersion(command, session)
  const response = await session.transports
    .of('probed')
    .write.send(fillAll(planned, valuesFor(command.address, session)))
  return {
    ok: isSuccess(command, meantStatus(command, response)),
    inverses: made.inverses ?? [],
    request: `${planned.method} ${urlWords(planned.url)}`,
    status: response.status,
  }
}

const ensure = async (workspace: string, actor: Actor, deps: Deps): Promise<WriteResult> => {
  const { run, plan } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
  if (plan === undefined) return { ok: false, said: run.error?.message ?? skips.noPlan }
  const [unchecked] = plan.unchecked
  if (unchecked !== undefined) return { ok: false, said: unchecked.detail }
  const [first] = plan.commands
  const blocked = plan.changes.find((change) => change.blocked !== undefined)?.blocked
  if (first === undefined) return blocked === undefined ? { ok: true } : { ok: false, said: blocked.detail }
  const { id } = await requestApply(
    { workspace, mode: 'execute', digest: plan.digests.commands, reason: 'probe', actor },
    deps,
  )
  return resultOf(await runApply({ workspace, applyId: id }, deps), plan.commands)
}

const resultOf = (
  { status, outcomes, error }: Apply,
  commands: readonly Pick<Command, 'id' | 'request' | 'inverse'>[],
): WriteResult => {
  const failed = outcomes.find((outcome) => !['succeeded', 'found_done'].includes(outcome.status))
  const last = failed ?? outcomes.at(-1)
  const request = commands.find(({ id }) => id === last?.command)?.request
  const left = outcomes.flatMap(({ command, status: done }) => (['skipped', 'blocked'].includes(done) ? [] : [command]))
  const inverses = commands.flatMap(({ id, inverse }) => (left.includes(id) ? present(inverse) : [])).toReversed()
  const said = failed?.detail ?? (failed === undefined && status === 'failed' ? error?.message : undefined)
  return {
    // Differences after the apply are not failures: the probe looks for them.
    ok: failed === undefined && (status === 'succeeded' || status === 'not_converged'),
    inverses,
    ...defined({
      sent: request,
      request: request && `${request.method} ${urlWords(request.url)}`,
      status: last?.httpStatus,
      said,
    }),
  }
}

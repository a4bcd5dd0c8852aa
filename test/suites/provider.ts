import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compare } from '../../core/diff/compare.ts'
import { normalise } from '../../core/diff/normalise.ts'
import { overlay } from '../../core/diff/overlay.ts'
import { AppError } from '../../core/errors.ts'
import type { PlannedChange, ResourceType } from '../../core/providers/provider.ts'
import type { Attribute } from '../../core/schema/attribute.ts'
import type { CommandDraft, Request, Response } from '../../core/schema/command.ts'
import { isSame } from '../../core/schema/diff.ts'
import type { JsonObject } from '../../core/schema/json.ts'
import type { ReadResult } from '../../core/schema/resource.ts'
import { readOnly } from '../../core/transport/read-only.ts'
import { resolveSecrets } from '../../core/transport/secrets/resolve-secrets.ts'
import type { Transport } from '../../core/transport/transport.ts'
import { changedPaths } from '../../core/values/changed-paths.ts'
import { urlWords } from '../../core/values/url.ts'
import { fillAll } from '../../core/workflows/apply/approved/fill-known.ts'
import { aSleepingClock } from '../builders/values/transports.ts'

/** One resource type in front of a system (real, or a server of the test's own) that does not have the resource yet. */
export interface ProviderCase {
  readonly type: ResourceType
  readonly transport: Transport
  /** Written attributes: first the resource as it is created, then what is declared instead of it, one after the other. */
  readonly declared: readonly [JsonObject, ...JsonObject[]]
  /** Secret values by source. */
  readonly secrets?: Readonly<Record<string, string>>
  readonly end?: () => Promise<void>
}

const address = 'suite.main'
const noAnswer = (code: 'REQUEST_FAILED' | 'RESPONSE_INVALID', reason?: 'network' | 'timeout') =>
  new AppError(code, {
    method: 'GET',
    url: 'http://suite.test/',
    detail: 'made to fail',
    ...(reason ? { reason } : {}),
  })

const failures: readonly [string, Response | AppError, string][] = [
  ...(
    [
      [401, 'unauthorised'],
      [403, 'forbidden'],
      [429, 'rate_limited'],
      [500, 'server_error'],
      [503, 'server_error'],
    ] as const
  ).map(
    ([status, reason]) =>
      [`status ${status}`, { status, headers: {}, body: null }, reason] as [string, Response, string],
  ),
  ['status 302', { status: 302, headers: {}, body: null }, 'unexpected_status'],
  ['a reset', noAnswer('REQUEST_FAILED', 'network'), 'network'],
  ['a time-out', noAnswer('REQUEST_FAILED', 'timeout'), 'timeout'],
  ['truncated JSON', noAnswer('RESPONSE_INVALID'), 'bad_body'],
  [
    'a page of HTML',
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>sign in</html>' },
    'bad_body',
  ],
]

/** What every provider owes to the promises; each provider's test calls it with its own types. */
export const describeProvider = (name: string, setup: () => Promise<ProviderCase>): void => {
  describe(`${name}: conformance`, () => {
    let system: ProviderCase
    beforeEach(async () => {
      system = await setup()
    })
    afterEach(() => system.end?.())

    it('facts name attributes that exist', () => {
      expect([...brokenFacts(system.type.schema.attributes, system.type.schema.attributes)]).toEqual([])
      const known = Object.keys(system.type.schema.attributes)
      for (const written of system.declared) {
        expect(known).toEqual(expect.arrayContaining(Object.keys(desiredOf(system.type, written))))
      }
    })

    it('a read of what is missing is absent', async () => {
      expect(await look(system, system.declared[0])).toEqual({ kind: 'absent' })
    })

    it('write, then read, and nothing more is planned, for each thing that is declared', async () => {
      for (const written of system.declared) {
        expect(await converge(system, written), JSON.stringify(written)).toBeGreaterThan(0)
        expect(await planned(system, written), JSON.stringify(written)).toBeUndefined()
      }
    })

    it('inverses bring back what stood there', async () => {
      const [first, ...others] = system.declared
      await converge(system, first)
      for (const written of others) {
        const before = await look(system, written)
        const change = await planned(system, written)
        const drafts = change ? system.type.commands(change) : []
        for (const draft of drafts) await sendDraft(system, draft)
        if (drafts.some(({ inverse }) => inverse === undefined)) continue
        for (const { inverse } of drafts.toReversed())
          if (inverse)
            await send(
              system,
              fillAll(inverse, () => undefined),
            )
        expect(withoutVersion(await look(system, written))).toEqual(withoutVersion(before))
      }
    })

    it('a delete removes it', async () => {
      await converge(system, system.declared[0])
      const change = await planned(system, system.declared[0], 'delete')
      for (const draft of change ? system.type.commands(change) : []) await sendDraft(system, draft)
      expect(await look(system, system.declared[0])).toEqual({ kind: 'absent' })
    })

    it('the same change gives the same commands, made of plain JSON, and the change stays as it is', async () => {
      for (const written of system.declared) {
        const change = await planned(system, written)
        if (change === undefined) continue
        const copy = structuredClone(change)
        const drafts = system.type.commands(change)
        expect(system.type.commands(structuredClone(change))).toEqual(drafts)
        expect(JSON.parse(JSON.stringify(drafts))).toEqual(drafts)
        expect(change).toEqual(copy)
        await converge(system, written)
      }
    })

    it.each(failures)('%s is unknown, whichever read it hits', async (_, failure, reason) => {
      await converge(system, system.declared[0])
      const reads = await countReads(system)
      expect(reads).toBeGreaterThan(0)
      for (let nth = 0; nth < reads; nth += 1) {
        expect(await look(failing(system, nth, failure), system.declared[0])).toMatchObject({ kind: 'unknown', reason })
      }
    })
  })
}

/** Paths of facts that point to nothing. */
function* brokenFacts(
  attributes: Readonly<Record<string, Attribute>>,
  top: Readonly<Record<string, Attribute>>,
  path = '',
): Generator<string> {
  for (const [name, attribute] of Object.entries(attributes)) {
    const here = `${path}/${name}`
    if (attribute.witness !== undefined && !Object.hasOwn(top, attribute.witness)) yield `${here}: witness`
    const element = attribute.element
    for (const key of attribute.key ?? []) {
      if (!Object.hasOwn(element?.attributes ?? {}, key)) yield `${here}: key ${key}`
    }
    if (element && !['list', 'set', 'map'].includes(attribute.type)) yield `${here}: element`
    if (attribute.attributes && attribute.type !== 'object') yield `${here}: attributes`
    yield* brokenFacts(attribute.attributes ?? {}, top, here)
    if (element) yield* brokenFacts({ element }, top, here)
  }
}

const desiredOf = (type: ResourceType, written: JsonObject): JsonObject => {
  const prepared = type.prepare?.(written) ?? { ok: true, attributes: written }
  if (!prepared.ok) throw new Error(JSON.stringify(prepared.problems))
  return normalise(type.schema, prepared.attributes, 'desired')
}

const resolving = ({ transport, secrets = {} }: ProviderCase): Transport =>
  resolveSecrets(transport, {
    allowed: new Set(Object.keys(secrets)),
    secrets: { resolve: async (source) => secrets[source] ?? expect.unreachable(source) },
    clock: aSleepingClock(),
    random: () => 0,
  })

/** Every read of the suite goes through the transport of a check: a provider that writes while reading fails all tests. */
const look = (system: ProviderCase, written: JsonObject): Promise<ReadResult> =>
  system.type.read({ address, attributes: desiredOf(system.type, written) }, { transport: readOnly(resolving(system)) })

const planned = async (
  system: ProviderCase,
  written: JsonObject,
  wanted?: 'delete',
): Promise<PlannedChange | undefined> => {
  const { schema } = system.type
  const desired = desiredOf(system.type, written)
  const found = await look(system, written)
  if (found.kind === 'unknown') throw new Error(`${found.reason}: ${found.detail}`)
  const before = found.kind === 'present' ? normalise(schema, found.attributes, 'observed', desired) : null
  const after = wanted === 'delete' ? null : overlay(schema, desired, before ?? {})
  const diff = compare(schema, before, after)
  if (isSame(diff)) return undefined
  const { ids, version } = found.kind === 'present' ? found : {}
  return {
    address,
    action: wanted ?? (before === null ? 'create' : 'update'),
    desired,
    before,
    after,
    diff,
    changed: changedPaths(diff),
    ...(ids ? { ids } : {}),
    ...(version === undefined ? {} : { version }),
  }
}

/** Sends what is planned; answers how many commands that were. */
const converge = async (system: ProviderCase, written: JsonObject): Promise<number> => {
  const change = await planned(system, written)
  const drafts = change ? system.type.commands(change) : []
  for (const draft of drafts) await sendDraft(system, draft)
  return drafts.length
}

const send = (system: ProviderCase, request: Request): Promise<Response> => resolving(system).send(request)

const sendDraft = async (system: ProviderCase, { request, success, precondition }: CommandDraft): Promise<void> => {
  const headers =
    precondition?.kind === 'etag' ? { ...request.headers, 'if-match': precondition.etag } : request.headers
  const { status, body } = await send(system, { ...fillAll(request, () => undefined), ...(headers ? { headers } : {}) })
  const fits = success ? success.includes(status) : status >= 200 && status < 300
  expect(fits, `${request.method} ${urlWords(request.url)}: ${status} ${JSON.stringify(body)}`).toBe(true)
}

const withoutVersion = (result: ReadResult): object =>
  result.kind === 'present' ? { kind: result.kind, attributes: result.attributes } : result

const countReads = async (system: ProviderCase): Promise<number> => {
  let reads = 0
  const transport: Transport = {
    send: (request, signal) => {
      reads += 1
      return system.transport.send(request, signal)
    },
  }
  await look({ ...system, transport }, system.declared[0])
  return reads
}

const failing = (system: ProviderCase, nth: number, failure: Response | AppError): ProviderCase => {
  let reads = 0
  const transport: Transport = {
    send: async (request, signal) => {
      if (reads++ !== nth) return system.transport.send(request, signal)
      if (failure instanceof AppError) throw failure
      return failure
    },
  }
  return { ...system, transport }
}

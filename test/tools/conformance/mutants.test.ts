import { describe, expect, it } from 'vitest'
import type { PlannedChange, ReadDeps, ResourceType, Target } from '../../../core/engine/provider/provider.ts'
import type { CommandDraft, Request } from '../../../core/engine/schema/command.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { PresentResult, ReadResult } from '../../../core/engine/schema/resource.ts'
import { conformanceCases } from '../../../core/tools/conformance/index.ts'
import { lawCases } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'
import { acmeCase, acmeToken } from '../../builders/workspaces/acme-case.ts'

type Mutant = (type: ResourceType) => ResourceType

const auth = {
  kind: 'header',
  name: 'Authorization',
  template: 'Bearer {secret}',
  secret: { $secret: 'env:ACME_TOKEN' },
} as const

const originOf = (type: ResourceType): string => {
  const change = { action: 'delete', before: { name: 'x' } } as unknown as PlannedChange
  return new URL(String(type.commands(change)[0]?.request.url)).origin
}

const reading =
  (read: (found: ReadResult, target: Target, deps: ReadDeps, type: ResourceType) => unknown): Mutant =>
  (type) => ({
    ...type,
    read: async (target, deps) => (await read(await type.read(target, deps), target, deps, type)) as ReadResult,
  })

const present = (change: (found: PresentResult) => object): Mutant =>
  reading((found) => (found.kind === 'present' ? { ...found, ...change(found) } : found))

const commanding =
  (change: (drafts: readonly CommandDraft[], change: PlannedChange) => unknown): Mutant =>
  (type) => ({ ...type, commands: (planned) => change(type.commands(planned), planned) as readonly CommandDraft[] })

const each = (change: (draft: CommandDraft) => object): Mutant =>
  commanding((drafts) => drafts.map((draft) => ({ ...draft, ...change(draft) })))

const request = (change: (request: Request) => object): Mutant =>
  each((draft) => ({ request: { ...draft.request, ...change(draft.request as Request) } }))

const swallowing = (type: ResourceType, found: ReadResult): ResourceType => ({
  ...type,
  read: async (target, deps) => {
    try {
      return await type.read(target, deps)
    } catch {
      return found
    }
  },
})

/** The list of the API, as a good provider asks for it. */
const listing =
  (change: (names: readonly string[]) => readonly string[] = (names) => names): Mutant =>
  (type) => ({
    ...type,
    list: async (_, { transport }) => {
      const { status, body } = await transport.send({
        method: 'GET',
        url: `${originOf(type)}/apps`,
        effect: 'read',
        auth,
      })
      const reason =
        status === 401
          ? 'unauthorised'
          : status === 403
            ? 'forbidden'
            : status === 429
              ? 'rate_limited'
              : status >= 500
                ? 'server_error'
                : 'unexpected_status'
      if (status !== 200) return { kind: 'unknown', reason, detail: `status ${status}` }
      if (!Array.isArray(body)) return { kind: 'unknown', reason: 'bad_body', detail: 'no list' }
      return { kind: 'listed', objects: change(body as string[]).map((name) => ({ identity: { name } })) }
    },
  })

const counter = () => {
  let count = 0
  return () => (count += 1)
}

const deleteOnly = (change: (drafts: readonly CommandDraft[]) => readonly unknown[]): Mutant =>
  commanding((drafts, { action }) => (action === 'delete' ? change(drafts) : drafts))

/** What is broken -> the case that finds it. */
const mutants: Record<string, readonly [Mutant, string]> = {
  'a read that writes': [
    reading((found, { attributes: { name } }, { transport }, type) =>
      transport
        .send({ method: 'PUT', url: `${originOf(type)}/apps/${name}/size`, effect: 'write', body: { value: 1 }, auth })
        .then(() => found),
    ),
    'a read sends nothing but reads, and changes nothing',
  ],
  'a read that writes, and hides the refusal': [
    reading((found, { attributes: { name } }, { transport }, type) =>
      transport
        .send({ method: 'PUT', url: `${originOf(type)}/apps/${name}/size`, effect: 'write', body: { value: 1 }, auth })
        .then(
          () => found,
          () => found,
        ),
    ),
    'a read sends nothing but reads, and changes nothing',
  ],
  'a delete that is declared as a read': [
    reading((found, _, { transport }, type) =>
      transport.send({ method: 'DELETE', url: `${originOf(type)}/apps/x`, effect: 'read', auth }).then(
        () => found,
        () => found,
      ),
    ),
    'a read sends nothing but reads, and changes nothing',
  ],
  'a read that sends nothing': [
    (type) => ({ ...type, read: async () => ({ kind: 'absent' }) }),
    'a read sends nothing but reads, and changes nothing',
  ],
  'a read that is different each time': [
    (type) => {
      const next = counter()
      return present(({ attributes }) => ({ attributes: { ...attributes, size: next() } }))(type)
    },
    'a read sends nothing but reads, and changes nothing',
  ],
  'a failed read is absent': [
    reading((found) => (found.kind === 'unknown' ? { kind: 'absent' } : found)),
    'status 500 is unknown, whichever read it hits',
  ],
  'a refused read is absent': [
    reading((found) => (found.kind === 'unknown' && found.reason === 'forbidden' ? { kind: 'absent' } : found)),
    'status 403 is unknown, whichever read it hits',
  ],
  'a reset is absent': [(type) => swallowing(type, { kind: 'absent' }), 'a reset is unknown, whichever read it hits'],
  'a time-out is an outage of the network': [
    (type) => swallowing(type, { kind: 'unknown', reason: 'network', detail: 'no answer' }),
    'a time-out is unknown, whichever read it hits',
  ],
  'a page of a proxy is an object': [
    reading((found, { attributes }) =>
      found.kind === 'unknown' && found.reason === 'bad_body' ? { kind: 'present', attributes } : found,
    ),
    'a page of HTML is unknown, whichever read it hits',
  ],
  'a read that throws': [
    reading(() => {
      throw new TypeError('no property of undefined')
    }),
    'write, then read, and nothing more is planned, for each thing that is declared',
  ],
  'everything is absent': [
    reading(() => ({ kind: 'absent' })),
    'write, then read, and nothing more is planned, for each thing that is declared',
  ],
  'everything is present': [
    reading((found, { attributes }) => (found.kind === 'absent' ? { kind: 'present', attributes } : found)),
    'an object that is missing is absent',
  ],
  'the first object is everybody': [
    (type) => {
      let first: string | undefined
      return {
        ...type,
        read: (target, deps) => {
          first ??= String(target.attributes['name'])
          return type.read({ ...target, attributes: { ...target.attributes, name: first } }, deps)
        },
      }
    },
    'the object of other keys is another object',
  ],
  'an attribute that the answer has is left out': [
    present(({ attributes: { size: _, ...rest } }) => ({ attributes: rest })),
    'write, then read, and nothing more is planned, for each thing that is declared',
  ],
  'a create that leaves a value out': [
    commanding((drafts, { action }) => (action === 'create' ? drafts.slice(0, 1) : drafts)),
    'write, then read, and nothing more is planned, for each thing that is declared',
  ],
  'a modify that adds something each time': [
    (type) => {
      const next = counter()
      return commanding((drafts, { after }) => {
        const extra = type.commands({
          action: 'update',
          before: { ...after, plugins: {} },
          after: { ...after, plugins: { [`extra${next()}`]: '1' } },
        } as unknown as PlannedChange)
        return [...drafts, ...(after === null ? [] : extra)]
      })(type)
    },
    'write, then read, and nothing more is planned, for each thing that is declared',
  ],
  'a command that does not say what it sets': [
    commanding((drafts) => drafts.map(({ footprint: _, ...draft }) => draft)),
    'write, then read, and nothing more is planned, for each thing that is declared',
  ],
  'a modify without commands': [
    commanding((drafts, { action }) => (action === 'update' ? [] : drafts)),
    'write, then read, and nothing more is planned, for each thing that is declared',
  ],
  'a write that the API refuses': [
    request(() => ({ auth: undefined })),
    'write, then read, and nothing more is planned, for each thing that is declared',
  ],
  'a version that never changes': [present(() => ({ version: '"1"' })), 'a version changes with its object'],
  'an inverse of something else': [
    each(({ action, request }) => (action === 'update' ? { inverse: request } : {})),
    'inverses restore what was there',
  ],
  'a delete that deletes something else': [
    deleteOnly((drafts) =>
      drafts.map((draft) => ({
        ...draft,
        request: { ...draft.request, url: `${draft.request.url}x` },
        success: [204, 404],
      })),
    ),
    'a delete removes the object, and a second one is not planned',
  ],
  'a delete without commands': [deleteOnly(() => []), 'a delete removes the object, and a second one is not planned'],
  'commands in another order each time': [
    (type) => {
      const next = counter()
      return commanding((drafts) => (next() % 2 === 0 ? drafts.toReversed() : drafts))(type)
    },
    'the same change gives the same commands, made of plain JSON, and the change stays as it is',
  ],
  'commands with the time': [
    (type) => {
      const next = counter()
      return each(({ description }) => ({ description: `${description} at ${next()}` }))(type)
    },
    'the same change gives the same commands, made of plain JSON, and the change stays as it is',
  ],
  'commands that are not JSON': [
    request(({ body }) => (body === undefined ? {} : { body: { ...(body as JsonObject), at: new Date(0) } })),
    'the same change gives the same commands, made of plain JSON, and the change stays as it is',
  ],
  'commands that change the change': [
    commanding((drafts, change) => {
      ;(change.desired as Record<string, unknown>)['touched'] = true
      return drafts
    }),
    'the same change gives the same commands, made of plain JSON, and the change stays as it is',
  ],
  'a command that is declared as a read': [request(() => ({ effect: 'read' })), 'each command is one complete write'],
  'a method in lower case': [
    request(({ method }) => ({ method: method.toLowerCase() })),
    'each command is one complete write',
  ],
  'a relative URL': [
    each(({ inverse }) => (inverse === undefined ? {} : { inverse: { ...inverse, url: '/apps' } })),
    'each command is one complete write',
  ],
  'a description of two lines': [each(() => ({ description: 'set\nsize' })), 'each command is one complete write'],
  'a reversible command without an inverse': [
    commanding((drafts) => drafts.map(({ inverse: _, ...draft }) => ({ ...draft, grade: 'reversible' }))),
    'each command is one complete write',
  ],
  'a secret in a description': [
    each(() => ({ description: `with ${acmeToken}` })),
    'no command and no reason contains a secret',
  ],
  'a secret in a header': [
    request(() => ({ headers: { 'x-token': acmeToken } })),
    'no command and no reason contains a secret',
  ],
  'a secret in an error': [
    reading((found) => (found.kind === 'unknown' ? { ...found, detail: `refused ${acmeToken}` } : found)),
    'no command and no reason contains a secret',
  ],
  'a fact about nothing': [
    (type) => ({
      ...type,
      schema: {
        attributes: {
          ...type.schema.attributes,
          tags: { type: 'set', key: ['id'], element: { type: 'object', attributes: {} } },
        },
      },
    }),
    'facts name attributes that exist',
  ],
  'an attribute without facts': [
    (type) => {
      const { plugins: _, ...attributes } = type.schema.attributes
      return { ...type, schema: { attributes } }
    },
    'facts name attributes that exist',
  ],
  'a list that forgets': [listing(() => []), 'a list has what was created, and does not have what was deleted'],
  'a list of what is gone': [
    listing((names) => [...names, 'a shop']),
    'a list has what was created, and does not have what was deleted',
  ],
  'a list that is empty when it fails': [
    (type) => {
      const good = listing()(type)
      return {
        ...good,
        list: async (scope, deps) => {
          const listed = await good.list?.(scope, deps)
          return listed?.kind === 'listed' ? listed : { kind: 'listed', objects: [] }
        },
      }
    },
    'status 503 is unknown, whichever request of a list it hits',
  ],
}

/** Names of the cases that fail, with the reason. */
const failing = async (mutant: Mutant): Promise<ReadonlyMap<string, string>> => {
  const failed = new Map<string, string>()
  for (const { name, run } of conformanceCases(() => acmeCase(mutant))) {
    await run().catch((error: unknown) => failed.set(name, String(error)))
  }
  return failed
}

describe('a broken provider is detected', () => {
  it.each(lawCases(Object.entries(mutants), 8))('by a case of the suite: %s', async (_, [mutant, by]) => {
    expect([...(await failing(mutant)).keys()]).toContain(by)
  })

  it('while a good one passes, with a list and without', long, async () => {
    expect(await failing((type) => type)).toEqual(new Map())
    expect(await failing(listing())).toEqual(new Map())
  })

  it('and each case detects some broken provider', () => {
    const found = new Set(Object.values(mutants).map(([, by]) => by))
    const kinds = conformanceCases(acmeCase).map(({ name }) => name.replace(/^.* is unknown, /, ''))
    const foundKinds = new Set([...found].map((name) => name.replace(/^.* is unknown, /, '')))
    expect(kinds.filter((kind) => !foundKinds.has(kind))).toEqual([])
  })
})

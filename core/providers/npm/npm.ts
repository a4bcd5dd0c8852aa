import type * as z from 'zod'
import { AppError } from '../../engine/errors/errors.ts'
import type { Listing } from '../../engine/provider/listing.ts'
import type { Guest, Packages } from '../../engine/provider/package.ts'
import type {
  Configured,
  PlannedChange,
  Prepared,
  ProviderFactory,
  ProviderInput,
  ReadDeps,
  ResourceType,
  Target,
} from '../../engine/provider/provider.ts'
import type { CommandDraft, Request } from '../../engine/schema/command.ts'
import type { Diagnostic } from '../../engine/schema/issue.ts'
import { isObject, type Json, type JsonObject } from '../../engine/schema/json.ts'
import type { ReadResult } from '../../engine/schema/resource.ts'
import { confined, isWithinUrls, readBaseUrls } from '../../engine/transport/confined.ts'
import { defined, present } from '../../engine/values/defined.ts'
import { urlWords } from '../../engine/values/url.ts'
import {
  commandsShape,
  configuredShape,
  listShape,
  preparedShape,
  problemsShape,
  readShape,
  requestShape,
  type typeShape,
  urlShape,
} from './shapes.ts'
import { answers, refusals } from './words.ts'

/** `source: npm:@acme/plumbline-provider@1.2.3`. */
export const npm = (packages: Packages): ProviderFactory => {
  const opened = new Map<string, OpenedPackage>()
  return { configure: (input) => configure(input, packages, opened) }
}

/** A configured package. A workspace is loaded for each check, and a package is a thread: equal entries share it. */
interface OpenedPackage {
  readonly guest: Guest
  readonly configured: Configured
}

const openOnce = (
  opened: Map<string, OpenedPackage>,
  mostOpened: number,
  key: string,
  open: () => OpenedPackage,
): Configured => {
  const known = opened.get(key)
  opened.delete(key)
  if (known?.guest.isOpen()) {
    // The one that was not used for the longest time stands first.
    opened.set(key, known)
    return known.configured
  }
  const [oldest, old] = opened.size < mostOpened ? [] : ([...opened][0] ?? [])
  old?.guest.close()
  if (oldest !== undefined) opened.delete(oldest)
  const fresh = open()
  if (fresh.configured.ok) opened.set(key, fresh)
  else fresh.guest.close()
  return fresh.configured
}

const configure = (input: ProviderInput, packages: Packages, opened: Map<string, OpenedPackage>): Configured => {
  const refuse = (refusal: Omit<Diagnostic, 'code'>, value = input.source ?? ''): Configured => ({
    ok: false,
    issues: [{ ...input.position, ...refusal, value }],
  })
  const { alias, source = '' } = input
  const named = /^npm:((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)@(\d+\.\d+\.\d+(?:-[\w.-]+)?)$/.exec(
    source,
  )
  const [, name, version] = named ?? []
  if (name === undefined || version === undefined) return refuse(refusals.form(alias))
  const origin = refusals[packages.origin]
  if (packages.origin === 'installed' && input.folder === undefined) return refuse(refusals.noFolder(alias))
  if (!packages.isAllowed(name)) return refuse(refusals.notAllowed(alias, name))
  const baseUrls = readBaseUrls(input.baseUrls ?? [])
  if (baseUrls === undefined) return refuse(refusals.baseUrls(alias), JSON.stringify(input.baseUrls ?? []))
  const found = packages.find({ name, version, folder: input.folder })
  if (found.kind === 'missing') return refuse(origin.missing(alias, source))
  if (found.kind === 'unusable') return refuse(refusals.unusable(alias, found.detail))
  if (found.kind === 'otherVersion') return refuse(origin.version(alias, source, found.versions))
  if (input.integrity === undefined) return refuse(refusals.noIntegrity(alias, found.integrity))
  if (input.integrity !== found.integrity) return refuse(origin.integrity(alias, found.integrity), input.integrity)
  try {
    const { integrity, with: given, position } = input
    return openOnce(
      opened,
      packages.mostOpened,
      JSON.stringify([name, integrity, alias, given, position, baseUrls]),
      () => {
        const guest = packages.open(found.code, name)
        return { guest, configured: configureGuest(guest, input, baseUrls, name) }
      },
    )
  } catch (error) {
    if (error instanceof AppError && error.code === 'PROVIDER_PACKAGE_FAILED')
      return refuse(refusals.failed(alias, error.message))
    throw error
  }
}

const configureGuest = (guest: Guest, input: ProviderInput, baseUrls: readonly string[], name: string): Configured => {
  const { alias, position, with: given } = input
  const checked = checkedBy(name)
  const answer = checked(
    'configure',
    configuredShape,
    guest.call('configure', [{ alias, with: given, position: { ...position } } as unknown as Json]),
  )
  if (!answer.ok) {
    const issues = answer.issues.map(({ message, fix }) => ({ ...position, ...refusals.failed(alias, message), fix }))
    return { ok: false, issues }
  }
  const types = answer.types.map((type) => typeOf(type, { guest, baseUrls, checked }))
  const places = present(...baseUrls, answer.home)
  // Nothing else of a provider is taken from a package: no roots, no programs, no socket, no limits.
  return {
    ok: true,
    provider: {
      types: Object.fromEntries(types.map((type) => [type.name, type])),
      baseUrls,
      ...defined({ home: places.length === 0 ? undefined : places.join(' ') }),
    },
  }
}

type AnswerCheck = <Value>(op: string, shape: z.ZodType<Value>, answer: Json) => Value

const checkedBy =
  (name: string): AnswerCheck =>
  (op, shape, answer) => {
    const parsed = shape.safeParse(answer)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw failed(name, answers.invalid(op, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`))
  }

const failed = (name: string, detail: string): AppError => new AppError('PROVIDER_PACKAGE_FAILED', { name, detail })

interface GuestContext {
  readonly guest: Guest
  readonly baseUrls: readonly string[]
  readonly checked: AnswerCheck
}

/** A type whose functions run in the sandbox. */
const typeOf = (
  { calls, ...facts }: z.infer<typeof typeShape>,
  { guest, baseUrls, checked }: GuestContext,
): ResourceType => {
  const { name } = facts
  const has = (call: (typeof calls)[number]): boolean => calls.includes(call)
  const guarded = (deps: ReadDeps): ReadDeps => {
    const within = confined(deps.transport, baseUrls)
    // A request that is not exactly of the shape is not sent.
    const send = (request: Request, signal?: AbortSignal) =>
      within.send(checked('a request', requestShape, request as unknown as Json) as Request, signal)
    return { ...deps, transport: { send } }
  }
  return {
    ...(facts as Omit<ResourceType, 'read' | 'commands'>),
    read: async (target, deps) =>
      checked('read', readShape, await guest.ask('read', [name, plainTarget(target)], guarded(deps))) as ReadResult,
    commands: (change) => {
      const drafts = checked('commands', commandsShape, guest.call('commands', [name, plainChange(change)]))
      for (const { request, inverse } of drafts)
        for (const each of inverse === undefined ? [request] : [request, inverse])
          if (!isWithinUrls(each.url, baseUrls)) throw failed(name, answers.url(urlWords(each.url)))
      return drafts as readonly CommandDraft[]
    },
    ...(has('prepare') && {
      prepare: (written: JsonObject) =>
        checked('prepare', preparedShape, guest.call('prepare', [name, written])) as Prepared,
    }),
    ...(has('validate') && {
      validate: (attributes: JsonObject) =>
        checked('validate', problemsShape, guest.call('validate', [name, attributes])),
    }),
    ...(has('urlOf') && {
      urlOf: (attributes: JsonObject) =>
        checked('urlOf', urlShape, guest.call('urlOf', [name, attributes])) ?? undefined,
    }),
    ...(has('list') && {
      list: async (scope: readonly Target[], deps: ReadDeps) =>
        checked('list', listShape, await guest.ask('list', [name, scope.map(plainTarget)], guarded(deps))) as Listing,
    }),
  }
}

const plainTarget = ({ address, attributes, ids, leaving, isRecorded }: Target): JsonObject =>
  plain({ address, attributes, ids, leaving, isRecorded })

/** Without the objects as they were read, which hold secrets in clear, and without the key of digests. */
const plainChange = ({ seal: _, objects: __, archived: ___, ...change }: PlannedChange): JsonObject => plain(change)

const plain = (value: object): JsonObject => {
  const copy: Json = JSON.parse(JSON.stringify(defined({ ...value })))
  return isObject(copy) ? copy : {}
}

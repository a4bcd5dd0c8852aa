import { parseDocument as parseText } from '../../config/parse-document.ts'
import { AppError, asAppError } from '../../errors.ts'
import { parseDocument } from '../../providers/rest/parse-document.ts'
import type { Json, JsonObject, Path } from '../../schema/json.ts'
import type { ProbeFinding, ProbeObject, ProbeReport } from '../../schema/probe-report.ts'
import type { Actor } from '../../schema/records.ts'
import type { Position } from '../../schema/resource.ts'
import type { NamedText } from '../check-provider.ts'
import type { Deps } from '../deps.ts'
import {
  chooseProbed,
  type GivenValues,
  type MadeSpec,
  makeSpec,
  namedIn,
  type ProbedType,
  whyNot,
} from './probe-plan.ts'
import { judgeCreated, movingIn, probeUpdates, type Unplaced } from './probe-type.ts'
import { createProbeWorld, type ProbeHandle, type ProbeWorld, type Seen } from './probe-world.ts'

export interface ProbeInput {
  readonly document: NamedText
  /** Files that `with` names. */
  readonly files: Readonly<Record<string, string>>
  /** As a workspace writes it under `with`. */
  readonly with: JsonObject
  /** All when empty. */
  readonly types: readonly string[]
  readonly given: GivenValues
  readonly actor: Actor
  /** Asked once, before anything is sent that is no read. */
  readonly confirm: (objects: readonly ProbeObject[]) => Promise<boolean>
  /** Asked between two steps: what was made is taken away then. */
  readonly shouldStop: () => boolean
}

/** An object that was made, or may have been; its spec is what it is found under. */
interface Made {
  readonly handle: ProbeHandle
  spec: JsonObject
  readonly object: ProbeObject
  /** The server took the create. */
  isTaken: boolean
  isSeen: boolean
}

/** All that is learnt on the way. */
interface Probing {
  readonly input: ProbeInput
  readonly world: ProbeWorld
  readonly suffix: string
  /** Of an attribute, or of a type. */
  readonly path: (type: string, attribute?: string) => Path
  readonly place: (type: string, found: Unplaced) => ProbeFinding
  readonly findings: ProbeFinding[]
  readonly skipped: ProbeReport['skipped'][number][]
  readonly made: Made[]
  readonly known: Map<string, JsonObject>
}

/**
 * Makes objects of a document's types at a live server, looks how they come back, sets what can be set, and takes them away
 * again, whatever happens. `undefined`: nobody agreed, and nothing was sent. Throws CONFIG_INVALID, USAGE. The store of
 * `deps` is filled with what nobody needs afterwards.
 */
export const probeProvider = async (input: ProbeInput, deps: Deps): Promise<ProbeReport | undefined> => {
  const { document, actor, files } = input
  const { value = null, issues, locate } = parseText(document.name, document.text)
  const parsed = issues.length > 0 ? undefined : parseDocument({ file: document.name, value, locate })
  if (parsed?.ok !== true) throw new AppError('CONFIG_INVALID', { issues: parsed?.issues ?? issues })
  const known = Object.keys(parsed.document.resources)
  const unknown = [...input.types, ...Object.keys(input.given)].find((type) => !known.includes(type))
  if (unknown !== undefined)
    throw new AppError('USAGE', { detail: `the document has no type "${unknown}"; it has ${known.join(', ')}` })
  const probed = chooseProbed(parsed.document, input.types)
  const path: Probing['path'] = (type, attribute) => pathOf(probed, type, attribute)
  const probing: Probing = {
    input,
    world: createProbeWorld(value, files, input.with, actor, deps),
    suffix: deps.ids.ulid().slice(-8).toLowerCase(),
    path,
    place: (type, found) => ({ ...locate(path(type, found.attribute)), type, ...found }),
    findings: [],
    skipped: [],
    made: [],
    known: new Map(),
  }
  if (!(await input.confirm(intended(probed, probing)))) return undefined
  const left = await probeAndClean(probed, probing)
  return {
    document: document.name,
    findings: distinct(probing.findings).toSorted(byPlace),
    skipped: probing.skipped,
    made: probing.made.map(({ object }) => object),
    left,
    interrupted: input.shouldStop(),
  }
}

/** What a create and an update both showed is told once. */
const distinct = (findings: readonly ProbeFinding[]): readonly ProbeFinding[] => {
  const keyOf = ({ type, attribute, message, add }: ProbeFinding): string =>
    JSON.stringify([type, attribute, message, add])
  return findings.filter((one, index) => findings.findIndex((other) => keyOf(other) === keyOf(one)) === index)
}

const byPlace = (one: Position, other: Position): number => one.line - other.line || one.column - other.column

const pathOf = (probed: readonly ProbedType[], type: string, attribute: string | undefined): Path => {
  const parts = probed.find((one) => one.type === type)?.resource.parts ?? []
  const index = parts.findIndex(
    (part) =>
      attribute !== undefined &&
      (Object.hasOwn(part.attributes ?? {}, attribute) || part.collection?.field === attribute),
  )
  const head = ['resources', type]
  if (index < 0 || attribute === undefined) return head
  const inner = parts[index]?.collection?.field === attribute ? ['collection'] : ['attributes', attribute]
  return [...head, 'parts', index, ...inner]
}

const specFor = (one: ProbedType, probing: Probing, suffix: string, also: readonly string[] = []): MadeSpec =>
  makeSpec(one, { suffix, given: probing.input.given, secret: probing.world.secret, made: probing.known }, also)

const identityOf = ({ resource }: ProbedType, spec: JsonObject): JsonObject =>
  Object.fromEntries(resource.identity.keys.map((key): [string, Json] => [key, spec[key] ?? null]))

/** What will be made, for somebody to agree to: an id that a server will make is not known yet. */
const intended = (probed: readonly ProbedType[], probing: Probing): readonly ProbeObject[] => {
  const planned = { ...probing, known: new Map<string, JsonObject>() }
  return probed.flatMap((one) => {
    if (whyNot(one) !== undefined) return []
    const suffixes = one.isParent ? [probing.suffix] : [probing.suffix, secondOf(probing.suffix)]
    return suffixes.map((suffix) => {
      const made = specFor(one, planned, suffix)
      const spec = made.ok ? made.spec : {}
      if (suffix === probing.suffix) planned.known.set(one.type, spec)
      return { type: one.type, identity: identityOf(one, spec) }
    })
  })
}

/** Neither is part of the other. */
const secondOf = (suffix: string): string => [...suffix].toReversed().join('')

const probeAndClean = async (probed: readonly ProbedType[], probing: Probing): Promise<ProbeReport['left']> => {
  for (const one of probed) {
    if (probing.input.shouldStop()) break
    await probeOne(one, probing)
  }
  return clean(probing)
}

/** The last first: others may be inside of the first. */
const clean = async (probing: Probing): Promise<ProbeReport['left']> => {
  const left: ProbeReport['left'][number][] = []
  for (const made of probing.made.toReversed()) {
    const detail = await takeAway(made)
    if (detail !== undefined) left.push({ ...made.object, detail })
  }
  return left
}

/** Why an object is still there; `undefined` where it is gone. */
const takeAway = async ({ handle, spec, isTaken, isSeen }: Made): Promise<string | undefined> => {
  try {
    const done = await handle.bring(spec, true)
    if (!done.ok && done.status === undefined) await handle.remove(spec)
    const seen = await handle.look(spec)
    if (seen.kind === 'unknown') return seen.detail
    if (seen.kind === 'present')
      return done.ok ? 'it is still found after its delete' : (done.said ?? 'its delete was refused')
    return isTaken && !isSeen ? 'it was made and never found again: look for it under another spelling' : undefined
  } catch (error) {
    return asAppError(error).message
  }
}

const probeOne = async (one: ProbedType, probing: Probing): Promise<void> => {
  const skip = (detail: string): void => void probing.skipped.push({ type: one.type, detail })
  const reason = whyNot(one)
  if (reason !== undefined) return skip(reason)
  try {
    const made = await make(one, probing, probing.suffix)
    if ('detail' in made) return skip(made.detail)
    if (one.isParent) return
    probing.findings.push(...(await learn(one, made, probing)).map((found) => probing.place(one.type, found)))
  } catch (error) {
    skip(asAppError(error).message)
  }
}

type Present = Extract<Seen, { readonly kind: 'present' }>
type Done = Awaited<ReturnType<ProbeHandle['bring']>>
interface New {
  readonly own: Made
  readonly seen: Present
  readonly done: Done
  /** As it was asked for, where the server found another spelling of what identifies it. */
  readonly asked: JsonObject
  /** What the server would not do without. */
  readonly demanded: readonly string[]
}
type NotMade = { readonly detail: string }

/** Makes an object that is not there; whatever else is found is left alone. */
const make = async (one: ProbedType, probing: Probing, suffix: string): Promise<New | NotMade> => {
  const first = specFor(one, probing, suffix)
  if (!first.ok) return { detail: whyNoValue(one, first.attribute) }
  const handle = probing.world.handle(one.type)
  const before = await handle.look(first.spec)
  if (before.kind === 'unknown') return { detail: `whether it is there cannot be read: ${before.detail}` }
  if (before.kind === 'present') return { detail: 'an object of that identity is there already, and is left alone' }
  const object = { type: one.type, identity: identityOf(one, first.spec) }
  const own: Made = { handle, spec: first.spec, object, isTaken: false, isSeen: false }
  probing.made.push(own)
  const { done, demanded } = await create(one, own, probing, suffix)
  if (!done.ok) {
    const answered = done.status === undefined ? 'failed' : `answered ${done.status}`
    const fix = `give what it needs with --set ${one.type}.<attribute>=...`
    return { detail: `its create ${answered}: ${done.said ?? ''}; ${fix}` }
  }
  own.isTaken = true
  const asked = own.spec
  const seen = await find(own, suffix)
  if (seen.kind !== 'present') {
    const detail = seen.kind === 'unknown' ? `: ${seen.detail}` : ', as if it had never been made'
    return { detail: `it was made and is not found${detail}` }
  }
  own.isSeen = true
  if (suffix === probing.suffix) probing.known.set(one.type, { ...own.spec, ...seen.attributes, ...seen.ids })
  return { own, seen, done, asked, demanded }
}

const whyNoValue = ({ type, entries }: ProbedType, attribute: string): string => {
  const parent = entries[attribute]?.refersTo?.type
  const reason =
    parent === undefined ? `no value can be made up for ${attribute}` : `there is no ${parent} for ${attribute}`
  return `${reason}; give one with --set ${type}.${attribute}=...`
}

/** Tries again with what the refusal names, as long as it names something that was not sent. */
const create = async (
  one: ProbedType,
  own: Made,
  probing: Probing,
  suffix: string,
): Promise<{ readonly done: Done; readonly demanded: readonly string[] }> => {
  const demanded: string[] = []
  for (;;) {
    const done = await own.handle.bring(own.spec)
    const named = done.ok || done.status === undefined ? [] : namedIn(one, done.said ?? '', own.spec)
    const more = specFor(one, probing, suffix, [...demanded, ...named])
    if (named.length === 0 || !more.ok) return { done, demanded }
    demanded.push(...named)
    own.spec = more.spec
  }
}

/** Under its name; else in the list, for the suffix is in no other name: the server may spell it otherwise. */
const find = async (own: Made, suffix: string): Promise<Seen> => {
  const seen = await own.handle.look(own.spec)
  if (seen.kind !== 'absent') return seen
  const listed = (await own.handle.list(own.spec)) ?? []
  const [only, another] = listed.filter((identity) => holdsText(identity, suffix))
  if (only === undefined || another !== undefined) return seen
  own.spec = { ...own.spec, ...only }
  return own.handle.look(own.spec)
}

const holdsText = (identity: JsonObject, text: string): boolean =>
  Object.values(identity).some((value) => typeof value === 'string' && value.toLowerCase().includes(text))

const learn = async (
  one: ProbedType,
  { own, seen, done, asked, demanded }: New,
  probing: Probing,
): Promise<readonly Unplaced[]> => {
  const { input, suffix, world, known } = probing
  const again = await own.handle.look(own.spec)
  const moving = again.kind === 'present' ? movingIn(one, seen.attributes, again.attributes) : []
  for (const name of moving) world.ignore(probing.path(one.type, name))
  const second = await make(one, probing, secondOf(suffix))
  const other = 'seen' in second ? second.seen : undefined
  const created = judgeCreated({ probed: one, asked, spec: own.spec }, { first: seen, again, other, done })
  const making = { suffix, given: input.given, secret: world.secret, made: known }
  const probe = { probed: one, making, moving, handle: own.handle, spec: own.spec, shouldStop: input.shouldStop }
  const needed = demanded.map((attribute): Unplaced => {
    const message = 'the server makes no object without it'
    return { attribute, message, add: { required: true }, evidence: {} }
  })
  const { findings, unset } = await probeUpdates(probe, again.kind === 'present' ? again : seen)
  probing.skipped.push(...unset.map((each) => ({ type: one.type, ...each })))
  const computed = new Set(findings.filter(({ add }) => add?.['computed'] === true).map(({ attribute }) => attribute))
  // What the server keeps as its own has no default.
  return [
    ...needed,
    ...created.filter(({ attribute }) => attribute === undefined || !computed.has(attribute)),
    ...findings,
  ]
}

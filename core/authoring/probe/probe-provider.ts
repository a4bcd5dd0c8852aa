import { AppError, asAppError } from '../../errors.ts'
import type { JsonObject, Path } from '../../schema/json.ts'
import type { Actor } from '../../schema/records.ts'
import type { ProbedLock, ProbeFinding, ProbeObject, ProbeReport } from '../../schema/reports/probe-report.ts'
import type { Deps } from '../../workflows/deps.ts'
import { byPlace, type NamedText, openDocument } from '../open-document.ts'
import { chooseProbed, type GivenValues, type ProbedType, whyNot } from './choose-types.ts'
import { deleteObject, identityOf, type Making, make, type New, specFor } from './make-object.ts'
import { probeLock } from './probe-lock.ts'
import { findingsOfCreate, movingIn, probeUpdates, type Unplaced } from './probe-type.ts'
import { createSandbox } from './sandbox.ts'

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

/** All that is learnt on the way. */
interface Probing extends Making {
  readonly input: ProbeInput
  /** Of an attribute, or of a type. */
  readonly path: (type: string, attribute?: string) => Path
  readonly place: (type: string, found: Unplaced) => ProbeFinding
  readonly findings: ProbeFinding[]
  readonly locks: ProbedLock[]
  readonly skipped: ProbeReport['skipped'][number][]
}

/**
 * Makes objects of a document's types at a live server, looks how they come back, sets what can be set, and takes them away
 * again, whatever happens. `undefined`: nobody agreed, and nothing was sent. Throws CONFIG_INVALID, USAGE. The store of
 * `deps` is filled with what nobody needs afterwards.
 */
export const probeProvider = async (input: ProbeInput, deps: Deps): Promise<ProbeReport | undefined> => {
  const { document, actor, files } = input
  const { value = null, document: parsed, issues, locate } = openDocument(document)
  if (parsed === undefined) throw new AppError('CONFIG_INVALID', { issues })
  const known = Object.keys(parsed.resources)
  const unknown = [...input.types, ...Object.keys(input.given)].find((type) => !known.includes(type))
  if (unknown !== undefined)
    throw new AppError('USAGE', { detail: `the document has no type "${unknown}"; it has ${known.join(', ')}` })
  const probed = chooseProbed(parsed, input.types)
  const path: Probing['path'] = (type, attribute) => pathOf(probed, type, attribute)
  const probing: Probing = {
    input,
    given: input.given,
    sandbox: createSandbox(value, files, input.with, actor, deps),
    suffix: deps.ids.ulid().slice(-8).toLowerCase(),
    path,
    place: (type, found) => ({ ...locate(path(type, found.attribute)), type, ...found }),
    findings: [],
    locks: [],
    skipped: [],
    made: [],
    known: new Map(),
  }
  if (!(await input.confirm(intended(probed, probing)))) return undefined
  const left = await probeAndClean(probed, probing)
  return {
    document: document.name,
    findings: distinct(probing.findings).toSorted(byPlace),
    locks: probing.locks,
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
    const detail = await deleteObject(made)
    if (detail !== undefined) left.push({ ...made.object, detail })
  }
  return left
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

const learn = async (
  one: ProbedType,
  { own, seen, done, asked, demanded }: New,
  probing: Probing,
): Promise<readonly Unplaced[]> => {
  const { input, suffix, sandbox, known } = probing
  const again = await own.handle.look(own.spec)
  const moving = again.kind === 'present' ? movingIn(one, seen.attributes, again.attributes) : []
  for (const name of moving) sandbox.ignore(probing.path(one.type, name))
  const second = await make(one, probing, secondOf(suffix))
  const other = 'seen' in second ? second.seen : undefined
  const created = findingsOfCreate({ probed: one, asked, spec: own.spec }, { first: seen, again, other, done })
  const making = { suffix, given: input.given, secret: sandbox.secret, made: known }
  const probe = { probed: one, making, moving, handle: own.handle, spec: own.spec, shouldStop: input.shouldStop }
  const needed = demanded.map((attribute): Unplaced => {
    const message = 'the server makes no object without it'
    return { attribute, message, add: { required: true }, evidence: {} }
  })
  const latest = again.kind === 'present' ? again : seen
  const lock = await probeLock(probe, latest)
  probing.locks.push(...lock.locks)
  if (lock.skipped !== undefined) probing.skipped.push({ type: one.type, detail: lock.skipped })
  const now = lock.locks.length === 0 ? latest : await own.handle.look(own.spec)
  const { findings, unset } = await probeUpdates(probe, now.kind === 'present' ? now : latest)
  probing.skipped.push(...unset.map((each) => ({ type: one.type, ...each })))
  const computed = new Set(findings.filter(({ add }) => add?.['computed'] === true).map(({ attribute }) => attribute))
  // What the server keeps as its own has no default.
  return [
    ...needed,
    ...lock.findings,
    ...created.filter(({ attribute }) => attribute === undefined || !computed.has(attribute)),
    ...findings,
  ]
}

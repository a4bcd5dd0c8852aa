import { AppError, asAppError } from '../../../engine/errors/errors.ts'
import { setAt } from '../../../engine/json/pointer.ts'
import type { Actor } from '../../../engine/schema/actor.ts'
import type { Json, JsonObject, Path } from '../../../engine/schema/json.ts'
import type {
  ProbedLock,
  ProbedStuck,
  ProbeFinding,
  ProbeObject,
  ProbeReport,
} from '../../../engine/schema/reports/probe-report.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { Deps } from '../../../engine/workflows/deps.ts'
import type { RestDocument } from '../../../providers/rest/document/document.ts'
import { fieldsOf, partsOf, resourcesOf } from '../document/document-view.ts'
import { byPlace, type NamedText, openDocument } from '../document/open-document.ts'
import { chooseProbed, type ProbedType, whyNot } from './choose-types.ts'
import { deleteObject, identityOf, type Made, type Making, make, type New, specFor } from './make-object.ts'
import type { GivenValues } from './make-values.ts'
import { probeLock } from './probe-lock.ts'
import { findingsOfCreate, movingIn, probeUpdates, type Trials, type Unplaced } from './probe-type.ts'
import { createSandbox } from './sandbox.ts'
import type { Stuck } from './set-back.ts'
import { proposals, skips } from './words.ts'

export interface ProbeInput {
  readonly document: NamedText
  /** Files that `with` names. */
  readonly files: Readonly<Record<string, string>>
  readonly with: JsonObject
  /** All when empty. */
  readonly types: readonly string[]
  readonly given: GivenValues
  readonly actor: Actor
  /** Called once, before the first write. */
  readonly confirm: (objects: readonly ProbeObject[]) => Promise<boolean>
  /** True: switches that may make an object unusable for good (`blocked`, `archived`) are tried too, at the end. */
  readonly shut?: boolean
  /** Called between two steps: if true, the probe deletes what it created and ends. */
  readonly shouldStop: () => boolean
}

interface Probing extends Making {
  readonly input: ProbeInput
  readonly pathOf: (type: string, attribute?: string) => Path
  readonly report: (type: string, found: readonly Unplaced[]) => void
  readonly locks: ProbedLock[]
  readonly skipped: ProbeReport['skipped'][number][]
  stuck?: ProbedStuck
  halt?: string
}

/**
 * Creates objects at a live server, compares and updates them, and deletes them in any case. `undefined`: the user did
 * not agree, and nothing was written. Throws CONFIG_INVALID or USAGE. The content of the store of `deps` is not needed
 * afterwards.
 */
export const probeProvider = async (input: ProbeInput, deps: Deps): Promise<ProbeReport | undefined> => {
  const { value = null, document, issues, locate } = openDocument(input.document)
  if (document === undefined) throw new AppError('CONFIG_INVALID', { issues })
  const types = Object.keys(document.resources)
  const unknown = [...input.types, ...Object.keys(input.given)].find((type) => !types.includes(type))
  if (unknown !== undefined) throw new AppError('USAGE', { detail: skips.noType(unknown, types) })
  const sandbox = createSandbox(leavingOut(value, document), input.files, input.with, input.actor, deps)
  const pathOf: Probing['pathOf'] = (type, attribute) => pathIn(document, type, attribute)
  const findings: ProbeFinding[] = []
  const suffix = deps.ids.ulid().slice(-8).toLowerCase()
  const probing: Probing = {
    input,
    sandbox,
    source: { suffix, given: input.given, secret: sandbox.secret, known: new Map() },
    pathOf,
    report: (type, found) =>
      void findings.push(...found.map((one) => ({ ...locate(pathOf(type, one.attribute)), type, ...one }))),
    locks: [],
    skipped: [],
    made: [],
  }
  const probed = chooseProbed(document, input.types)
  if (!(await input.confirm(intended(probed, probing)))) return undefined
  for (const one of probed) if (!input.shouldStop()) await probeOne(one, probing)
  const left = await clean(probing)
  const { locks, skipped, made, stuck } = probing
  return {
    document: input.document.name,
    findings: distinct(findings).toSorted(byPlace),
    locks,
    skipped,
    made: made.filter(({ isTaken }) => isTaken).map(({ object }) => object),
    ...defined({ stuck }),
    left,
    interrupted: input.shouldStop(),
  }
}

/** A finding of both a create and an update is reported once. */
const distinct = (findings: readonly ProbeFinding[]): readonly ProbeFinding[] => {
  const keyOf = ({ type, attribute, code, message, add }: ProbeFinding): string =>
    JSON.stringify([type, attribute, code, message, add])
  return findings.filter((one, index) => findings.findIndex((other) => keyOf(other) === keyOf(one)) === index)
}

/** What answers leave out is what a probe looks for, so it tries to set that too. */
const leavingOut = (value: Json, document: RestDocument): Json =>
  resourcesOf(document)
    .flatMap((view) => partsOf(view).flatMap((part) => (part.part.collection ? [] : fieldsOf(part))))
    .filter(({ entry }) => entry.default === undefined && !entry.computed && entry.in === undefined)
    .reduce((changed, { at }) => setAt(changed, [...at, 'leftOut'], true), value)

const pathIn = (document: RestDocument, type: string, attribute: string | undefined): Path => {
  const view = resourcesOf(document).find(({ name }) => name === type)
  const fields = view === undefined ? [] : partsOf(view).flatMap(fieldsOf)
  return fields.find(({ name }) => name === attribute)?.at ?? ['resources', type]
}

/** Returns the objects to create, for the user's consent: ids of the server are not known yet. */
const intended = (probed: readonly ProbedType[], probing: Probing): readonly ProbeObject[] => {
  const { suffix } = probing.source
  const planned = { ...probing, source: { ...probing.source, known: new Map<string, JsonObject>() } }
  return probed
    .filter((one) => whyNot(one) === undefined)
    .flatMap((one) =>
      (one.isParent ? [suffix] : [suffix, secondOf(suffix)]).map((own) => {
        const made = specFor(one, planned, own)
        const spec = made.ok ? made.spec : {}
        if (own === suffix) planned.source.known.set(one.type, spec)
        return { type: one.type, identity: identityOf(one, spec) }
      }),
    )
}

const secondOf = (suffix: string): string => {
  const reversed = [...suffix].toReversed().join('')
  return reversed === suffix ? `${suffix.slice(1)}${suffix.startsWith('0') ? '1' : '0'}` : reversed
}

/** Deletes the last object first: later objects may be inside earlier ones. */
const clean = async ({ made }: Probing): Promise<ProbeReport['left']> => {
  const left: ProbeReport['left'][number][] = []
  for (const one of made.toReversed()) {
    const detail = await deleteObject(one)
    if (detail !== undefined) left.push({ ...one.object, detail })
  }
  return left
}

const probeOne = async (one: ProbedType, probing: Probing): Promise<void> => {
  const skip = (detail: string): void => void probing.skipped.push({ type: one.type, detail })
  const reason = probing.halt ?? whyNot(one)
  if (reason !== undefined) return skip(reason)
  try {
    const made = await make(one, probing, probing.source.suffix)
    if ('detail' in made) return skip(made.detail)
    if (!one.isParent) probing.report(one.type, await learn(one, made, probing))
  } catch (error) {
    skip(asAppError(error).message)
  }
}

const stuckAt = (stuck: Stuck): Trials => ({ findings: [], unset: [], taken: [], stuck })

/**
 * Ends all trials after a value that cannot be set back, or a refusal that concerns every request. Created objects are
 * still deleted.
 */
const halt = (probing: Probing, own: Made, { stuck, refused }: Trials): void => {
  if (refused !== undefined) probing.halt = skips.refusedForAll(refused)
  if (stuck === undefined) return
  const { type } = own.object
  probing.stuck = { ...own.object, ...stuck }
  probing.halt = skips.stopped(type, stuck.attribute)
  if (stuck.is === undefined) own.lost = stuck.attribute
}

const learn = async (
  one: ProbedType,
  { own, seen, done, asked, demanded, wrongIds }: New,
  probing: Probing,
): Promise<readonly Unplaced[]> => {
  const { input, source, sandbox, locks, skipped } = probing
  const { handle, spec } = own
  const again = await handle.look(spec)
  const moving = again.kind === 'present' ? movingIn(one, seen.attributes, again.attributes) : []
  for (const name of moving) sandbox.ignore(probing.pathOf(one.type, name))
  const second = await make(one, probing, secondOf(source.suffix))
  const other = 'seen' in second ? second.seen : undefined
  const created = findingsOfCreate({ probed: one, spec }, { asked, first: seen, again, other, done })
  const ofIds: readonly Unplaced[] = wrongIds === undefined ? [] : [{ ...proposals.wrongIds(wrongIds), evidence: {} }]
  const listed = await handle.list(spec)
  const ofList: readonly Unplaced[] =
    listed?.kind === 'unknown' ? [{ ...proposals.unlisted(listed.detail), evidence: {} }] : []
  const required = demanded.map((attribute): Unplaced => ({ attribute, ...proposals.required, evidence: {} }))
  const probe = {
    probed: one,
    source,
    moving,
    handle,
    spec,
    ...defined({ shut: input.shut }),
    shouldStop: input.shouldStop,
  }
  const latest = again.kind === 'present' ? again : seen
  const { lock, findings: ofLock, skipped: noLock, stuck: byLock } = await probeLock(probe, latest)
  if (lock !== undefined) locks.push(lock)
  if (noLock !== undefined) skipped.push({ type: one.type, detail: noLock })
  const now = lock === undefined ? latest : await handle.look(spec)
  const trials =
    byLock === undefined ? await probeUpdates(probe, now.kind === 'present' ? now : latest) : stuckAt(byLock)
  const { findings: updated, unset } = trials
  skipped.push(...unset.map((each) => ({ type: one.type, ...each })))
  halt(probing, own, trials)
  const computed = new Set(updated.filter(({ add }) => add?.['computed'] === true).map(({ attribute }) => attribute))
  // A value that the server sets itself has no default.
  const kept = created.filter(({ attribute }) => attribute === undefined || !computed.has(attribute))
  return [...ofIds, ...ofList, ...required, ...ofLock, ...kept.flatMap((each) => ofServer(each, trials)), ...updated]
}

/** What the server chooses is computed only if nobody else can choose it: if a write of it has no effect, or is refused. */
const ofServer = (found: Unplaced, { findings, taken }: Trials): readonly Unplaced[] => {
  const { attribute = '', code } = found
  if (code !== proposals.perObject.code) return [found]
  if (taken.includes(attribute)) return []
  const isRefused = findings.some((each) => each.attribute === attribute && each.code === proposals.refused.code)
  const { add: _, ...rest } = found
  return [isRefused ? found : { ...rest, ...proposals.perObjectUntried }]
}

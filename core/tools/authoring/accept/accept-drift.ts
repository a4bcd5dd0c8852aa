import { editDocument } from '../../../engine/config/edit/edit-document.ts'
import type { SourcedBundle } from '../../../engine/config/files/source.ts'
import { isEqual } from '../../../engine/diff/matching/canonical.ts'
import { unifiedDiff } from '../../../engine/diff/texts/unified-diff.ts'
import { AppError, isAppError } from '../../../engine/errors/errors.ts'
import { pathText, toPointer } from '../../../engine/json/pointer.ts'
import type { Json, Path } from '../../../engine/schema/json.ts'
import type { AcceptedValue, AcceptReport, RefusedValue } from '../../../engine/schema/reports/accept-report.ts'
import type { Plan } from '../../../engine/schema/stored/plan.ts'
import { canonicalAddress } from '../../../engine/values/addresses/address.ts'
import { defined } from '../../../engine/values/defined.ts'
import { isAbove } from '../../../engine/values/file-path.ts'
import type { Deps } from '../../../engine/workflows/deps.ts'
import { openSession, type Session } from '../../../engine/workflows/session/open-session.ts'
import { type AcceptRequest, chooseDifferences, type Difference, refusedAs } from './choose-differences.ts'
import { compareSessions } from './compare-sessions.ts'
import { type Documents, readDocuments } from './documents.ts'
import { remembering } from './remembering.ts'
import { type TakenResource, takeResource } from './take-resource.ts'
import { type Refusal, refusals, requests } from './words.ts'

interface ChangedFile {
  readonly file: string
  readonly before: string
  readonly after: string
}

export interface Acceptance {
  readonly report: AcceptReport
  readonly folder: string
  readonly changed: readonly ChangedFile[]
  /** What differed when it was read. */
  readonly plan: Plan
}

interface Accepting {
  readonly bundle: SourcedBundle
  readonly session: Session
  readonly documents: Documents
  readonly planWith: (files: SourcedBundle['files']) => Promise<Session>
}

/**
 * Finds changes of the configuration that make live values desired. Reads the target; stores and writes nothing. Each
 * change was tried: with it the accepted differences are gone, and everything else is planned and desired as before.
 * Throws USAGE, CONFIG_NOT_FOUND or CONFIG_INVALID.
 */
export const acceptDrift = async (request: AcceptRequest, deps: Deps): Promise<Acceptance> => {
  const { workspace } = request
  const bundle = await deps.config.load(workspace)
  // A preview has values of the files and of the overlay, and the folder may contain another branch by now.
  if (bundle.preview !== undefined) throw new AppError('USAGE', { detail: requests.ofPreview(workspace) })
  if (bundle.folder === undefined) throw new AppError('USAGE', { detail: requests.noFolder(workspace) })
  const transports = remembering(deps.transport)
  const planOf = (given: SourcedBundle): Promise<Session> =>
    openSession(workspace, { ...deps, config: { load: async () => given }, transport: transports() })
  const session = await planOf(bundle)
  const accepting: Accepting = {
    bundle,
    session,
    documents: readDocuments(bundle.files, bundle.entry, session),
    planWith: (files) => planOf({ ...bundle, files }),
  }
  const known = session.loaded.configuration.resources.map(({ address }) => address)
  const chosen = chooseDifferences(session.plan, known, canonicalRequest(request))
  const accepted = await acceptTogether(accepting, chosen.wanted)
  const final = accepted.tried ?? (await tryAll(accepting, accepted.kept))
  const changed = 'changed' in final ? final.changed : []
  return {
    folder: bundle.folder,
    changed,
    plan: session.plan,
    report: {
      workspace,
      accepted: accepted.kept.map((each) => acceptedValue(each, accepting, final.taken)),
      refused: [...chosen.refused, ...accepted.refused],
      left: chosen.left,
      files: changed.map(({ file, before, after }) => ({ file, diff: unifiedDiff(file, before, after) })),
    },
  }
}

const isFor =
  ({ address, path }: Difference) =>
  (taken: TakenResource): boolean =>
    taken.address === address && taken.others.some((other) => pathText(other.path) === pathText(path))

const acceptedValue = (
  difference: Difference,
  { documents, session }: Accepting,
  taken: readonly TakenResource[],
): AcceptedValue => {
  const { address, path } = difference
  const owner = taken.find(isFor(difference))
  const other = owner?.others.find((each) => pathText(each.path) === pathText(path))
  const position =
    other === undefined || owner === undefined
      ? session.loaded.configuration.locate(address, path)
      : documents.positionIn(other.file, other.at)
  return { address, path: pathText(path), position, ...defined({ via: other?.via }) }
}

const canonicalRequest = (request: AcceptRequest): AcceptRequest =>
  request.address === undefined ? request : { ...request, address: canonicalAddress(request.address) }

interface Acceptable {
  readonly kept: readonly Difference[]
  readonly refused: readonly RefusedValue[]
  readonly tried?: Tried
}

type Tried = { readonly taken: readonly TakenResource[] } & (
  | { readonly changed: readonly ChangedFile[] }
  /** `of`: only these differences are refused; all when absent. */
  | { readonly refusal: Refusal; readonly of?: readonly Difference[] }
)

/** Accepts as many differences together as possible: a refused one does not prevent the others. */
const acceptTogether = async (accepting: Accepting, chosen: readonly Difference[]): Promise<Acceptable> => {
  if (chosen.length === 0) return { kept: [], refused: [] }
  const tried = await tryAll(accepting, chosen)
  const refusedNow = tried.taken.flatMap(({ refused }) => refused)
  if (refusedNow.length > 0) {
    const isRefused = new Set(refusedNow.map(({ address, path }) => keyOf(address, path ?? '')))
    const rest = await acceptTogether(
      accepting,
      chosen.filter(({ address, path }) => !isRefused.has(keyOf(address, pathText(path)))),
    )
    return { ...rest, refused: [...refusedNow, ...rest.refused] }
  }
  if ('changed' in tried) return { kept: chosen, refused: [], tried }
  const groups = groupsOf(chosen, tried.taken)
  const [only] = groups
  if (groups.length === 1 && only !== undefined) {
    const via = tried.taken.flatMap(({ others }) => others)[0]?.via
    const refusal = refusalFor(tried.refusal, via)
    return { kept: [], refused: only.map(({ address, path }) => refusedAs(address, path, refusal)) }
  }
  return acceptHalves(accepting, groups)
}

const acceptHalves = async (accepting: Accepting, groups: readonly (readonly Difference[])[]): Promise<Acceptable> => {
  const half = Math.ceil(groups.length / 2)
  const left = await acceptTogether(accepting, groups.slice(0, half).flat())
  const right = await acceptTogether(accepting, groups.slice(half).flat())
  const kept = [...left.kept, ...right.kept]
  const refused = [...left.refused, ...right.refused]
  const fits = left.kept.length === 0 || right.kept.length === 0 || 'changed' in (await tryAll(accepting, kept))
  if (fits) return { kept, refused }
  const apart = right.kept.map(({ address, path }) => refusedAs(address, path, refusals.twice()))
  return { kept: left.kept, refused: [...refused, ...apart] }
}

const refusalFor = (refusal: Refusal, via: string | undefined): Refusal =>
  refusal.elsewhere === undefined ? refusal : refusals.elsewhere(via, refusal.elsewhere)

const keyOf = (address: string, path: string): string => JSON.stringify([address, path])

/** Groups differences that are accepted by an edit of the same place. */
const groupsOf = (
  wanted: readonly Difference[],
  taken: readonly TakenResource[],
): readonly (readonly Difference[])[] => {
  const owners = new Map(taken.map((each) => [each.address, each]))
  const placeOf = ({ address, path }: Difference): string => {
    const text = pathText(path)
    const { file, spec, others } = owners.get(address) ?? { file: '', spec: { at: [] }, others: [] }
    const other = others.find((each) => pathText(each.path) === text)
    // Instances have the same spec, so the place decides, not the address.
    return other === undefined
      ? keyOf(`${file}#${toPointer(spec.at)}`, text)
      : keyOf(`${other.file}#${toPointer(other.at)}`, '')
  }
  return [...Map.groupBy(wanted, placeOf).values()]
}

const tryAll = async (accepting: Accepting, wanted: readonly Difference[]): Promise<Tried> => {
  const { session, documents } = accepting
  const byAddress = [...Map.groupBy(wanted, ({ address }) => address)]
  const taken = await Promise.all(
    byAddress.map(([address, each]) =>
      takeResource(session, documents, { address, wanted: each.map(({ path }) => path) }),
    ),
  )
  if (wanted.length === 0 || taken.some(({ refused }) => refused.length > 0)) return { taken, changed: [] }
  const edited = editFiles(accepting.bundle, taken)
  if ('refusal' in edited) return { taken, ...edited }
  const effects = await effectsOf(accepting, edited.changed, wanted)
  return effects === undefined ? { taken, ...edited } : { taken, refusal: effects }
}

interface FileEdit {
  readonly file: string
  readonly path: Path
  readonly value: Json
}

const editsOf = ({ file, spec, others }: TakenResource): readonly FileEdit[] => [
  ...(spec.isChanged ? [{ file, path: spec.at, value: spec.value }] : []),
  ...others.map((other) => ({ file: other.file, path: other.at, value: other.value })),
]

const editFiles = (
  { files }: SourcedBundle,
  taken: readonly TakenResource[],
): { readonly changed: readonly ChangedFile[] } | { readonly refusal: Refusal } => {
  const changed: ChangedFile[] = []
  for (const [file, all] of Map.groupBy(taken.flatMap(editsOf), (edit) => edit.file)) {
    if (isAbove(file)) return { refusal: refusals.shared(file) }
    const edits = new Map<string, FileEdit>()
    for (const edit of all) {
      const known = edits.get(toPointer(edit.path))
      if (known !== undefined && !isEqual(known.value, edit.value)) return { refusal: refusals.twice() }
      edits.set(toPointer(edit.path), edit)
    }
    const before = files[file] ?? ''
    const after = editDocument(file, before, [...edits.values()], originsOf(taken))
    if ('problem' in after) return { refusal: refusals.lost() }
    if (after.text !== before) changed.push({ file, before, after: after.text })
  }
  return { changed }
}

const originsOf = (
  owners: readonly TakenResource[],
): Pick<WeakMap<object, readonly (number | undefined)[]>, 'get'> => ({
  get: (list) => owners.map(({ origins }) => origins.get(list)).find((each) => each !== undefined),
})

const effectsOf = async (
  { bundle, session, planWith }: Accepting,
  changed: readonly ChangedFile[],
  wanted: readonly Difference[],
): Promise<Refusal | undefined> => {
  try {
    const files = { ...bundle.files, ...Object.fromEntries(changed.map(({ file, after }) => [file, after])) }
    const { elsewhere, staying } = compareSessions(session, await planWith(files), wanted)
    if (elsewhere.length > 0) return refusals.elsewhere(undefined, elsewhere)
    return staying.length > 0 ? refusals.noEffect() : undefined
  } catch (error) {
    if (!isAppError(error, 'CONFIG_INVALID')) throw error
    return refusals.invalid(error.payload.issues.map(({ message }) => message).join('; '))
  }
}

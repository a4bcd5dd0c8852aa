import type { Diff } from '../../../engine/schema/diff.ts'
import type { Path } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import { cutMiddle } from '../../render/characters/measure.ts'
import type { Prose } from '../../render/characters/prose.ts'
import { type Block, foldAlike, type Report, type Section, toneOfSymbol } from '../../render/report/report.ts'
import { tallyModules } from '../../render/report/tally-modules.ts'
import { layOutDiff, noAnnotations } from '../../render/rows/lay-out-diff.ts'
import { showValue } from '../../render/rows/show-value.ts'
import { isOpen, sideOf } from '../../render/rows/sides-of-diff.ts'
import { amounts, count } from '../../render/shared/words.ts'
import type { PlanView, View, ViewChange, ViewInvocation } from '../view/plan-view.ts'
import { factsOf } from './actions.ts'
import { actionBlock, listsOfView, memberNotes, newerNote, outputBlock } from './parts.ts'
import { deferralWords } from './reasons.ts'
import { reportOfState } from './state-report.ts'
import { changeWords, objectName, type Tense, tallyView } from './words.ts'

/** The report of a plan or a state of OpenTofu or Terraform; `title` is its name for people. Pure; never fails. */
export const reportOfView = (view: View, title: string): Report =>
  view.kind === 'plan' ? reportOfTheirPlan(view, title) : reportOfState(view, title)

const reportOfTheirPlan = (view: PlanView, title: string): Report => {
  const drifted = new Set(view.drift.map(objectName))
  const blocks = view.changes.map((change) => ({
    ...changeBlock(change, 'will'),
    ...defined({ brief: drifted.has(objectName(change)) ? ' (drifted as well)' : undefined }),
  }))
  const { invoked, later } = actionsOf(view)
  return {
    title,
    headline: [planHeadline(view)],
    tone: planTone(view),
    notes: planNotes(view),
    tallies: tallyView(view),
    modules: tallyModules(blocks),
    sections: [
      section('changes', undefined, blocks),
      section('outputs', 'Outputs', view.outputs.map(outputBlock)),
      section(
        'drift',
        'Drift',
        view.drift.map((change) => ({ ...changeBlock(change, 'was'), ...asDrift })),
      ),
      section('actions', 'Actions invoked', invoked.map(actionBlock)),
      section('deferred', 'Deferred to a later plan', [...view.deferred.map(deferredBlock), ...later.map(actionBlock)]),
    ].filter(({ blocks: own }) => own.length > 0),
    lists: listsOfView(view),
  }
}

const actionsOf = ({ invocations = [] }: PlanView) => {
  const isNow = ({ deferred }: ViewInvocation): boolean => deferred === undefined
  return { invoked: invocations.filter(isNow), later: invocations.filter((each) => !isNow(each)) }
}

const section = (kind: Section['kind'], title: string | undefined, blocks: readonly Block[]): Section => ({
  kind,
  ...defined({ title }),
  blocks: foldAlike(blocks.toSorted((left, right) => left.risk - right.risk)),
})

const asDrift = { sides: 'last applied -> now', brief: ' outside' }

/** The changes that the headline counts; moves, imports and reads are only in the counts. */
const isOfObjects = ({ action }: ViewChange): boolean => action !== 'no-op' && action !== 'read'

const planHeadline = (view: PlanView): string => {
  const { changes, outputs, drift, deferred, checks, problems, unchanged } = view
  const { invoked, later } = actionsOf(view)
  const n = changes.filter(isOfObjects).length
  const others = changes.length - n
  const failed = checks.filter(({ status }) => status !== 'unknown').length
  const first = n > 0 ? count(n, 'change') : outputs.length + others > 0 ? 'no changes to objects' : 'no changes'
  const counts: readonly (readonly [number, string])[] = [
    [n > 0 ? 0 : others, 'only read, moved or imported'],
    [n > 0 ? 0 : outputs.length, outputs.length === 1 ? 'output changes' : 'outputs change'],
    [drift.length, drift.length === 1 ? 'drifted object' : 'drifted objects'],
    [deferred.length + later.length, 'deferred'],
    [invoked.length, invoked.length === 1 ? 'action invoked' : 'actions invoked'],
    [failed, failed === 1 ? 'check failed' : 'checks failed'],
    [problems.length, 'could not be shown'],
    [n + others > 0 ? 0 : unchanged, 'unchanged'],
  ]
  const whole = view.errored || view.complete ? [] : ['not complete']
  return [view.errored ? `planning failed, ${first} planned before` : first, ...amounts(counts), ...whole].join(', ')
}

const planTone = (view: PlanView): Report['tone'] => {
  const { errored, complete, changes, problems } = view
  if (errored || !complete || problems.length > 0 || changes.some(({ action }) => action === 'unknown'))
    return 'unknown'
  const found = [changes, view.outputs, view.drift, view.deferred, view.checks, view.invocations ?? []]
  return found.some(({ length }) => length > 0) ? 'change' : 'good'
}

const planNotes = (view: PlanView): readonly Prose[] => {
  const { otherDrift } = view
  const notes: readonly (readonly [boolean, string])[] = [
    [view.errored, 'only the changes planned before the failure are shown; this plan cannot be applied'],
    [!view.errored && !view.complete, 'this plan is not complete: after its apply, another plan has more to do'],
    [view.newer, newerNote],
    [view.mode === 'destroy', 'a destroy plan: it destroys every managed object'],
    [view.mode === 'refresh-only', 'a refresh-only plan: applying it updates the state and changes no object'],
    [otherDrift > 0, `${count(otherDrift, 'more drifted object')} without effect on this plan`],
  ]
  return [...notes.filter(([holds]) => holds).map(([, words]): Prose => [words]), ...memberNotes(view)]
}

const changeBlock = (change: ViewChange, tense: Tense): Block => {
  const { symbol, risk } = factsOf(change.action)
  // Imported and forgotten resources are shown in full.
  const isWhole = change.action === 'forget' || (change.action === 'no-op' && change.importing !== undefined)
  return {
    symbol,
    tone: change.action === 'unknown' ? 'delete' : toneOfSymbol(symbol),
    risk,
    address: objectName(change),
    ...defined({ module: change.module }),
    also: [],
    words: changeWords(change, tense),
    ...idOf(change.diff),
    rows: layOutDiff(change.diff, {
      ...noAnnotations,
      ...defined({ whole: isWhole ? true : undefined }),
      sourcesAt: sourcesOf(change),
    }),
  }
}

const widestId = 70

/** Among what does not change it is what one finds the object by. */
const idOf = (diff: Diff): Pick<Block, 'id'> => {
  if (!('members' in diff) || diff.action !== 'update' || !Object.hasOwn(diff.members, 'id')) return {}
  const id = diff.members['id']
  if (id?.kind !== 'value' || id.action !== 'same' || !isOpen(id) || id.forcesReplacement) return {}
  const value = sideOf(id, 'after')
  return typeof value === 'string' || typeof value === 'number' ? { id: cutMiddle(showValue(value), widestId) } : {}
}

/** What the configuration refers to at a path, else at the nearest one above. */
const sourcesOf = ({ sources }: ViewChange): ((path: Path) => readonly string[]) => {
  const byPath = new Map(sources.map(({ path, references }) => [JSON.stringify(path), references]))
  return (path) => {
    for (let length = path.length; length > 0 && byPath.size > 0; length -= 1) {
      const found = byPath.get(JSON.stringify(path.slice(0, length)))
      if (found !== undefined) return found
    }
    return []
  }
}

const deferredBlock = ({ reason, change }: PlanView['deferred'][number]): Block => {
  const block = changeBlock(change, 'would')
  return { ...block, words: [...block.words, ...deferralWords(reason)] }
}

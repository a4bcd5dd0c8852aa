import { foreign, foreignList, type Prose } from '../../render/characters/prose.ts'
import { visible } from '../../render/characters/visible.ts'
import { counted, type Tally, tally, unchangedTally } from '../../render/report/tally.ts'
import { showValue } from '../../render/rows/show-value.ts'
import { pathWords } from '../../render/shared/words.ts'
import type { PlanView, ViewChange, ViewImport } from '../view/plan-view.ts'
import { factsOf, isReplacement, movedWords } from './actions.ts'
import { knownReason } from './reasons.ts'

/** `will`: planned; `would`: deferred; `was`: found outside. */
export type Tense = 'will' | 'would' | 'was'

/** `will be destroyed: the configuration has no such resource any more`. */
export const changeWords = (change: ViewChange, tense: Tense): Prose => {
  const clauses = [verbClause(change, tense), importClause(change), moveClause(change, tense), twinClause(change)]
  const said = clauses
    .filter((clause) => clause.length > 0)
    .flatMap((clause, n) => (n === 0 ? clause : ['; ', ...clause]))
  return said.length === 0 ? [`${tense} be left as it is`] : said
}

const verbClause = (change: ViewChange, tense: Tense): Prose => {
  const { done } = factsOf(change.action)
  const why = reasonClause(change)
  if (tense === 'was')
    return change.action === 'no-op' && change.previousAddress !== undefined ? [] : [movedWords(change.action)]
  if (change.action === 'no-op' && (change.importing ?? change.previousAddress) !== undefined) return []
  const hidden =
    change.action === 'update' && change.diff.action === 'same' ? [', but the plan shows no difference'] : []
  return [`${tense} be ${done}`, ...hidden, ...why]
}

/** A replacement names the paths that force it, also those that the diff does not show. */
const reasonClause = (change: ViewChange): Prose => {
  const words = knownReason(change)
  const paths = foreignList(
    change.replacePaths.map((path) => (path.length === 0 ? 'the whole object' : pathWords(path))),
  )
  if (!isReplacement(change.action) || paths.length === 0) return words === undefined ? [] : [': ', ...words]
  const forced: Prose = [...paths, ' cannot be changed in place']
  return words === undefined || change.reason === 'replace_because_cannot_update'
    ? [': ', ...forced]
    : [': ', ...words, ', and ', ...forced]
}

const importClause = ({ importing, action }: ViewChange): Prose => {
  if (importing === undefined) return []
  const kept = action === 'no-op' ? 'will be imported' : 'imported first'
  const lost = action === 'delete' || isReplacement(action) ? ', then destroyed' : ''
  return [kept, ...importedBy(importing), lost, importing.generated ? ', its configuration is generated' : ''].filter(
    (part) => part !== '',
  )
}

const importedBy = ({ id, identity }: ViewImport): Prose => {
  if (id !== undefined) return [' by id ', foreign(id)]
  if (identity === undefined) return []
  const members = Object.entries(identity).map(([member, value]) => `${visible(member)}=${showValue(value)}`)
  return [' by ', foreign(members.join(' '))]
}

const moveClause = ({ previousAddress, action }: ViewChange, tense: Tense): Prose => {
  if (previousAddress === undefined) return []
  const verb = action !== 'no-op' ? 'moved here from ' : tense === 'was' ? 'was moved here from ' : 'moves here from '
  return [verb, foreign(previousAddress), ...(action === 'no-op' && tense !== 'was' ? [', nothing else changes'] : [])]
}

/** A guess: the reviewer decides. */
const twinClause = ({ twin, action }: ViewChange): Prose => {
  if (twin === undefined) return []
  return action === 'create'
    ? ['looks like ', foreign(twin), ', which this plan destroys: a moved block would keep it']
    : ['looks like ', foreign(twin), ', which this plan creates: a moved block would keep it']
}

/** The object that is meant, one of several under one address where a replacement did not finish. */
export const objectName = ({ address, deposed }: { readonly address: string; readonly deposed?: string }): string =>
  deposed === undefined ? address : `${address} (deposed ${deposed})`

/** The counts of a page, the gravest first. Imported and moved resources are also counted as such, whatever else changes. */
export const tallyView = ({ changes, deferred, unchanged, invocations = [] }: PlanView): readonly Tally[] => {
  const done = changes
    .filter(({ action }) => action !== 'no-op')
    .toSorted((left, right) => riskOf(left) - riskOf(right))
  const byWords = Map.groupBy(done, ({ action }) => factsOf(action).tally)
  return counted([
    ...[...byWords].map(([words, group]) => tally(symbolOf(group), words, group.map(named))),
    tally('*', 'to import', changes.filter(({ importing }) => importing !== undefined).map(named)),
    tally('*', 'to move', changes.filter(({ previousAddress }) => previousAddress !== undefined).map(named)),
    tally('!', 'deferred', [
      ...deferred.map(({ change }) => named(change)),
      ...invocations.filter((each) => each.deferred !== undefined).map(({ address }) => ({ address })),
    ]),
    unchangedTally(unchanged),
  ])
}

const riskOf = ({ action }: ViewChange): number => factsOf(action).risk

const symbolOf = ([first]: readonly ViewChange[]): string => (first === undefined ? '' : factsOf(first.action).symbol)

const named = (change: ViewChange) => ({ address: objectName(change) })

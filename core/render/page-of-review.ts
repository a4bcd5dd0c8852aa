import type { Path } from '../schema/json.ts'
import type { PlanReview, Review, ReviewChange, ReviewObject, ReviewOutput, StateReview } from '../schema/review.ts'
import { foldAlike } from './fold-alike.ts'
import type { Beside } from './lay-out-diff.ts'
import { layOutDiff, layOutNamed } from './lay-out-diff.ts'
import type { List } from './lists.ts'
import type { Block, Page, Section } from './page.ts'
import { risks } from './page.ts'
import type { Prose } from './prose.ts'
import { foreign } from './prose.ts'
import { tallyModules } from './tally-modules.ts'
import { tallyReview } from './tally-review.ts'
import { count } from './words.ts'
import type { Mood } from './words-of-review.ts'
import { actionFacts, checkWords, deferralWords, leftOver, objectName, reviewWords } from './words-of-review.ts'

/** What a plan or a state of OpenTofu or Terraform tells; `title` names it to people. Pure; never fails. */
export const pageOfReview = (review: Review, title: string): Page =>
  review.kind === 'plan' ? pageOfTheirPlan(review, title) : pageOfState(review, title)

const pageOfTheirPlan = (review: PlanReview, title: string): Page => {
  const drifted = new Set(review.drift.map(objectName))
  const blocks = review.changes.map((change) => ({
    ...changeBlock(change, 'will'),
    ...(drifted.has(objectName(change)) && { brief: ' (drifted outside)' }),
  }))
  return {
    title,
    headline: [planHeadline(review)],
    tone: planTone(review),
    notes: planNotes(review),
    tallies: tallyReview(review),
    modules: tallyModules(blocks),
    sections: [
      section('changes', undefined, blocks),
      section('outputs', 'Outputs', review.outputs.map(outputBlock)),
      section(
        'drift',
        'Drifted outside',
        review.drift.map((change) => ({ ...changeBlock(change, 'was'), ...asDrift })),
      ),
      section('deferred', 'Put off to a later plan', review.deferred.map(deferredBlock)),
    ].filter(({ blocks: own }) => own.length > 0),
    lists: listsOfReview(review),
  }
}

const section = (kind: Section['kind'], title: string | undefined, blocks: readonly Block[]): Section => ({
  kind,
  ...(title === undefined ? {} : { title }),
  blocks: foldAlike(blocks.toSorted((left, right) => left.risk - right.risk)),
})

const asDrift = { sides: 'last applied -> now', brief: ' outside' }

/** What is about to happen to objects; what only moves, is imported or read stands in the tallies. */
const isOfObjects = ({ action }: ReviewChange): boolean => action !== 'no-op' && action !== 'read'

const planHeadline = (review: PlanReview): string => {
  const { changes, outputs, drift, deferred, checks, problems, unchanged } = review
  const n = changes.filter(isOfObjects).length
  const others = changes.length - n
  const failed = checks.filter(({ status }) => status !== 'unknown').length
  const first = n > 0 ? count(n, 'change') : outputs.length + others > 0 ? 'no changes to objects' : 'no changes'
  const counts: readonly (readonly [number, string])[] = [
    [n > 0 ? 0 : others, 'only read, moved or imported'],
    [n > 0 ? 0 : outputs.length, outputs.length === 1 ? 'output changes' : 'outputs change'],
    [drift.length, 'drifted outside'],
    [deferred.length, 'put off'],
    [failed, failed === 1 ? 'check failed' : 'checks failed'],
    [problems.length, 'could not be shown'],
    [n + others > 0 ? 0 : unchanged, 'unchanged'],
  ]
  const told = counts.filter(([of]) => of > 0).map(([of, words]) => `${of.toLocaleString('en')} ${words}`)
  return [review.errored ? `planning failed part-way, ${first} until then` : first, ...told].join(', ')
}

const planTone = ({ errored, changes, outputs, drift, deferred, checks, problems }: PlanReview): Page['tone'] => {
  if (errored || problems.length > 0 || changes.some(({ action }) => action === 'unknown')) return 'unknown'
  return changes.length + outputs.length + drift.length + deferred.length + checks.length > 0 ? 'change' : 'good'
}

const newer = 'written in a later version of the format than is known here: what is new in it is not shown'

const planNotes = (review: PlanReview): readonly Prose[] => {
  const { otherDrift } = review
  const notes: readonly (readonly [boolean, string])[] = [
    [review.errored, 'only what was planned before the failure is shown; it cannot be applied'],
    [review.newer, newer],
    [review.mode === 'destroy', 'a plan to destroy: all that is managed here goes'],
    [review.mode === 'refresh-only', 'only a refresh: applying it records what was found and changes no object'],
    [otherDrift > 0, `${count(otherDrift, 'object')} drifted outside without consequence for this plan`],
  ]
  return notes.filter(([holds]) => holds).map(([, words]) => [words])
}

const changeBlock = (change: ReviewChange, mood: Mood): Block => {
  const { symbol, tone, risk } = actionFacts[change.action]
  const isKept = change.action === 'no-op' && change.importing !== undefined
  return {
    symbol,
    tone,
    risk,
    address: objectName(change),
    ...(change.module === undefined ? {} : { module: change.module }),
    also: [],
    words: reviewWords(change, mood),
    // What is only imported is shown whole: it is new to whoever reads the plan.
    rows: layOutDiff(change.diff, { ...plainly, ...(isKept && { whole: true }), sourcesAt: sourcesOf(change) }),
  }
}

const plainly: Beside = { causesAt: () => [], notesAt: () => [] }

/** What the configuration refers to at a path, else at the nearest one above. */
const sourcesOf = ({ sources }: ReviewChange): ((path: Path) => readonly string[]) => {
  const byPath = new Map(sources.map(({ path, references }) => [JSON.stringify(path), references]))
  return (path) => {
    for (let length = path.length; length > 0 && byPath.size > 0; length -= 1) {
      const found = byPath.get(JSON.stringify(path.slice(0, length)))
      if (found !== undefined) return found
    }
    return []
  }
}

const deferredBlock = ({ reason, change }: PlanReview['deferred'][number]): Block => {
  const block = changeBlock(change, 'would')
  const why = deferralWords(reason)
  return why.length === 0 ? block : { ...block, words: [...block.words, '; put off: ', ...why] }
}

const outputWords = { create: 'will be added', update: 'will change', delete: 'will be removed', same: '' } as const
const outputSymbols = { create: '+', update: '~', delete: '-', same: '' } as const

const outputBlock = ({ name, diff }: ReviewOutput): Block => ({
  symbol: outputSymbols[diff.action],
  tone: diff.action === 'same' ? 'other' : diff.action,
  risk: risks.none,
  address: `output.${name}`,
  also: [],
  words: diff.action === 'same' ? [] : [outputWords[diff.action]],
  rows: [layOutNamed(name, diff, diff.action === 'same' ? { ...plainly, whole: true } : plainly)],
})

const listsOfReview = ({ checks, problems }: Pick<Review, 'checks' | 'problems'>): readonly List[] =>
  [
    {
      title: 'Could not be shown',
      symbol: '?',
      entries: problems.map(({ address, detail }) => ({ what: address, words: [foreign(detail)] })),
    },
    {
      title: 'Checks',
      symbol: '!',
      brief: '',
      entries: checks.map(({ address, status, problems: found }) => ({
        what: address,
        words: checkWords(status, found),
      })),
    },
  ].filter(({ entries }) => entries.length > 0)

const pageOfState = (review: StateReview, title: string): Page => {
  const { objects, outputs, checks, problems } = review
  const blocks = objects.map(objectBlock)
  const tainted = objects.filter((object) => object.tainted).length
  const counts: readonly (readonly [number, string])[] = [
    [tainted, 'tainted'],
    [problems.length, 'could not be shown'],
  ]
  const told = counts.filter(([n]) => n > 0).map(([n, words]) => `${n.toLocaleString('en')} ${words}`)
  const first = objects.length + outputs.length === 0 ? 'nothing is recorded' : count(objects.length, 'object')
  return {
    title,
    headline: [[first, ...told].join(', ')],
    tone: problems.length > 0 ? 'unknown' : tainted + checks.length > 0 ? 'change' : 'good',
    notes: review.newer ? [[newer]] : [],
    tallies: [],
    modules: tallyModules(blocks),
    sections: [
      { kind: 'objects' as const, title: 'Objects', blocks: byModule(blocks) },
      { kind: 'outputs' as const, title: 'Outputs', blocks: outputs.map(outputBlock) },
    ].filter(({ blocks: own }) => own.length > 0),
    lists: listsOfReview(review),
  }
}

/** In the order of the modules, within one in the order of the state. */
const byModule = (blocks: readonly Block[]): readonly Block[] => {
  const own = Map.groupBy(blocks, (block) => block.module ?? '')
  const inOrder = tallyModules(blocks).map(({ module }) => module)
  return inOrder.length === 0 ? blocks : inOrder.flatMap((module) => own.get(module) ?? [])
}

const objectBlock = (object: ReviewObject): Block => ({
  symbol: '',
  tone: object.tainted ? 'update' : 'other',
  risk: risks.none,
  address: objectName(object),
  ...(object.module === undefined ? {} : { module: object.module }),
  also: [],
  words: [
    ...(object.tainted ? ['is marked as damaged (tainted): the next plan replaces it'] : []),
    ...(object.deposed === undefined ? [] : [leftOver]),
  ],
  rows: layOutDiff(object.diff, { ...plainly, whole: true }),
})

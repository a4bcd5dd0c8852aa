import {
  type Attributed,
  type Cause,
  type Change,
  type Drift,
  isReported,
  type Plan,
} from '../../../engine/schema/stored/plan.ts'
import { inYaml } from '../../../engine/values/addresses/address.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import { oneEditAway } from '../../../engine/values/texts/one-edit.ts'
import { foreign, type Prose } from '../characters/prose.ts'
import { changeWords, count, originWords, orphanNotes, remadeWords, stillInWords, symbolOf } from '../shared/words.ts'
import { accessTags, removalNotes, wideningNotes } from './access-words.ts'
import { authorWords } from './author-words.ts'
import { byRisk, contextOf, driftToShow, layOutChange, layOutDrift, type PlanContext } from './lay-out-change.ts'
import { listsOf } from './lists.ts'
import { type Block, foldAlike, type RenderOptions, type Report, risks, type Section, toneOfSymbol } from './report.ts'
import { talliesOf } from './tally.ts'
import { tallyModules } from './tally-modules.ts'
import { viewHeadline, viewNotes } from './view-words.ts'

interface ReportOptions extends Pick<RenderOptions, 'at'> {
  /** Each resource has a block of its own, also where others change alike. */
  readonly each?: boolean
}

/** The report of a plan of ours. Pure; never fails, whatever the plan contains. */
export const reportOfPlan = (plan: Plan, { at, each = false }: ReportOptions = {}): Report => {
  const fold = each ? (all: readonly Block[]) => all : foldAlike
  const blocks = changeBlocks(plan)
  return {
    title: plan.workspace,
    headline: [viewHeadline(plan)],
    tone: toneOf(plan),
    ...defined({ at }),
    notes: [...viewNotes(plan), ...orphanNotes(plan), ...wideningNotes(plan), ...removalNotes(plan)],
    tallies: talliesOf(plan),
    modules: tallyModules(blocks),
    sections: present(blocks.length > 0 && { kind: 'changes', blocks: fold(blocks) }, ...driftOf(plan, fold)),
    lists: listsOf(plan, { each }),
    ...(plan.commands.length > 0 && {
      commands: {
        list: plan.commands,
        workspace: plan.workspace,
        ...defined({
          digest: isWhole(plan) && plan.refused === undefined ? plan.digests.commands : undefined,
          targets: plan.targets,
          exclude: plan.exclude,
          references: plan.references,
        }),
      },
    }),
  }
}

const isWhole = ({ view, shown }: Plan): boolean => view === undefined && shown === undefined

const toneOf = (plan: Plan): Report['tone'] => {
  if (plan.changes.length > 0 || plan.drift.length > 0 || plan.orphans?.some(isReported)) return 'change'
  return plan.inSync || (plan.view === 'drift' && plan.complete) ? 'good' : 'unknown'
}

const changeBlocks = (plan: Plan): readonly Block[] => {
  const context = contextOf(plan)
  const created = plan.changes.filter(({ action }) => action === 'create').map(({ address }) => address)
  const hasGoing = plan.changes.some(({ action }) => action === 'delete')
  const orphans = new Map((plan.orphans ?? []).map((orphan) => [orphan.address, orphan]))
  const near = oneEditAway(hasGoing && created.length <= mostCompared ? created : [])
  return byRisk(plan.changes).map((change) => {
    const orphan = orphans.get(change.address)
    const block = changeBlock(change, context, orphan === undefined ? [] : originWords(orphan))
    const other =
      change.action === 'delete' && change.reason !== 'delete_because_former' ? near(change.address) : undefined
    return other === undefined ? block : { ...block, words: [...block.words, ...renamedWords(change.address, other)] }
  })
}

/** Where more is created, a name is hardly a mistake, and to compare all of them takes much memory. */
const mostCompared = 200

/** A guess: the reviewer decides. */
const renamedWords = (from: string, to: string): Prose => [
  '; did you mean ',
  foreign(to),
  ' to be the same object? Then write moved: [{ from: ',
  foreign(inYaml(from)),
  ', to: ',
  foreign(inYaml(to)),
  ' }]',
]

const changeBlock = (change: Change, context: PlanContext, origin: Prose): Block => {
  const { address, action, position, blocked } = change
  const remover = removerWords(context.attributed.get(address))
  const drift = context.vanished.get(address)
  const gone = drift?.stillIn ? 'moved' : remover.length > 0 ? 'deleted' : 'unseen'
  return {
    symbol: symbolOf(change),
    tone: toneOfSymbol(symbolOf(change)),
    risk: risks[action],
    address,
    also: [],
    words: [
      ...changeWords(change, drift && gone),
      ...(change.action === 'create' ? stillInWords(drift?.stillIn) : []),
      ...remover,
      ...origin,
      ...accessWords(change),
      ...unnamedWords(context.attributed.get(address)),
    ],
    brief: causeWords(change),
    ...defined({
      module: change.module,
      blocked: blocked === undefined ? undefined : true,
      place: position,
    }),
    rows: layOutChange(change, context),
  }
}

/** Who deleted an object that is created again. */
const removerWords = (attributed: Attributed | undefined): Prose => {
  const found = attributed?.by.find(({ paths }) => paths.includes(''))
  return found === undefined ? [] : [', ', foreign(authorWords(found))]
}

/** Why nobody, or not everybody, is named who changed it. */
const unnamedWords = (attributed: Attributed | undefined): Prose =>
  attributed?.unknown === undefined ? [] : ['; ', foreign(attributed.unknown)]

/** Of an object that comes or goes no attribute is marked. */
const accessWords = ({ causes }: Change): Prose => {
  const access = causes.find(({ path }) => path.length === 0)?.access
  return access === undefined ? [] : [`; it ${accessTags[access]}`]
}

const reportedCauses: readonly Cause[] = ['conflict', 'drift', 'pending']

/** ` (1 drift, 2 pending)`. */
const causeWords = ({ action, causes }: Change): string => {
  if (action !== 'update' && action !== 'replace') return ''
  const parts = reportedCauses.flatMap((cause) => {
    const n = causes.filter((entry) => entry.cause === cause).length
    return n === 0 ? [] : [count(n, cause, cause)]
  })
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

const driftOf = (plan: Plan, fold: typeof foldAlike): readonly Section[] => {
  const shown = driftToShow(plan)
  if (shown.length === 0) return []
  const { attributed } = contextOf(plan)
  const title = shown.length < plan.drift.length ? 'Other drift' : 'Drift'
  const blocks = fold(shown.map((drift) => driftBlock(drift, attributed)))
  return [{ kind: 'drift', title, ...defined({ idle: plan.view === 'drift' ? undefined : true }), blocks }]
}

const driftBlock = (drift: Drift, attributed: PlanContext['attributed']): Block => {
  const remover = removerWords(attributed.get(drift.address))
  const gone = drift.stillIn ? 'is still there' : remover.length > 0 ? 'was deleted' : 'is not found any more'
  return {
    symbol: drift.kind === 'deleted' ? '-' : '~',
    tone: 'update',
    risk: risks.update,
    address: drift.address,
    also: [],
    words: [
      drift.kind === 'deleted' ? gone : 'was changed',
      ...stillInWords(drift.stillIn),
      ...remover,
      ...(drift.madeAgain ? [remadeWords] : []),
      ...unnamedWords(attributed.get(drift.address)),
    ],
    sides: 'last agreed -> now',
    brief: ' outside; no action needed',
    rows: layOutDrift(drift, attributed.get(drift.address)),
  }
}

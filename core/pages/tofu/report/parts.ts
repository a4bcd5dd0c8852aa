import { foreign, type Prose } from '../../render/characters/prose.ts'
import type { ReportList } from '../../render/report/lists.ts'
import { type Block, risks } from '../../render/report/report.ts'
import { layOutDiff, layOutNamed, noAnnotations } from '../../render/rows/lay-out-diff.ts'
import { count } from '../../render/shared/words.ts'
import type { PlanView, View, ViewInvocation, ViewOutput } from '../view/plan-view.ts'
import { checkWords, deferralWords } from './reasons.ts'

/** The common parts of the pages of plans and of states. */

export const newerNote = 'written in a newer version of the format; what that version added is not shown'

const outputWords = { create: 'will be added', update: 'will change', delete: 'will be removed', same: '' } as const
const outputSymbols = { create: '+', update: '~', delete: '-', same: '' } as const

export const outputBlock = ({ name, diff }: ViewOutput): Block => ({
  symbol: outputSymbols[diff.action],
  tone: diff.action === 'same' ? 'other' : diff.action,
  risk: risks.none,
  address: `output.${name}`,
  also: [],
  words: diff.action === 'same' ? [] : [outputWords[diff.action]],
  rows: [layOutNamed(name, diff, diff.action === 'same' ? { ...noAnnotations, whole: true } : noAnnotations)],
})

/** How many members of a document are named. */
const mostMembers = 20

/** One for each member of the document that is not known here. */
export const memberNotes = ({ unknownMembers: names }: Pick<View, 'unknownMembers'>): readonly Prose[] => [
  ...names
    .slice(0, mostMembers)
    .map((name): Prose => ['the document has ', foreign(name), ', which is not known here and not shown']),
  ...(names.length > mostMembers
    ? [[`and ${count(names.length - mostMembers, 'more member')} that are not known`]]
    : []),
]

/** What an action does is up to its provider: it comes with the gravest that are no deletes. */
export const actionBlock = ({ address, trigger, config, deferred }: ViewInvocation): Block => ({
  symbol: '!',
  tone: 'other',
  risk: risks.forget,
  address,
  also: [],
  words: [
    deferred === undefined ? 'is invoked' : 'would be invoked',
    ...(trigger === undefined ? [] : [` ${trigger.side} the change of `, foreign(trigger.address)]),
    ...(deferred === undefined ? [] : deferralWords(deferred)),
  ],
  rows: config === undefined ? [] : layOutDiff(config, { ...noAnnotations, whole: true }),
})

export const listsOfView = ({ checks, problems }: Pick<PlanView, 'checks' | 'problems'>): readonly ReportList[] => {
  const lists: readonly ReportList[] = [
    {
      title: 'Could not be shown',
      symbol: '?',
      entries: problems.map(({ address, detail }) => ({ what: address, level: 'error', words: [foreign(detail)] })),
    },
    {
      title: 'Checks',
      symbol: '!',
      brief: '',
      entries: checks.map(({ address, status, problems: found }) => ({
        what: address,
        level: status === 'unknown' ? 'note' : 'difference',
        words: checkWords(status, found),
      })),
    },
  ]
  return lists.filter(({ entries }) => entries.length > 0)
}

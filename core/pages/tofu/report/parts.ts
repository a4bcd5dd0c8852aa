import { foreign, type Prose } from '../../render/characters/prose.ts'
import type { ReportList } from '../../render/report/lists.ts'
import { type Block, risks } from '../../render/report/report.ts'
import { layOutNamed, noAnnotations } from '../../render/rows/lay-out-diff.ts'
import type { PlanView, ViewInvocation, ViewOutput } from '../view/plan-view.ts'
import { checkWords } from './reasons.ts'

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

export const listsOfView = ({
  checks,
  problems,
  invocations = [],
}: Pick<PlanView, 'checks' | 'problems' | 'invocations'>): readonly ReportList[] => {
  const lists: readonly ReportList[] = [
    {
      title: 'Could not be shown',
      symbol: '?',
      entries: problems.map(({ address, detail }) => ({ what: address, level: 'error', words: [foreign(detail)] })),
    },
    {
      title: 'Actions invoked',
      symbol: '!',
      brief: '',
      entries: invocations.map((invocation) => ({ what: invocation.address, words: triggerWords(invocation) })),
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

const triggerWords = ({ trigger }: ViewInvocation): Prose =>
  trigger === undefined ? ['is invoked'] : [`is invoked ${trigger.side} the change of `, foreign(trigger.address)]

import type { Review, ReviewOutput } from '../schema/review.ts'
import { layOutNamed, nothingBeside } from './lay-out-diff.ts'
import type { List } from './lists.ts'
import type { Block } from './page.ts'
import { risks } from './page.ts'
import { foreign } from './prose.ts'
import { checkWords } from './review-reasons.ts'

/* What the pages of plans and of states have in common. */

export const newerNote = 'written in a later version of the format than is known here: what is new in it is not shown'

const outputWords = { create: 'will be added', update: 'will change', delete: 'will be removed', same: '' } as const
const outputSymbols = { create: '+', update: '~', delete: '-', same: '' } as const

export const outputBlock = ({ name, diff }: ReviewOutput): Block => ({
  symbol: outputSymbols[diff.action],
  tone: diff.action === 'same' ? 'other' : diff.action,
  risk: risks.none,
  address: `output.${name}`,
  also: [],
  words: diff.action === 'same' ? [] : [outputWords[diff.action]],
  rows: [layOutNamed(name, diff, diff.action === 'same' ? { ...nothingBeside, whole: true } : nothingBeside)],
})

export const listsOfReview = ({ checks, problems }: Pick<Review, 'checks' | 'problems'>): readonly List[] =>
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

import { soundsOwned, wordList, wordsOf } from '../../../engine/values/texts/name-words.ts'

const belongs =
  /\b(owned by|owner of|belongs? to (the|a|an|this|which) (user|customer|account|owner)|user (who|that|which))\b/i

export const ownersAmong = (members: Iterable<readonly [name: string, description?: string]>): readonly string[] =>
  [...members].flatMap(([name, text = '']) => (soundsOwned(name) || belongs.test(text) ? [name] : []))

const ownSteps = new Set(wordList('me my mine self current user ~'))

/**
 * Tells whether the path of a list is limited to the caller's objects, or to one object: `/user/keys`,
 * `/zones/{zone}/records`.
 */
export const isWithin = (path: string): boolean =>
  path
    .split('/')
    .some((step) => step.includes('{') || ownSteps.has(step) || wordsOf(step).some((word) => word === 'my'))

import { soundsOwned, wordList, wordsOf } from '../../../engine/values/texts/name-words.ts'

/** What says whose an object is, in the words of a description. */
const belongs =
  /\b(owned by|owner of|belongs? to (the|a|an|this|which) (user|customer|account|owner)|user (who|that|which))\b/i

/** Members that say whose an object is, by their name or by what is said of them. */
export const ownersAmong = (members: Iterable<readonly [name: string, description?: string]>): readonly string[] =>
  [...members].flatMap(([name, text = '']) => (soundsOwned(name) || belongs.test(text) ? [name] : []))

/** Steps of a path that stand for the caller. */
const ownSteps = new Set(wordList('me my mine self current user ~'))

/** Whether the path of a list leads to what is the caller's, or to what is within one object: `/user/keys`, `/zones/{zone}/records`. */
export const isWithin = (path: string): boolean =>
  path
    .split('/')
    .some((step) => step.includes('{') || ownSteps.has(step) || wordsOf(step).some((word) => word === 'my'))

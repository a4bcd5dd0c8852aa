import { pathText } from '../json/pointer.ts'
import { isArray, type Json } from '../schema/json.ts'
import type { Doubt } from '../schema/resource.ts'
import { uncoded as said } from './diagnose.ts'
import { isLargeNumber } from './large-integer.ts'
import type { Reduction } from './removals.ts'

export const oneOf = (words: readonly string[]): string => `use one of: ${words.join(', ')}`
export const nearest = (word: string): string => `did you mean "${word}"?`
export const none = 'remove it: it does not exist'

/** How a command ended, without success. */
export const resultWords = { failed: 'failed', running: 'is still running', unknown: 'has no known result' }

export const doubtWords: Readonly<Record<Doubt, string>> = {
  several: 'several objects had its name since it was last read',
  strayed: 'what it belonged to does not exist any more, or is not recorded any more',
  sent: 'a create of it was sent, and its result is unknown',
  deleted: 'a delete of it was sent and got no answer, or something was there after it',
  replaced: 'it was deleted to be replaced, and its successor was not made',
}

/** The reason for an unknown value in a check that reads nothing. */
export const notRefreshed = 'nothing live is read without a refresh'

export const markWords = {
  sensitive: '(sensitive)',
  knownAfterApply: '(known after apply)',
  knownAfter: (address: string, pointer: string) => `(known after apply: ${address} ${pointer})`,
  live: '(as it is read right before)',
}

export const secretRefusals = {
  noSource: (kinds: readonly string[]) => said('it names no secret', putUnder(kinds)),
  otherKind: (kind: string, kinds: readonly string[]) =>
    said(`where checks run there is no \`${kind}:\` to read a secret from`, putUnder(kinds)),
  otherName: (workspace: string, names: readonly string[]) =>
    said(
      `workspace ${workspace} may not read this secret`,
      `name one that it may read: ${names.join(', ') || 'none at all'}; the operator of plumbline sets these names`,
    ),
}

const putUnder = (kinds: readonly string[]): string =>
  `put it where ${kinds.map((kind) => `\`${kind}:\``).join(' or ')} finds it, and name that`

export const unread = (detail: string): string => `could not be read: ${detail}`

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  list: 'a list',
  set: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  map: 'a mapping',
}

export const kindWords = (type: string): string | undefined => kinds[type]

/** What a value is, for people. */
export const kindOf = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  if (isLargeNumber(value)) return kinds['number'] ?? ''
  return value === null ? 'null' : (kinds[isArray(value) ? 'list' : typeof value] ?? 'a value')
}

/** `all 2 members of github_team.core`, `12 of 14 github_repository`. */
export const removalText = ({ type, at, removed, of }: Reduction): string => {
  const amount = removed < of ? `${removed} of ${of}` : removed === 1 ? 'the only one of' : `all ${removed}`
  return at === undefined ? `${amount} ${type}` : `${amount} ${pathText(at.path)} of ${at.address}`
}

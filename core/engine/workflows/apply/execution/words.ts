import type { Left } from '../../../schema/stored/outcome.ts'
import type { SentBack } from '../../../transport/secrets/sent-back.ts'
import { firstOf, leftText } from '../../../values/texts/shorten.ts'

/* All sentences of an apply, except the messages of error codes. */

/** The most places that one failure names. */
const shownPlaces = 10

export const commandWords = {
  accepted: 'it was accepted, and the worker ended before it was done',
  unanswered: 'the worker ended before it noted the answer',
  noTime: 'it was not sent: reading what comes before it leaves too little time for it',
  answered: (status: number | undefined) => `it answered ${status}`,
  /**
   * A target that hides what a caller may not see answers 404 without the permission, and also if the object is gone.
   */
  lacking: (told: string, status: number, permission: string) => {
    if (permission === '') return told
    const needs = status === 404 ? `the same without the permission ${permission}` : `it needs ${permission}`
    return told === '' ? needs : `${told} (${needs})`
  },
  /** A body with all that was read may hold what the target shows and does not take. */
  sentBack: (told: string, { places, hasMembers }: SentBack) => {
    const keeps = hasMembers ? ', or set `keeps: true` if it keeps what a body leaves out' : ''
    const named = firstOf(places, shownPlaces)
    return `${told === '' ? '' : `${told}; `}the request sends back what was read and nobody names: ${named}; if the target refuses one of these places, list it under \`drop\` of the write${keeps}`
  },
  program: (name: string, detail: string) => `${name}: ${detail}`,
  skipped: (because: string) => `${because} did not succeed`,
}

export const endWords = {
  abandoned: 'its worker ended before it was done, and another apply or a correction of the state took over',
  logged: (count: number) => `${count} ${count === 1 ? 'command' : 'commands'} logged, none sent`,
  done: (left: readonly Left[]) =>
    `all commands succeeded${left.length === 0 ? '' : `; not as configured: ${leftText(left)}`}`,
  rest: 'the rest',
  stopped: 'stopped before it',
  unchecked: (why: string | undefined) => `the check after it: ${why ?? 'it failed'}`,
}

export const valueFaults = {
  sensitive: 'it is sensitive, and the configuration does not refer to it here',
  independent: (address: string) => `${address} does not depend on it`,
  noIdentity: (names: readonly string[]) => `what identifies it is not known yet: ${names.join(', ')}`,
}

export const targetChanges = {
  made: 'it exists now',
  gone: 'it does not exist any more',
  archived: 'an object with its name is archived now',
  unarchived: 'no object with its name is archived any more',
  otherArchived: 'the archived object with its name is another one, or was changed',
  otherObject: (names: readonly string[]) => `it is another object, by its ${names.join(', ')}`,
  object: 'it has changed meanwhile',
  version: 'its version has changed',
  unread: (address: string, command: string, detail: string) =>
    `${address} could not be read right before ${command}: ${detail}`,
}

export const waits = {
  noValue: (pointer: string) => `it was accepted, and its answer has no value for the poll at ${pointer}`,
  noLocation: 'it was accepted, and its answer has no Location on this host for the poll',
  secretLocation: 'the Location to poll was not stored, because it contains a secret',
  failed: (words: string) => `it was accepted and failed: ${words}`,
  lost: (words: string) => `it was accepted: ${words}`,
  tooLong: (seconds: number, words: string) =>
    `it was accepted, and was not done after ${seconds} s of waiting: ${words}`,
}

export const broken = {
  notApproved: (address: string) => `${address} was not approved`,
  notPlanned: (address: string) => `${address} was not planned`,
  noIntent: (command: string | undefined) => `no intent was written for ${command ?? 'a write'}`,
  noWaiter: (command: string, place: number) => `${command} has no waiter ${place}`,
}

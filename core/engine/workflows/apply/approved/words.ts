import type { JsonObject } from '../../../schema/json.ts'
import { spellCaller } from '../../../values/spell-value.ts'

/* All sentences about what was approved and what would be sent now. */

export const differences = {
  gone: 'would not be sent any more',
  added: 'is new',
  addedSince: 'is new since the apply was interrupted',
  moved: 'would be sent at another place',
  caller: (now: JsonObject | undefined, then: JsonObject | undefined) =>
    `would be sent as ${spellCaller(now)}, and not as ${spellCaller(then)}`,
  body: 'would have another body',
  request: (method: string, url: string) => `would be ${method} ${url}`,
  sentBy: 'was sent by another apply since, with an unknown result',
  object: 'would meet an object that has changed since',
  other: 'has other properties',
}

export const policyWords = {
  blocked: (reason: string, detail: string) => `its change is blocked, ${reason}: ${detail}`,
  unchecked: (reason: string, detail: string) => `it is unchecked, ${reason}: ${detail}`,
}

export const doubts = {
  unread: (detail: string) => `it may have been sent, and its resource cannot be read: ${detail}`,
  unseen:
    'it may have been sent before its worker ended, and nothing shows it yet; it is not sent again, because that could do it twice',
}

export const requestFaults = {
  noAnswer: (address: string, pointer: string) => `${address} answered no value at "${pointer}" that fits`,
  lostSegment: (url: string) => `its path would be ${url}`,
}

export const polls = {
  failed: 'it failed',
  lost: 'the operation does not exist any more, and its result is unknown',
  nothing: 'nothing is there yet',
  accepted: 'it is 202',
  remains: 'it still exists',
  state: (state: string) => `it is ${state}`,
  because: (words: string, reason: string) => `${words}: ${reason}`,
}

import { AppError } from '../../core/engine/errors/errors.ts'
import { isArray, isObject, type Json } from '../../core/engine/schema/json.ts'
import type { Asked, serve } from './api.ts'

/* Reads that fail, in the ways in which servers and networks fail: each shows that it is no answer. */

type Answered = ReturnType<typeof serve>

export const failures = ['error', 'forbidden', 'timeout', 'garbage', 'bare', 'hole', 'hidden', 'caller'] as const

export interface Blind {
  /**
   * `error`: 500; `forbidden`: 403; `timeout`; `garbage`: a body that is cut off; `bare`: objects without what they are known
   * by; `hole`: later pages of a list are empty when they are asked for the first time; `hidden`: a zone is not there for the
   * caller, with all that is in it; `caller`: the credentials are those of another user, who sees less.
   */
  readonly how: (typeof failures)[number]
  /** How many reads come well before it begins. */
  readonly from: number
  /** Of three URLs which one fails, in the order in which they are asked for; 3: all of them. */
  readonly which: number
}

/** Answers what comes of a read. An error is what the transport rejects with. */
export const spoil = ({ how, from, which }: Blind) => {
  const urls: string[] = []
  const asked = new Set<string>()
  let reads = 0
  let hides = false
  const isMeant = (url: string): boolean => {
    if (!urls.includes(url)) urls.push(url)
    reads += 1
    return reads > from && (which === 3 || urls.indexOf(url) % 3 === which)
  }
  const answer = ({ method, url }: Asked, answered: Answered): Answered | AppError => {
    if (!isMeant(url)) return answered
    const failed = ((): Answered | AppError | undefined => {
      switch (how) {
        case 'error':
          return { status: 500, headers: json, body: { error: 'try again' } }
        case 'forbidden':
          return { status: 403, headers: json, body: { error: 'not allowed' } }
        case 'timeout':
          return new AppError('REQUEST_FAILED', { method, url, detail: 'no whole answer', reason: 'timeout' })
        case 'garbage':
          return new AppError('RESPONSE_INVALID', { method, url, detail: 'the body is cut off' })
        case 'bare':
          return answered.status === 200 && !isEmpty(answered.body)
            ? { ...answered, body: bare(answered.body) }
            : undefined
        case 'hidden':
        case 'caller':
          return undefined
        case 'hole': {
          const isFirst = !asked.has(url) && isLater(url)
          asked.add(url)
          if (!isFirst || !isArray(answered.body) || isEmpty(answered.body)) return undefined
          hides = true
          return { ...answered, body: [] }
        }
      }
    })()
    return failed ?? answered
  }
  /** A list that is read again is whole, so that a hole says nothing of what it was read for. */
  const isFailure = (spoiled: Answered | AppError, answered: Answered): boolean =>
    spoiled !== answered && how !== 'hole'
  return { answer, isFailure, isHiding: () => hides }
}

const json = { 'content-type': 'application/json' }

const isEmpty = (body: Json): boolean => isArray(body) && body.length === 0

const isLater = (url: string): boolean => Number(new URL(url).searchParams.get('page') ?? 1) > 1

/** Without names and ids. */
const bare = (body: Json): Json => {
  if (isArray(body)) return body.map(bare)
  if (!isObject(body)) return body
  const { id: _, name: __, ...rest } = body
  return rest
}

/** Those that hide objects, instead of failing. */
export const hidesThings = ({ how }: Blind): boolean => how === 'hidden' || how === 'caller'

export const describeBlind = ({ how, from, which }: Blind): string => {
  if (how === 'hidden') return 'a zone is hidden, with all that is in it'
  if (how === 'caller') return 'with the credentials of another user'
  return `${which === 3 ? 'all reads' : `the reads of each third URL (${which})`} fail (${how})${from === 0 ? '' : ` after ${from}`}`
}

import type { Request, Response } from '../../schema/command.ts'
import type { Clock } from '../../schema/ports.ts'
import { defined } from '../../values/defined.ts'
import { resetIn } from './retry.ts'

/** Headers that tell a limit of requests, in lower case. */
export interface QuotaHeaders {
  readonly limit?: string
  readonly remaining: string
  readonly reset: string
  /** Names the limit, if the API has several. */
  readonly resource?: string
}

export interface Left {
  readonly limit?: number
  readonly remaining: number
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly resetAt: number
}

/** What is left of each limit of one API. A limit without a name has the name ''. */
export interface Lefts {
  most(): Left | undefined
  /** The name of the limit that a request will count for, as far as earlier answers show it. */
  nameFor(request: Request): string
  /** True if it is unknown what is left, and an answer may tell. */
  isUnknown(name: string): boolean
  /** Milliseconds until a request may be sent; 0 for now. */
  waitFor(name: string, reserve: number): number
  /** Counts a request that is under way. The returned function ends that. */
  begin(name: string): () => void
  learn(request: Request, response: Response): void
}

/** No limit lasts longer, so a later time is a mistake. */
export const longestWindowMs = 86_400_000
/** Reset times of one window differ by the time that an answer takes. */
const sameWindowMs = 5_000

export const createLefts = (headers: QuotaHeaders | undefined, clock: Pick<Clock, 'now'>): Lefts => {
  const lefts = new Map<string, Left>()
  const underWay = new Map<string, number>()
  const answered = new Map<string, number>()
  const names = new Map<string, string>()
  const untold = new Set<string>()
  let latest = ''
  const now = (): number => clock.now().getTime()
  const nameFor = (request: Request): string =>
    prefixesOf(request)
      .map((prefix) => names.get(prefix))
      .find((name) => name !== undefined) ?? latest
  return {
    most: () => {
      const [first] = [...lefts].toSorted(([a], [b]) => (answered.get(b) ?? 0) - (answered.get(a) ?? 0))
      return first?.[1]
    },
    nameFor,
    isUnknown: (name) => headers !== undefined && !untold.has(name) && (lefts.get(name)?.resetAt ?? 0) <= now(),
    waitFor: (name, reserve) => {
      const left = lefts.get(name)
      if (left === undefined || left.resetAt <= now()) return 0
      const free = left.remaining - (underWay.get(name) ?? 0) - Math.floor((left.limit ?? 0) * reserve)
      return free > 0 ? 0 : left.resetAt - now()
    },
    begin: (name) => {
      underWay.set(name, (underWay.get(name) ?? 0) + 1)
      return () => underWay.set(name, (underWay.get(name) ?? 1) - 1)
    },
    learn: (request, response) => {
      const told = headers && leftIn(headers, response.headers, now())
      if (told === undefined) {
        untold.add(nameFor(request))
        return
      }
      const { name, left } = told
      untold.delete(name)
      for (const prefix of prefixesOf(request)) names.set(prefix, name)
      latest = name
      answered.set(name, (answered.get(name) ?? 0) + 1)
      const known = lefts.get(name)
      // Answers arrive in any order, so in one window the lowest number is the latest.
      const isSame = known !== undefined && Math.abs(known.resetAt - left.resetAt) < sameWindowMs
      lefts.set(name, isSame ? { ...left, remaining: Math.min(left.remaining, known.remaining) } : left)
    },
  }
}

/** Longest first. Paths that count for one limit have the same beginning, such as `/search` or `/api/graphql`. */
const prefixesOf = ({ url }: Request): readonly string[] => {
  const segments = (URL.parse(url)?.pathname ?? '').split('/')
  return [5, 4, 3, 2].filter((length) => length <= segments.length).map((length) => segments.slice(0, length).join('/'))
}

type AnswerHeaders = Response['headers']

/** `undefined` for impossible numbers. */
const leftIn = (
  { limit, remaining, reset, resource }: QuotaHeaders,
  headers: AnswerHeaders,
  now: number,
): { readonly name: string; readonly left: Left } | undefined => {
  const rest = Number(headers[remaining] ?? Number.NaN)
  const most = limit === undefined ? Number.NaN : Number(headers[limit] ?? Number.NaN)
  const wait = resetIn(headers[reset], serverTime(headers, now))
  if (!Number.isFinite(rest) || wait === undefined || wait <= 0 || wait > longestWindowMs) return undefined
  const name = resource === undefined ? '' : (headers[resource] ?? '')
  const known = most > 0 && Number.isFinite(most) ? most : undefined
  return { name, left: { remaining: Math.max(0, Math.floor(rest)), resetAt: now + wait, ...defined({ limit: known }) } }
}

/** The server counts by its own clock. */
export const serverTime = ({ date }: AnswerHeaders, now: number): Date => {
  const there = Date.parse(date ?? '')
  return new Date(Number.isNaN(there) ? now : there)
}

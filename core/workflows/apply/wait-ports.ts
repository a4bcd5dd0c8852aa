import { AppError } from '../../errors.ts'
import { redactUrl } from '../../ledger/redact.ts'
import type { Command, PlannedRequest } from '../../schema/command.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Apply, Waiting } from '../../schema/records.ts'
import type { Address } from '../../schema/resource.ts'
import { urlWords } from '../../schema/url.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import type { Opened } from '../session/open-session.ts'
import { fillAll } from './approved/fill-known.ts'
import { excerptOf } from './excerpt.ts'
import { valuesFor } from './guard/after-values.ts'
import type { HeldLock } from './lock/hold-lock.ts'
import type { WaitPorts } from './wait-for.ts'
import { writeLedger } from './write-ledger.ts'

export interface WaitContext {
  readonly apply: Apply
  readonly opened: Opened
  readonly lock: HeldLock
  readonly shouldStop: () => boolean
  /** Reads ids that no answer told, where a request needs them. */
  readonly lookUp?: (request: PlannedRequest) => Promise<void>
}

/** What waiting touches for real. Polls are reads, and every one of them is sent. */
export const waitPorts = ({ apply, opened, lock, shouldStop, lookUp }: WaitContext, deps: Deps): WaitPorts => {
  const { channels, produced } = opened
  return {
    shouldStop,
    now: deps.clock.now,
    sleep: (milliseconds) => deps.clock.sleep(milliseconds),
    waiting: async (command, waiting) => {
      const answers = { ...produced.answers.get(command.address), ...waiting.answers }
      produced.answers.set(command.address, answers)
      const entry = { kind: 'waiting' as const, command, waiting: keepable(waiting, answers, opened) }
      await writeLedger(apply, [entry], lock.current(), deps)
    },
    poll: async (command, waiting) => {
      lock.current()
      const request = requestOf(command, waiting)
      await lookUp?.(request)
      return channels
        .of(providerOf(command.address, opened))
        .look.send(fillAll(request, valuesFor(command.address, opened)))
    },
    polled: ({ id }, detail) => deps.progress?.({ step: 'polling', id, detail }),
    excerpt: excerptOf(channels.redactor),
  }
}

const requestOf = ({ id, wait = [] }: Command, { waiter, location }: Waiting): PlannedRequest => {
  const found = wait[waiter]
  if (found === undefined) throw new AppError('INTERNAL', { detail: `${id} has no waiter ${waiter}` })
  const { request } = found
  if (found.location !== true) return request
  if (location !== undefined) return { ...request, url: location }
  const { method, url } = request
  const detail = 'the Location at which to ask was not kept, because a secret stands in it'
  throw new AppError('RESPONSE_INVALID', { method, url: urlWords(url), detail })
}

const providerOf = (address: Address, { loaded, recorded }: Opened): string =>
  [...loaded.configuration.resources, ...recorded.resources].find((each) => each.address === address)?.provider ?? ''

/** Without what holds a secret: then another worker cannot go on, and says so. */
const keepable = (
  { location, answers: _, ...waiting }: Waiting,
  answers: JsonObject,
  { channels: { redactor } }: Opened,
): Waiting => {
  const kept = Object.entries(answers).flatMap(([pointer, value]) =>
    value !== null && typeof value !== 'object' && redactor.json(value) === value ? [[pointer, value] as const] : [],
  )
  const isPlain = location !== undefined && redactor.text(redactUrl(location)) === location
  return {
    ...waiting,
    ...defined({
      location: isPlain ? location : undefined,
      answers: kept.length === 0 ? undefined : Object.fromEntries(kept),
    }),
  }
}

import { AppError } from '../../../errors/errors.ts'
import { redactUrl } from '../../../ledger/redact.ts'
import type { Command, PlannedRequest, Response } from '../../../schema/command.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Waiting } from '../../../schema/stored/waiting.ts'
import type { Redactor } from '../../../transport/redaction/redact.ts'
import { defined } from '../../../values/defined.ts'
import { mapMembers, unlessEmpty } from '../../../values/members.ts'
import { shorten } from '../../../values/texts/shorten.ts'
import { urlWords } from '../../../values/url.ts'
import type { Deps } from '../../deps.ts'
import type { OpenWorkspace } from '../../session/open-session.ts'
import { fillAll } from '../approved/fill-known.ts'
import type { ApplyRun } from '../execution/apply-run.ts'
import { valuesFor } from '../execution/known-values.ts'
import type { WaitPorts } from '../execution/wait-for.ts'
import { broken, waits } from '../execution/words.ts'

type LookUpIds = (command: Command, request: PlannedRequest) => Promise<void>

/** Polls are reads that no cache answers. */
export const waitPorts = (
  { opened, log, ending }: Pick<ApplyRun, 'opened' | 'log' | 'ending'>,
  lookUp: LookUpIds,
  deps: Deps,
): WaitPorts => {
  const { transports, known } = opened
  return {
    shouldStop: () => ending() !== undefined,
    now: deps.clock.now,
    sleep: (milliseconds) => deps.clock.sleep(milliseconds),
    waiting: async (command, waiting) => {
      const answers = { ...known.of(command.address).answers, ...waiting.answers }
      known.learn(command.address, { answers })
      await log.write([{ kind: 'waiting', command, waiting: keepable(waiting, answers, opened) }])
    },
    poll: async (command, waiting) => {
      log.lock()
      const request = requestOf(command, waiting)
      await lookUp(command, request)
      return transports
        .of(providerOf(command.address, opened))
        .read.send(fillAll(request, valuesFor(command.address, opened)))
    },
    polled: ({ id }, detail) => deps.progress?.({ step: 'polling', id, detail }),
    excerpt: excerptOf(transports.redactor),
  }
}

const requestOf = ({ id, wait = [] }: Command, { waiter, location }: Waiting): PlannedRequest => {
  const found = wait[waiter]
  if (found === undefined) throw new AppError('INTERNAL', { detail: broken.noWaiter(id, waiter) })
  const { request } = found
  if (found.location !== true) return request
  if (location !== undefined) return { ...request, url: location }
  const { method, url } = request
  throw new AppError('RESPONSE_INVALID', { method, url: urlWords(url), detail: waits.secretLocation })
}

const providerOf = (address: Address, { loaded, recorded }: Pick<OpenWorkspace, 'loaded' | 'recorded'>): string =>
  [...loaded.configuration.resources, ...recorded.resources].find((each) => each.address === address)?.provider ?? ''

/** Leaves out values that contain a secret. Another worker cannot continue without them, and says so. */
const keepable = (
  { location, answers: _, ...waiting }: Waiting,
  answers: JsonObject,
  { transports: { redactor } }: Pick<OpenWorkspace, 'transports'>,
): Waiting => {
  const kept = mapMembers(answers, (value) =>
    value !== null && typeof value !== 'object' && redactor.json(value) === value ? value : undefined,
  )
  const isPlain = location !== undefined && redactor.text(redactUrl(location)) === location
  return { ...waiting, ...defined({ location: isPlain ? location : undefined, answers: unlessEmpty(kept) }) }
}

/** The longest excerpt of an answer that is stored, in characters. */
const excerptLength = 500
const excerptOf =
  (redactor: Pick<Redactor, 'text'>) =>
  ({ body }: Pick<Response, 'body'>): string =>
    // All of it is searched before it is cut: of a secret that is longer than what is searched, the beginning would be shown.
    shorten(redactor.text(textOf(body)), excerptLength).toWellFormed()

const textOf = (body: Response['body']): string =>
  body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body)

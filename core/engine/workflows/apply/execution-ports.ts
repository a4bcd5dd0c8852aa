import { fromPointer, valueAt } from '../../json/pointer.ts'
import type { PlannedRequest } from '../../schema/command.ts'
import { type Command, type HeaderPlace, isSuccess, type Request, type Response } from '../../schema/command.ts'
import type { Json } from '../../schema/json.ts'
import { isFailure } from '../../schema/stored/outcome.ts'
import { meantStatus } from '../../transport/answer/answer-errors.ts'
import { idInHeader } from '../../transport/answer/id-in-header.ts'
import { type SentBack, sentBackIn } from '../../transport/secrets/sent-back.ts'
import { learnAll } from '../../transport/sign-in/resolve-secrets.ts'
import type { WireRequest } from '../../transport/transport.ts'
import { splitPlace } from '../../values/addresses/address.ts'
import { defined } from '../../values/defined.ts'
import { holdsLive } from '../../values/marks/marks.ts'
import { mapMembers, unlessEmpty } from '../../values/members.ts'
import { urlParts } from '../../values/url.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../session/open-session.ts'
import { baseMoved } from '../session/preview/base-moved.ts'
import { fillAll } from './approved/fill-known.ts'
import type { Execution } from './execution/apply-run.ts'
import type { ExecutionPorts } from './execution/execute-commands.ts'
import { valuesFor, withVersion } from './execution/known-values.ts'
import { guardCommands } from './guard/guard-commands.ts'
import { lookUpMade, plannedOf } from './guard/look-again.ts'
import { seenFor } from './guard/seen-for.ts'
import { recordApplied } from './record-applied.ts'
import { recordCreates } from './record-creates.ts'
import { waitPorts } from './waiting/wait-ports.ts'

export const executionPorts = (execution: Execution, deps: Deps): ExecutionPorts => {
  const { session, log, fence, ready, earlier, approved } = execution
  let n = 0
  const lookUp = ({ url, body = null }: PlannedRequest): Promise<void> =>
    lookUpMade([...urlParts(url), body], undefined, session, deps)
  const guard = guardCommands(execution, deps)
  const creates = recordCreates(execution, deps)
  const record = recordApplied(execution, deps)
  const isNew = (address: string): boolean =>
    approved.changes.some((change) => change.address === address && change.action === 'create')
  const sentBack = new Map<string, SentBack>()
  return {
    ...waitPorts(execution, (_, request) => lookUp(request), deps),
    intent: async (command) => {
      const { id, description } = command
      n += 1
      deps.progress?.({ step: 'command', id, description, n, of: ready.commands.length })
      await log.write([{ kind: 'intent', command }])
      await record.save(await creates.sending(command))
    },
    changedSince: async (command) =>
      ((await baseMoved(session.base, deps)) ?? (await guard.changedSince(command)))?.message,
    send: async (command) => {
      await lookUp(command.request)
      const build = () => fillAll(withVersion(command, session), valuesFor(command.address, session))
      const { request, still } = seenFor({ command, guard, session, build }, deps)
      fence.admit(command, earlier.attempts.get(command.id) ?? 0, still)
      const response = await sendCommand(command, request, session)
      if (!isSuccess(command, meantStatus(command, response))) {
        sentBack.set(command.id, sentBackBy(request, session))
        learnLive(command, session)
      }
      return response
    },
    sentBack: ({ id }) => sentBack.get(id),
    isOut: (command) => fence.stateOf(command) === 'out',
    unsent: async (command) => {
      if (fence.stateOf(command) !== 'new') await log.write([{ kind: 'intent', command }])
    },
    result: async (command, outcome) => {
      const { id, address, action } = command
      const { status, detail, running } = outcome
      await log.write([{ kind: 'result', command, outcome }])
      await record.save(creates.ended(command, outcome))
      deps.progress?.({ step: 'outcome', id, status, ...defined({ detail, running }) })
      if (isFailure(outcome)) return
      const made = await guard.done(command)
      // The ids of a created object are recorded now, whatever happens later, unless the record still has the ids of
      // the object that is replaced.
      if (made !== undefined && action === 'create' && isNew(address)) await record.read(address, made, { by: command })
    },
    applied: (address) => record.readAgain(address, creates.beside(address)),
  }
}

const sendCommand = async (command: Command, filled: Request, session: Session): Promise<Response> => {
  const { provider } = plannedOf(command.address, session)
  const request: WireRequest = { ...filled, command: command.id }
  const response = await session.transports.of(provider).write.send(request)
  if (command.action === 'create') session.known.create(command.address)
  const answers = unlessEmpty(
    mapMembers(command.produces ?? {}, (place): Json | undefined =>
      typeof place === 'string'
        ? valueAt(response.body, fromPointer(place))
        : idWithoutSecrets(response, place, filled.url, session),
    ),
  )
  if (answers !== undefined) session.known.learn(command.address, { answers })
  return response
}

/**
 * An id from a header is recorded without a read that could seal it, so it must not contain a secret; nor may it be the rest of one that
 * a parser of URLs has cut: the header has the same id without its secrets.
 */
const idWithoutSecrets = (
  response: Response,
  place: HeaderPlace,
  asked: string,
  { transports: { redactor } }: Pick<Session, 'transports'>,
): string | undefined => {
  const id = idInHeader(response, place, asked)
  if (id === undefined || redactor.text(id) !== id) return undefined
  const headers = mapMembers(response.headers, (text) => redactor.text(text))
  return idInHeader({ ...response, headers }, place, redactor.text(asked)) === id ? id : undefined
}

/** What a refused request has sent back. Of the names of members, as of all that an outcome says, secrets are cut out. */
const sentBackBy = ({ body }: Request, { known, transports }: Pick<Session, 'known' | 'transports'>): SentBack => {
  const { places, hasMembers } = sentBackIn(body, ({ $live }) => {
    const [address, name] = splitPlace($live)
    return known.of(address).objects?.[name]
  })
  return { places: places.map((place) => transports.redactor.text(place)), hasMembers }
}

/** A target that refuses an object may repeat parts of it, and it is unknown which of them are secret. */
const learnLive = (
  { address, request }: Command,
  { known, transports }: Pick<Session, 'known' | 'transports'>,
): void => {
  if (!holdsLive(request.body)) return
  for (const object of Object.values(known.of(address).objects ?? {})) {
    learnAll(object, (text) => {
      if (text.length >= 4) transports.redactor.learn(text)
    })
  }
}

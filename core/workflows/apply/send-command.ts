import { fromPointer, valueAt } from '../../json/pointer.ts'
import { type Command, isSuccess, type Request, type Response } from '../../schema/command.ts'
import { meantStatus } from '../../transport/answer/answer-errors.ts'
import { toldInHeader } from '../../transport/answer/told-in-header.ts'
import { learnAll } from '../../transport/secrets/resolve-secrets.ts'
import type { WireRequest } from '../../transport/transport.ts'
import { holdsLive } from '../../values/marks.ts'
import { forget, type Session } from '../session/open-session.ts'
import { plannedOf } from './guard/look-again.ts'

/** Sends a command through its provider's fence, and keeps what its answer tells for the commands after it. */
export const sendCommand = async (command: Command, filled: Request, session: Session): Promise<Response> => {
  const { provider } = plannedOf(command.address, session)
  const request: WireRequest = { ...filled, command: command.id }
  const response = await session.channels.of(provider).write.send(request)
  if (!isSuccess(command, meantStatus(command, response))) learnLive(command, session)
  if (command.action === 'create') forget(command.address, session.produced)
  const answers = Object.entries(command.produces ?? {}).flatMap(([name, place]) => {
    const value =
      typeof place === 'string'
        ? valueAt(response.body, fromPointer(place))
        : withoutSecrets(toldInHeader(response, place, filled.url), session)
    return value === undefined ? [] : [[name, value] as const]
  })
  if (answers.length > 0) session.produced.answers.set(command.address, Object.fromEntries(answers))
  return response
}

/** An id of a header goes into the record without a read that could seal it. */
const withoutSecrets = (id: string | undefined, { channels: { redactor } }: Session): string | undefined =>
  id !== undefined && redactor.text(id) === id ? id : undefined

/** A target that refuses an object may repeat parts of it, and nobody knows which of them are secrets. */
const learnLive = ({ address, request }: Command, { produced, channels }: Session): void => {
  if (!holdsLive(request.body)) return
  for (const object of Object.values(produced.objects.get(address) ?? {})) {
    learnAll(object, (text) => {
      if (text.length >= 4) channels.redactor.learn(text)
    })
  }
}

import { fromPointer, toPointer, valueAt } from '../../../../engine/json/pointer.ts'
import type { Caller, ReadDeps } from '../../../../engine/provider/provider.ts'
import type { Response } from '../../../../engine/schema/command.ts'
import type { Json } from '../../../../engine/schema/json.ts'
import type { RestSettings } from '../../document/api/provider.ts'
import { pointerOf } from '../../document/shared/template.ts'
import { badBody } from '../../request/ask.ts'
import type { RestContext } from '../../request/context.ts'
import { askProvider } from './ask-provider.ts'
import { callerLacks, noCaller } from './words.ts'

export type AskMe = (deps: ReadDeps) => Promise<Caller>

/** Reads who the credentials belong to. `undefined` if the document does not describe how. */
export const meOf = (context: RestContext): AskMe | undefined => {
  const { me } = context.settings
  if (me === undefined) return undefined
  return async (deps) => {
    const answer = await askMe({ ...context, ...deps }, me)
    return answer.kind === 'unknown' ? noCaller(answer) : answer
  }
}

const askMe = async (
  context: RestContext & ReadDeps,
  { read, as }: NonNullable<RestSettings['me']>,
): Promise<Caller> => {
  const asked = await askProvider(context, read, { isQuoted: true })
  if (asked.kind === 'unknown') return asked
  const values = Object.entries(as).map(([name, place]) => ({
    name,
    place,
    value: valueIn(asked.response, pointerOf(place, asked.answer)),
  }))
  const lacking = values.find(({ value }) => !isTelling(value))
  if (lacking !== undefined) return badBody(asked.request, callerLacks(lacking.value, lacking.place))
  return { kind: 'known', as: Object.fromEntries(values.flatMap(({ name, value = null }) => [[name, value]])) }
}

/** An inexact number could be the id of another user. */
const valueIn = ({ body, numbers = {} }: Response, pointer: string): Json | undefined =>
  Object.hasOwn(numbers, toPointer(fromPointer(pointer))) ? undefined : valueAt(body, fromPointer(pointer))

const isTelling = (value: Json | undefined): boolean =>
  value !== undefined && value !== '' && ['string', 'number', 'boolean'].includes(typeof value)

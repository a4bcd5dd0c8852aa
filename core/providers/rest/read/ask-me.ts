import { fromPointer, toPointer, valueAt } from '../../../json/pointer.ts'
import type { Response } from '../../../schema/command.ts'
import type { Json } from '../../../schema/json.ts'
import type { Caller, ReadDeps } from '../../provider.ts'
import { withProviderDefaults } from '../document/defaults.ts'
import type { RestSettings } from '../document/provider.ts'
import { pointerOf, scopeOf } from '../document/template.ts'
import { ask, badBody, buildRead, kindOf, unresolved } from '../request/ask.ts'
import type { Context } from '../request/context.ts'
import { unknowns } from './words.ts'

export type AskMe = (deps: ReadDeps) => Promise<Caller>

/** Asks who the credentials belong to. `undefined` where the document does not say how. */
export const meOf = (context: Context): AskMe | undefined => {
  const { me } = context.settings
  if (me === undefined) return undefined
  return async (deps) => {
    const answer = await askMe({ ...context, ...deps }, me)
    return answer.kind === 'unknown' ? unknowns.noCaller(answer) : answer
  }
}

const askMe = async (context: Context & ReadDeps, { read, as }: NonNullable<RestSettings['me']>): Promise<Caller> => {
  const operation = withProviderDefaults(context.settings, read)
  const built = buildRead(context, operation, scopeOf({ ...context.params, with: context.inputs }))
  if (!built.ok) return unresolved(built)
  const { request } = built
  const answer = await ask(context, { operation, request, absent: operation.absent ?? [] })
  if (answer.kind === 'unknown') return answer
  if (answer.kind === 'absent') return badBody(request, 'that there is nothing')
  const values = Object.entries(as).map(([name, place]) => {
    const pointer = pointerOf(place, operation.answer)
    return { name, place, value: valueIn(answer.response, pointer) }
  })
  const lacking = values.find(({ value }) => !isTelling(value))
  if (lacking !== undefined) return badBody(request, `${kindOf(lacking.value)} at ${lacking.place}`)
  return { kind: 'known', as: Object.fromEntries(values.flatMap(({ name, value = null }) => [[name, value]])) }
}

/** A number that is not kept exactly would be somebody else's. */
const valueIn = ({ body, numbers = {} }: Response, pointer: string): Json | undefined =>
  Object.hasOwn(numbers, toPointer(fromPointer(pointer))) ? undefined : valueAt(body, fromPointer(pointer))

const isTelling = (value: Json | undefined): boolean =>
  value !== undefined && value !== '' && ['string', 'number', 'boolean'].includes(typeof value)

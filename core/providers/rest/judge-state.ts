import { failureWords } from '../../command/answer-errors.ts'
import type { JsonObject } from '../../schema/json.ts'
import { toPointer, valueAt } from '../../schema/json.ts'
import { spellValue } from '../../schema/spell-value.ts'
import { holdsState } from '../../schema/states.ts'
import type { Target } from '../provider.ts'
import type { Unknown } from './ask.ts'
import type { TypeContext } from './context.ts'
import { placeOf } from './template.ts'

/**
 * What the state of an object keeps from being said about it. While another change is under way its attributes are on the
 * move. In a state of error they may be as they should and it is not; only where it shall go anyway that does not matter.
 */
export const judgeState = (
  { resource }: TypeContext,
  { leaving }: Target,
  { object, ids }: { readonly object: JsonObject; readonly ids: Readonly<Record<string, string>> },
): Unknown | undefined => {
  const { states } = resource.lifecycle ?? {}
  const state = states && valueAt(object, placeOf(states.at))
  if (states === undefined || state === undefined || state === null) return undefined
  const known = Object.keys(ids).length === 0 ? {} : { ids }
  const is = `it is ${spellValue(state)}`
  if (holdsState(states.busy ?? [], state)) {
    return { kind: 'unknown', reason: 'busy', detail: `${is}: another change of it is under way`, ...known }
  }
  if (leaving || !holdsState(states.error ?? [], state)) return undefined
  const places = [states.message ?? []].flat().map((place) => toPointer(placeOf(place)))
  const said = failureWords({ message: places }, object)
  const detail = `${is}${said === undefined ? '' : ` (${said})`}; mend it there, or declare it absent to have it deleted`
  return { kind: 'unknown', reason: 'erred', detail, ...known }
}

import type { Response } from '../../../schema/command.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { entriesOf, sameValue } from '../document/attributes.ts'
import type { Part } from '../document/part.ts'
import type { TypeContext } from '../request/context.ts'
import { decodeAll } from '../request/decode.ts'
import { lackIn } from '../request/whole-answer.ts'
import { listedEntries } from './listed.ts'

interface Answered {
  readonly object: JsonObject
  /** Absent for an element of a list. */
  readonly response?: Response
}

/** The keys that an item of the list of `lookup` shows. */
const listedKeys = (context: TypeContext, item: JsonObject): Record<string, Json | undefined> => {
  const { lookup } = context.resource
  const live = decodeAll(listedEntries(context), item)
  return Object.fromEntries('match' in lookup ? lookup.match.map((key) => [key, live[key]]) : [])
}

/**
 * What keeps the answers of an object's parts, one after the other, from being the whole of one object: one lacks what the
 * document says it shows, or is about another object than those before it.
 */
export const agreeingAnswers = (
  context: TypeContext,
  found: Answered,
): ((part: Part, answer: Answered) => string | undefined) => {
  const { resource } = context
  const told: Record<string, Json | undefined> = found.response === undefined ? listedKeys(context, found.object) : {}
  return (part, { object, response }) => {
    const entries = entriesOf(part)
    // An answer that came alone was looked at when it came.
    const lack = response === undefined ? lackIn(resource, entries, object, undefined) : undefined
    if (lack !== undefined) return `an answer with ${lack}`
    const live = decodeAll(entries, object)
    for (const key of resource.identity.keys) {
      const [entry, value, before] = [entries[key], live[key], told[key]]
      if (entry === undefined || value === undefined) continue
      if (before !== undefined && !sameValue(entry, before, value)) return `its ${key} is not that of the answer before`
      told[key] = value
    }
    return undefined
  }
}

import { canBeKey, writtenForm } from '../../../engine/config/write-resources.ts'
import { defaultOf } from '../../../engine/diff/matching/facts.ts'
import type { Attribute } from '../../../engine/schema/attribute.ts'
import type { Json, MaybeJson } from '../../../engine/schema/json.ts'
import { isSensitive } from '../../../engine/schema/value.ts'
import { specOf } from '../import/spec-of.ts'
import { type Refusal, refusals } from './words.ts'

type FormOrRefusal = { readonly value: Json } | { readonly refusal: Refusal }

const emptyValues: Readonly<Record<string, Json>> = { list: [], set: [], map: {}, object: {}, string: '' }

/** The attribute has no value, or the object does not have it. */
const formOfNothing = (facts: Attribute, live: null | undefined): FormOrRefusal => {
  const implied = live === null ? undefined : defaultOf(facts)
  const form = implied === undefined ? undefined : writtenForm(implied)
  if (form !== undefined) return { value: form }
  if (facts.required || facts.identity || facts.nullMeans === 'reject') return { refusal: refusals.required() }
  return { value: facts.nullMeans === 'empty' ? (emptyValues[facts.type] ?? null) : null }
}

/** Returns the written form of a live value, without parts that the server sets, or that equal a default. */
export const formOfLive = (facts: Attribute, live: MaybeJson, spoken: MaybeJson, key?: string): FormOrRefusal => {
  if (key !== undefined && !canBeKey(key)) return { refusal: refusals.unwritable() }
  if (live === undefined || live === null) return formOfNothing(facts, live)
  if (facts.sensitive || isSensitive(live)) return { refusal: refusals.secret() }
  if (facts.writeOnly) return { refusal: refusals.writeOnly() }
  if (facts.computed) return { refusal: refusals.computed() }
  // The default and the identity of the attribute itself are ignored, so that the value is written.
  const { default: _, identity: __, ...plain } = facts
  const { spec, leftOut } = specOf({ attributes: { live: plain } }, { live }, () => undefined)
  const [lacking] = leftOut.filter(({ why, required }) => why !== 'write-only' || required)
  if (lacking?.why === 'secret') return { refusal: refusals.secret() }
  if (lacking?.why === 'write-only') return { refusal: refusals.writeOnly() }
  const value = spoken ?? spec['live']
  return value === undefined || lacking !== undefined ? { refusal: refusals.unwritable() } : { value }
}

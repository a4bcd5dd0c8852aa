import type { Attribute } from '../../schema/attribute.ts'
import type { Json, JsonList } from '../../schema/json.ts'
import { exchange } from '../../values/exchange.ts'
import { elementFacts } from './facts.ts'
import { formText } from './keys.ts'

/** For each desired element, the position of its observed element, if there is one. All positions are different. */
export type ElementPlaces = readonly (number | undefined)[]

/** Whether the observed element at a position already has everything that the desired element declares. */
type Fits = (place: number, element: Json) => boolean

/**
 * Assigns observed elements to desired ones, for lists and for sets without a key.
 * In a list, the element at the same position is tried first, then one with an equal form, then any that fits. In a
 * set, as many elements as possible are assigned: an element that declares little leaves an observed element to another
 * one that needs it. So a set is in sync whenever its elements can be assigned at all, and a second run has the same
 * result.
 */
export const assignElements = (
  attribute: Attribute,
  desired: JsonList,
  observed: JsonList,
  fits: Fits,
): ElementPlaces => {
  const facts = elementFacts(attribute)
  const places: (number | undefined)[] = desired.map(() => undefined)
  const free = new Set(observed.keys())
  const assign = (find: (element: Json, index: number) => number | undefined): void => {
    for (const [index, element] of desired.entries()) {
      const place = places[index] ?? find(element, index)
      places[index] = place
      if (place !== undefined) free.delete(place)
    }
  }
  const fitsFree = (place: number, element: Json): boolean => free.has(place) && fits(place, element)
  if (attribute.type === 'list') assign((element, index) => (fitsFree(index, element) ? index : undefined))
  const byForm = Map.groupBy(free, (place) => formText(facts, observed[place] as Json))
  assign((element) => byForm.get(formText(facts, element))?.shift())
  // Scalars have no undeclared parts, so only an equal form can match.
  assign((element) => (typeof element === 'object' ? [...free].find((place) => fits(place, element)) : undefined))
  return attribute.type === 'set' && free.size > 0
    ? exchange(places, {
        items: desired,
        places: observed.length,
        fits,
        isOpen: (element) => typeof element === 'object',
      })
    : places
}

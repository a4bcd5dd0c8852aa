import { fromPointer, valueAt } from '../../../json/pointer.ts'
import type { Lead } from '../../../provider/references.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import type { ObservedResource } from './observation.ts'

/** Whether a resource is the object that a lead names. `perhaps`: it could not be read, and nothing that is known of it has the value or another one in its place. */
export const meets = ({ value, at, within = {} }: Lead, owner: ObservedResource): 'yes' | 'no' | 'perhaps' => {
  const { observed, recorded, desired, desiredAttributes = desired?.attributes } = owner
  const { result } = observed
  const forms: readonly LeadPlaces[] = [
    { attributes: desiredAttributes ?? {} },
    recorded ?? {},
    result.kind === 'present' ? result : {},
    result.kind === 'absent' ? (result.archived ?? {}) : {},
  ]
  const isElsewhere = forms.some((form) => isIn(form, within) === 'no')
  if (isElsewhere && !forms.some((form) => isIn(form, within) === 'yes')) return 'no'
  const values = forms.flatMap((form) => valueIn(form, at) ?? [])
  if (values.some((each) => String(each) === String(value))) return 'yes'
  return result.kind === 'unknown' && values.length === 0 ? 'perhaps' : 'no'
}

interface LeadPlaces {
  readonly attributes?: JsonObject
  readonly ids?: Readonly<Record<string, string>>
  readonly object?: JsonObject
}

/** `undefined`: the form does not say it. */
const isIn = ({ attributes = {} }: LeadPlaces, within: JsonObject): 'yes' | 'no' | undefined => {
  const told = Object.entries(within).filter(([name]) => isPlain(attributes[name]))
  if (told.length === 0) return undefined
  return told.every(([name, value]) => String(attributes[name]) === String(value)) ? 'yes' : 'no'
}

const isPlain = (value: Json | undefined): boolean => typeof value === 'string' || typeof value === 'number'

const valueIn = ({ attributes = {}, ids = {}, object = {} }: LeadPlaces, at: Lead['at']): Json | undefined =>
  'attribute' in at ? (ids[at.attribute] ?? attributes[at.attribute]) : valueAt(object, fromPointer(at.pointer))

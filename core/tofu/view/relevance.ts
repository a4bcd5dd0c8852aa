import type { Json } from '../../schema/json.ts'
import { elementsOf, memberOf, textOf, type ValueMap } from '../read/value.ts'
import { isChangedAt, readPath } from './paths.ts'

/** Whether a change outside is at a place that something planned comes from. */
export type IsRelevant = (address: string, before: Json | undefined, after: Json | undefined) => boolean

/** One step of an address, `web["a"]`: its name and its key. */
const steps = /([^.[\]]+)(\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\])?/g

const stepsOf = (address: string) => [...address.matchAll(steps)].map(([, name, key]) => ({ name, key }))

/** A step without a key stands for all its instances. */
const coversAddress = (whole: string, address: string): boolean => {
  if (whole === '' || whole === address) return true
  const [wide, exact] = [stepsOf(whole), stepsOf(address)]
  return (
    wide.length === exact.length &&
    wide.every(
      ({ name, key }, place) => name === exact[place]?.name && (key === undefined || key === exact[place]?.key),
    )
  )
}

/** Documents before 1.1 do not say what is relevant, so that all is. */
const isToldIn = (plan: ValueMap): boolean => {
  const [major = 0, minor = 0] = (textOf(plan.get('format_version')) ?? '1.1').split('.').map(Number)
  return plan.has('relevant_attributes') || major > 1 || (major === 1 && minor >= 1)
}

export const readRelevance = (plan: ValueMap): IsRelevant => {
  if (!isToldIn(plan)) return () => true
  const told = elementsOf(plan.get('relevant_attributes')).map((entry) => ({
    resource: textOf(memberOf(entry, 'resource')) ?? '',
    path: readPath(memberOf(entry, 'attribute')),
  }))
  // Most of both lists have nothing to do with each other.
  const byWhole = Map.groupBy(told, ({ resource }) =>
    stepsOf(resource)
      .map(({ name }) => name)
      .join('.'),
  )
  return (address, before, after) => {
    const name = stepsOf(address)
      .map((step) => step.name)
      .join('.')
    return [...(byWhole.get(name) ?? []), ...(byWhole.get('') ?? [])].some(
      ({ resource, path }) => coversAddress(resource, address) && isChangedAt(path, before, after),
    )
  }
}

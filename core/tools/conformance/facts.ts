import type { Attribute } from '../../engine/schema/attribute.ts'
import type { Check } from './check.ts'
import { demand } from './judge.ts'
import { faults } from './words.ts'

export const facts: Check = ({ type }, { declared }) => {
  const { attributes } = type.schema
  const broken = [...brokenFacts(attributes, attributes)]
  demand(broken.length === 0, () => faults.facts(broken))
  for (const written of declared) {
    const prepared = type.prepare?.(written)
    const names = Object.keys(prepared?.ok ? prepared.attributes : written)
    const extra = names.find((name) => !Object.hasOwn(attributes, name))
    demand(extra === undefined, () => faults.undeclared(extra ?? ''))
  }
}

function* brokenFacts(
  attributes: Readonly<Record<string, Attribute>>,
  top: Readonly<Record<string, Attribute>>,
  path = '',
): Generator<string> {
  for (const [name, attribute] of Object.entries(attributes)) {
    const here = `${path}/${name}`
    if (attribute.witness !== undefined && !Object.hasOwn(top, attribute.witness)) yield `${here}: witness`
    const element = attribute.element
    for (const key of attribute.key ?? []) {
      if (!Object.hasOwn(element?.attributes ?? {}, key)) yield `${here}: key ${key}`
    }
    if (element && !['list', 'set', 'map'].includes(attribute.type)) yield `${here}: element`
    if (attribute.attributes && attribute.type !== 'object') yield `${here}: attributes`
    yield* brokenFacts(attribute.attributes ?? {}, top, here)
    if (element) yield* brokenFacts({ element }, top, here)
  }
}

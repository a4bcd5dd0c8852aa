import { isArray, isObject, type Json, type JsonObject } from '../../../core/engine/schema/json.ts'
import type { Draw } from './draw.ts'
import type { Members, Shape } from './shape.ts'

/* States of a target with members that no document names, and what a resource declares of it. */

/** Members that no document names, at every depth; each of their texts is there only once. */
const unnamed = (draw: Draw): JsonObject => {
  const token = `keep-${draw.below(1_000_000_000)}`
  const values: readonly Json[] = [token, { deep: { of: token } }, [token, 1], { list: [{ in: token }], none: null }]
  return draw.chance(60) ? { [draw.of(['x', 'y', 'a.b', 'c/d'])]: draw.of(values) } : {}
}

const texts = ['p', 'q', 'r', '', 'ä b', '1']
const numbers = [0, 1, 2, 1.5, -3]

const drawValue = (draw: Draw, shape: Shape): Json => {
  switch (shape.kind) {
    case 'text':
    case 'computed':
      return draw.of(texts)
    case 'number':
      return draw.of(numbers)
    case 'object':
      return drawObject(draw, shape.members)
    case 'map': {
      const keys = draw.some(['m1', 'm2', 'm.3', ...(shape.ignoreKeys ? ['sys-1', 'sys-2'] : [])], 50)
      return Object.fromEntries(keys.map((key) => [key, draw.chance(8) ? null : drawValue(draw, shape.element)]))
    }
    case 'list':
      return Array.from({ length: draw.below(4) }, () => drawElement(draw, shape.element))
    case 'set':
      return drawSet(draw, shape)
    case 'any':
      return draw.of<Json>([
        'v',
        7,
        { b: 1, ...unnamed(draw) },
        { b: { c: 'x', ...unnamed(draw) }, d: [1, { e: 2 }], ...unnamed(draw) },
        [1, 'two'],
      ])
  }
}

/** An element that shows nothing of what the document names would be refused. */
const drawElement = (draw: Draw, element: Shape): Json => {
  const own = drawValue(draw, element)
  return isObject(own) && element.kind === 'object' ? { ...own, k: own['k'] ?? 'z' } : own
}

const drawSet = (draw: Draw, { element, keyed, ignore }: Extract<Shape, { kind: 'set' }>): Json[] => {
  const count = draw.below(4)
  const keys = draw.shuffled(['e1', 'e2', 'e3', 'e4'])
  const elements = Array.from({ length: count }, (_, index): Json => {
    const own = drawElement(draw, element)
    if (!isObject(own)) return own
    const mark = ignore ? { own: draw.chance(30) } : {}
    return { ...own, ...(keyed ? { k: keys[index] ?? '' } : {}), ...mark }
  })
  return isObject(elements[0]) ? elements : [...new Set(elements)]
}

export const drawObject = (draw: Draw, members: Members): JsonObject => ({
  ...unnamed(draw),
  ...Object.fromEntries(
    Object.entries(members).flatMap(([name, shape]): [string, Json][] => {
      if (draw.chance(12)) return []
      if (draw.chance(8)) return [[name, null]]
      return [[name, drawValue(draw, shape)]]
    }),
  ),
})

/** What somebody declares who has seen the state: some of it as it is, some of it otherwise. */
const declareFrom = (draw: Draw, shape: Shape, there: Json | undefined): Json => {
  const fresh = (): Json => named(shape, drawValue(draw, shape))
  if (there === undefined || there === null) return fresh()
  switch (shape.kind) {
    case 'object':
      return isObject(there) ? declareMembers(draw, shape.members, there) : fresh()
    case 'map': {
      if (!isObject(there)) return fresh()
      const kept = draw.some(
        Object.keys(there).filter((key) => !key.startsWith('sys-')),
        70,
      )
      const added = draw.chance(40) ? { new1: named(shape.element, drawValue(draw, shape.element)) } : {}
      return { ...Object.fromEntries(kept.map((key) => [key, declareFrom(draw, shape.element, there[key])])), ...added }
    }
    case 'list':
    case 'set':
      return isArray(there) ? declareElements(draw, shape, there) : fresh()
    case 'any':
      if (!shape.partial || !isObject(there)) return draw.chance(60) ? there : fresh()
      return Object.fromEntries(
        draw.some(Object.entries(there), 60).map(([name, value]) => [name, draw.chance(60) ? value : 'other']),
      )
    default:
      return draw.chance(60) ? there : fresh()
  }
}

const declareElements = (
  draw: Draw,
  shape: Extract<Shape, { kind: 'list' | 'set' }>,
  there: readonly Json[],
): Json[] => {
  const { element } = shape
  const ours = there.filter((each) => !(shape.kind === 'set' && shape.ignore && isObject(each) && each['own'] === true))
  const keyOf = (value: Json): Json => (isObject(value) ? (value['k'] ?? null) : value)
  const kept = draw.some(ours, 75).map((each) => {
    const declared = declareFrom(draw, element, each)
    if (!isObject(declared) || element.kind !== 'object') return declared
    return shape.kind === 'set' && shape.keyed ? { ...declared, k: keyOf(each) } : { k: keyOf(each), ...declared }
  })
  const added = draw.chance(40) ? [named(element, drawValue(draw, element))] : []
  const more = shape.kind === 'set' && shape.keyed ? added.map((each) => ({ ...(each as JsonObject), k: 'e9' })) : added
  const all = [...kept, ...more]
  if (shape.kind === 'list') return draw.chance(20) ? draw.shuffled(all) : all
  const texts = new Set<string>()
  return all.filter((each) => {
    const text = JSON.stringify(shape.keyed ? keyOf(each) : each)
    const isNew = !texts.has(text)
    texts.add(text)
    return isNew
  })
}

export const declareMembers = (draw: Draw, members: Members, there: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, shape]): [string, Json][] =>
      shape.kind === 'computed' || draw.chance(25) ? [] : [[name, declareFrom(draw, shape, there[name])]],
    ),
  )

/** Without what the document does not name or does not send. */
const named = (shape: Shape, value: Json): Json => {
  switch (shape.kind) {
    case 'object':
      // An object of which nothing is declared is as good as none.
      return isObject(value)
        ? Object.fromEntries([
            ['k', 'n'],
            ...Object.entries(shape.members).flatMap(([name, inner]): [string, Json][] => {
              const child = value[name]
              return inner.kind === 'computed' || child === undefined || child === null
                ? []
                : [[name, named(inner, child)]]
            }),
          ])
        : value
    case 'map':
      return isObject(value)
        ? Object.fromEntries(
            Object.entries(value).flatMap(([key, child]) =>
              key.startsWith('sys-') || child === null ? [] : [[key, named(shape.element, child)]],
            ),
          )
        : value
    case 'list':
    case 'set':
      return isArray(value) ? value.map((each) => named(shape.element, each)) : value
    default:
      return value
  }
}

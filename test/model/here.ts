import { addressOf, type Declaration, type Declared, type Here } from './declared.ts'
import type { Model } from './model.ts'
import { at, itemNames, spaces, zoneNames } from './outside.ts'
import type { Step } from './steps.ts'
import type { Thing } from './world.ts'

/* What people write into the configuration. Each answers the next declaration and what was done, in words. */

export interface Written extends Here {
  readonly words: string
  /** Of a resource that is imported. */
  readonly address?: string
}

const itemLabels = ['one', 'two', 'three', 'four'] as const
const zoneLabels = ['main', 'other'] as const
const kinds = ['plain', 'plain', 'round'] as const
const markLists = [['m1', 'm2', 'm3'], ['m1', 'm2', 'm3'], ['m2'], ['m3', 'm4'], undefined, []] as const
const tagLists = [undefined, ['t1'], ['t1', 't2'], []] as const

const labelsOf = (type: Declared['type']): readonly string[] => (type === 'zone' ? zoneLabels : itemLabels)

const freeLabel = (all: Declaration, type: Declared['type'], a: number): string | undefined =>
  at(
    labelsOf(type).filter((label) => !all.has(addressOf({ type, label }))),
    a,
  )

const withAll = (all: Declaration, changed: readonly Declared[], gone: readonly string[] = []): Declaration => {
  const kept = [...all].filter(([address]) => !gone.includes(address))
  return new Map([...kept, ...changed.map((each) => [addressOf(each), each] as const)])
}

const nameOf = (type: Declared['type'], b: number): string =>
  // Only lower case: what people write is the canonical form.
  type === 'zone' ? (zoneNames[b % 2] ?? 'north') : (itemNames[b % 4] ?? 'a')

/** Two addresses with the same keys are refused as a whole, which is not what is tried here. */
const freeName = (all: Declaration, type: Declared['type'], b: number): string => {
  const used = new Set([...all.values()].flatMap((each) => (each.type === type ? [each.name] : [])))
  const names = [0, 1, 2, 3].map((more) => nameOf(type, b + more))
  return names.find((name) => !used.has(name)) ?? nameOf(type, b)
}

const zoneOf = (all: Declaration, c: number): Declared['zone'] => {
  const zone = at(
    [...all.values()].filter(({ type }) => type === 'zone'),
    c,
  )
  return zone && { label: zone.label, name: zone.name }
}

const declare = (model: Model, here: Here, { a, b, c, do: does }: Step): Written | undefined => {
  const isFirst = model.parents !== 'none' && zoneOf(here.all, 0) === undefined
  const type = isFirst || (does === 'declare zone' && model.parents !== 'none') ? 'zone' : 'item'
  const label = freeLabel(here.all, type, a)
  const zone = type === 'item' && model.parents !== 'none' ? zoneOf(here.all, c) : undefined
  if (label === undefined) return undefined
  const tags = tagLists[a % tagLists.length]
  const marks = model.marks && type === 'item' ? markLists[b % markLists.length] : undefined
  const declared: Declared = {
    type,
    label,
    name: freeName(here.all, type, b),
    space: at(spaces, c) ?? 'x',
    ...(zone === undefined ? {} : { zone }),
    size: c,
    kind: kinds[a % kinds.length] ?? 'plain',
    note: '',
    ...(tags === undefined || type === 'zone' ? {} : { tags }),
    ...(marks === undefined ? {} : { marks }),
    lifecycle: {},
    absent: false,
  }
  return { ...here, all: withAll(here.all, [declared]), words: `declare ${wordsOf(model, declared)}` }
}

const wordsOf = (model: Model, { type, label, name, space, zone, size, kind }: Declared): string =>
  type === 'zone'
    ? `m_zone.${label} (name ${name})`
    : `m_item.${label} (name ${name}${model.keys === 2 ? `, space ${space}` : ''}${zone ? `, zone m_zone.${zone.label}` : ''}, size ${size}, kind ${kind})`

const undeclare = (model: Model, here: Here, declared: Declared): Written => {
  const isInside = ({ zone }: Declared): boolean => declared.type === 'zone' && zone?.label === declared.label
  const inside = model.byName ? [] : [...here.all.values()].filter(isInside)
  const gone = [declared, ...inside].map(addressOf)
  return { ...here, all: withAll(here.all, [], gone), words: `undeclare ${gone.join(' and ')}` }
}

/** It leaves, and its object stays for somebody else. */
const handOver = (model: Model, here: Here, declared: Declared): Written => {
  const { all } = undeclare(model, here, declared)
  const gone = [...here.all.keys()].filter((address) => !all.has(address))
  const removed = [...new Set([...here.removed, ...gone])]
  return { ...here, all, removed, words: `hand over ${gone.join(' and ')} (a removed: entry says so)` }
}

/** Something exists, and a new resource is said to be it, perhaps under another name. */
export const importThing = (model: Model, here: Here, thing: Thing, id: string, step: Step): Written | undefined => {
  const written = declare(model, here, { ...step, do: thing.type === 'zone' ? 'declare zone' : 'declare' })
  const [address = '', declared] = [...(written?.all ?? [])].at(-1) ?? []
  if (written === undefined || declared === undefined || declared.type !== thing.type) return undefined
  const next = { ...declared, imported: id }
  return {
    ...written,
    all: withAll(written.all, [next]),
    words: `${written.words}, and it is ${thing.name} (${id})`,
    address,
  }
}

/** Everything that stands below a zone follows its label. */
const relabelled = (all: Declaration, from: Declared, next: Declared): Declaration => {
  const kept = [...all.values()].filter((each) => each !== from)
  const followed = kept.map((each) =>
    from.type === 'zone' && each.zone?.label === from.label
      ? { ...each, zone: { ...each.zone, label: next.label } }
      : each,
  )
  return new Map([...followed, next].map((each) => [addressOf(each), each] as const))
}

const relabel = (here: Here, declared: Declared, { do: does, b, c }: Step): Written | undefined => {
  const label = freeLabel(here.all, declared.type, b)
  if (label === undefined) return undefined
  const name = does === 'relabel' ? declared.name : nameOf(declared.type, c)
  const next = { ...declared, label, name }
  const [from, to] = [addressOf(declared), addressOf(next)]
  const moved = does === 'move' ? [...here.moved.filter((each) => each.from !== to), { from, to }] : here.moved
  const how = does === 'move' ? ' (a moved: entry says so)' : ''
  const named = name === declared.name ? '' : `, and its name ${declared.name} to ${name}`
  return {
    ...here,
    all: relabelled(here.all, declared, next),
    moved,
    words: `${from} is called ${to} now${how}${named}`,
  }
}

const swap = (here: Here, one: Declared, { b }: Step): Written | undefined => {
  const other = at(
    [...here.all.values()].filter((each) => each.type === one.type && each !== one),
    b,
  )
  if (other === undefined) return undefined
  const names = ({ name, space }: Declared) => ({ name, space })
  const changed = [
    { ...one, ...names(other) },
    { ...other, ...names(one) },
  ]
  return {
    ...here,
    all: withAll(here.all, changed),
    words: `swap the names of ${addressOf(one)} and ${addressOf(other)}`,
  }
}

const edited = (here: Here, declared: Declared, changes: Partial<Declared>, words: string): Written => ({
  ...here,
  all: new Map([...here.all].map(([address, each]) => [address, each === declared ? { ...each, ...changes } : each])),
  words: `${addressOf(declared)}: ${words}`,
})

/** What is inside of something that shall not exist shall not either. */
const forbid = (here: Here, declared: Declared): Written => {
  const absent = !declared.absent
  const isInside = ({ zone }: Declared): boolean => declared.type === 'zone' && zone?.label === declared.label
  const all = new Map(
    [...here.all].map(([address, each]) => [address, each === declared || isInside(each) ? { ...each, absent } : each]),
  )
  const inside = declared.type === 'zone' ? ' with all that is inside' : ''
  return { ...here, all, words: `${addressOf(declared)}${inside}: it shall ${absent ? 'not ' : ''}exist` }
}

const lifecycles = [{}, { preventDestroy: true }, { onImmutable: 'replace' }] as const

export const playHere = (model: Model, here: Here, step: Step): Written | undefined => {
  if (step.do === 'declare' || step.do === 'declare zone') return declare(model, here, step)
  const declared = at([...here.all.values()], step.a)
  if (declared === undefined) return undefined
  const { b, c } = step
  switch (step.do) {
    case 'undeclare':
      return undeclare(model, here, declared)
    case 'hand over':
      return handOver(model, here, declared)
    case 'relabel':
    case 'move':
    case 'rename and relabel':
      return relabel(here, declared, step)
    case 'rename': {
      const name = nameOf(declared.type, b)
      return name === declared.name
        ? undefined
        : edited(here, declared, { name }, `name ${declared.name} becomes ${name}`)
    }
    case 'swap':
      return swap(here, declared, step)
    case 'edit': {
      if (declared.type === 'zone') return edited(here, declared, { note: `note ${b}` }, `note ${b}`)
      const kind = kinds[c % kinds.length] ?? 'plain'
      const marks = model.marks ? markLists[c % markLists.length] : undefined
      const words = marks === undefined ? '' : `, marks ${marks.join(' ')}`
      return edited(
        here,
        declared,
        { size: b, kind, ...(marks === undefined ? {} : { marks }) },
        `size ${b}, kind ${kind}${words}`,
      )
    }
    case 'forbid':
      return forbid(here, declared)
    case 'reparent': {
      const zone = zoneOf(here.all, b)
      if (declared.zone === undefined || zone === undefined || zone.label === declared.zone.label) return undefined
      return edited(here, declared, { zone }, `zone m_zone.${zone.label}`)
    }
    case 'lifecycle': {
      const lifecycle = at(lifecycles, b) ?? {}
      return edited(here, declared, { lifecycle }, `lifecycle ${JSON.stringify(lifecycle)}`)
    }
    default:
      return undefined
  }
}

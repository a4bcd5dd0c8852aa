import { moduleSteps } from '../../../../engine/values/addresses/address.ts'
import { visible } from '../../characters/visible.ts'
import type { Report } from '../../report/report.ts'

/** Where the parts of a page can be linked to. Sections, blocks, lists and entries are told by their positions. */
export interface Anchors {
  readonly sections: readonly string[]
  readonly blocks: readonly (readonly string[])[]
  readonly lists: readonly string[]
  readonly entries: readonly (readonly string[])[]
  /** By an address that is safe to print: the first block, or else the first entry, that is about it. */
  readonly byAddress: ReadonlyMap<string, string>
  /** The first block of a module, by its address as the plan has it. */
  readonly byModule: ReadonlyMap<string, string>
}

/** Of the parts that are always there. */
export const ownAnchors = { main: 'found', summary: 'summary', modules: 'modules', commands: 'commands' } as const

const longest = 200

/** A link to a resource stays good from report to report: its anchor is its address. */
export const nameAnchors = ({ sections, lists }: Report): Anchors => {
  const name = namer(Object.values(ownAnchors))
  const named = {
    sections: sections.map((section) => name(section.kind)),
    lists: lists.map((list) => name(list.title.toLowerCase())),
    blocks: sections.map((section) => section.blocks.map((block) => name(block.address))),
    entries: lists.map((list) => list.entries.map((entry) => name(entry.what))),
  }
  const byAddress = new Map<string, string>()
  const byModule = new Map<string, string>()
  const keep = (map: Map<string, string>, key: string | undefined, anchor: string): void => {
    if (key !== undefined && !map.has(key)) map.set(key, anchor)
  }
  each(sections, named.blocks, ({ blocks }, anchors) =>
    each(blocks, anchors, (block, anchor) => {
      keep(byModule, block.module ?? '', anchor)
      for (const address of [block.address, ...block.also]) {
        keep(byAddress, visible(address), anchor)
        keep(byModule, moduleOf(address), anchor)
      }
    }),
  )
  each(lists, named.entries, ({ entries }, anchors) =>
    each(entries, anchors, ({ what, also = [] }, anchor) => {
      for (const one of [what, ...also]) keep(byAddress, visible(one), anchor)
    }),
  )
  return { ...named, byAddress, byModule }
}

/** `module.a["x.y"].module.b` of what stands in it; the block itself knows that of its first address only. */
const moduleOf = (address: string): string => moduleSteps(address).join('.')

const each = <One, Name>(rows: readonly One[], names: readonly Name[], visit: (row: One, name: Name) => void): void =>
  rows.forEach((row, position) => {
    const name = names[position]
    if (name !== undefined) visit(row, name)
  })

/** Gives each name once. An `id` takes all but white space; what is long is cut, for an address has no limit. */
const namer = (given: readonly string[]): ((text: string) => string) => {
  const taken = new Set(given)
  const last = new Map<string, number>()
  return (text) => {
    const base = visible(text.slice(0, longest)).replaceAll(/\s/g, '-') || 'unnamed'
    let n = (last.get(base) ?? 0) + 1
    let anchor = n === 1 ? base : `${base}~${n}`
    for (; taken.has(anchor); anchor = `${base}~${n}`) n += 1
    last.set(base, n)
    taken.add(anchor)
    return anchor
  }
}

/** For `href`. */
export const linkTo = (anchor: string): string => `#${encodeURIComponent(anchor)}`

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { law } from '../../../.config/import-law.mjs'

type Row = (typeof law)[number]

const page = join(import.meta.dirname, '../../../docs/architecture.md')
const [begin, end] = ['<!-- the import law, by `npm run generate` -->', '<!-- the end of the import law -->']

/** The node of the picture that a folder belongs to: the engine is one, and so is each wing. Single files of `functions` are none. */
const nodeOf = (place: string): string | undefined => {
  const [top, room = '', wing = ''] = place.split('/')
  if (top === 'infra') return 'infra'
  if (top === 'functions') return room.endsWith('.ts') ? undefined : room === '' ? 'functions' : `functions/${room}`
  if (top !== 'core' || room === '') return undefined
  if (room === 'engine' || room === 'index.ts') return 'core/engine'
  return wing === '' || wing.endsWith('.ts') ? undefined : `core/${room}/${wing}`
}

const arrowsOf = (rows: readonly Row[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const arrows = new Map<string, Set<string>>()
  for (const { folder, may } of rows) {
    const from = nodeOf(folder)
    if (from === undefined) continue
    const to = arrows.get(from) ?? new Set()
    for (const place of may) {
      const node = nodeOf(place)
      if (node !== undefined && node !== from) to.add(node)
    }
    arrows.set(from, to)
  }
  return arrows
}

/** Whether there is a way besides the direct one. */
const leadsRound = (arrows: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean => {
  const seen = new Set<string>()
  const open = [...(arrows.get(from) ?? [])].filter((each) => each !== to)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === to) return true
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...(arrows.get(next) ?? []))
  }
  return false
}

const idOf = (node: string): string => node.replaceAll(/\W/g, '_')

const picture = (): readonly string[] => {
  const arrows = arrowsOf(law)
  return [
    '```mermaid',
    'flowchart TD',
    ...[...arrows.keys()].toSorted().map((node) => `  ${idOf(node)}["${node}"]`),
    ...[...arrows].flatMap(([from, to]) =>
      [...to].filter((each) => !leadsRound(arrows, from, each)).map((each) => `  ${idOf(from)} --> ${idOf(each)}`),
    ),
    '```',
  ]
}

const rowOf = ({ folder, may, why }: Row): string =>
  `| \`${folder}\` | ${why} | ${may.map((each) => each.replace(/^core\/engine\//, '')).join(', ') || 'nothing'} |`

/** docs/architecture.md, in which the picture and the table of the import law are as the law is. */
export const architecturePage = (): string => {
  const text = readFileSync(page, 'utf8')
  const [before = '', rest = ''] = text.split(begin)
  const [, after = ''] = rest.split(end)
  const table = [
    '| folder | what it is | what it may import (`core/engine/` left out) |',
    '|---|---|---|',
    ...law.map(rowOf),
  ]
  return `${before}${begin}\n\n${[...picture(), '', ...table].join('\n')}\n\n${end}${after}`
}

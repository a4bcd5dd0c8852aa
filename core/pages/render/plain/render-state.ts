import type { LastApplied } from '../../../engine/schema/resource.ts'
import type {
  StateBackup,
  StateChanged,
  StateEntry,
  StateList,
  StateShown,
} from '../../../engine/schema/stored/state.ts'
import { present } from '../../../engine/values/defined.ts'
import { doubtWords } from '../../../engine/values/words.ts'
import { type Palette, palette } from '../characters/palette.ts'
import { alignCells, type Cell } from '../characters/table.ts'
import { visible } from '../characters/visible.ts'
import { count } from '../shared/words.ts'
import type { PrintOptions } from './render-commands.ts'
import { actorWords, timeWords } from './render-runs.ts'

const appliedWords = (last: LastApplied | undefined): string =>
  last === undefined ? 'no apply known' : `applied ${timeWords(last.at)} by ${actorWords(last.actor)}`

const headWords = (workspace: string, serial: number, lineage: string | undefined): string =>
  visible(`${workspace}, serial ${serial}${lineage === undefined ? '' : `, lineage ${lineage}`}`)

const entryCells = ({ address, ids, doubted, lastApplied }: StateEntry, paint: Palette): readonly Cell[] => [
  { text: visible(address), paint: paint.bold },
  { text: ids === undefined ? 'by keys' : visible(`by ${Object.keys(ids).join(', ')}`), paint: paint.dim },
  { text: appliedWords(lastApplied) },
  { text: doubted === undefined ? '' : `doubted: ${doubtWords[doubted]}`, paint: paint.yellow },
]

/** One line for each recorded resource: how its object is found, and which apply changed it last. */
export const renderState = (
  { workspace, serial, lineage, resources }: StateList,
  options: PrintOptions = {},
): string => {
  const paint = palette(options.color)
  const head = `${count(resources.length, 'recorded resource')} of ${headWords(workspace, serial, lineage)}`
  const rows = alignCells(resources.map((entry) => entryCells(entry, paint)))
  return [...rows, paint.dim(head), ''].join('\n')
}

/** All that is recorded of one resource; a secret is shown as its seal. */
export const renderStateShown = (shown: StateShown, options: PrintOptions = {}): string => {
  const paint = palette(options.color)
  const { workspace, serial, lineage, doubt, resource } = shown
  const { address, type, provider, ids, refs, dependsOn, lastApplied, digest, attributes } = resource
  const field = (name: string, text: string | undefined): readonly Cell[] | undefined =>
    text === undefined ? undefined : [{ text: `  ${name}`, paint: paint.dim }, { text: visible(text) }]
  const rows = present(
    field('type', `${type} of provider ${provider}`),
    field('ids', ids && JSON.stringify(ids)),
    field('refs', refs && JSON.stringify(refs)),
    field('depends on', dependsOn.length === 0 ? undefined : dependsOn.join(', ')),
    field('doubt', doubt),
    field('applied', lastApplied && `${timeWords(lastApplied.at)} by ${actorWords(lastApplied.actor)}`),
    field('apply', lastApplied && `${lastApplied.applyId}, approved from run ${lastApplied.runId}`),
    field('digest', digest),
    field('state', headWords(workspace, serial, lineage)),
  )
  const body = JSON.stringify(attributes, null, 2).split('\n').map(visible).join('\n')
  return `${paint.bold(visible(address))}\n${alignCells(rows).join('\n')}\n${body}\n`
}

const doneWords: Readonly<Record<StateChanged['change'], string>> = {
  forgotten: 'forgotten; its object in the target was not touched',
  moved: 'moved; nothing in the target was touched',
  tainted: 'marked to be replaced by the next apply; nothing in the target was touched',
  untainted: 'not to be replaced any more; nothing in the target was touched',
  imported: 'imported; nothing in the target was touched',
}

/** What was changed, and how it is undone. */
export const renderStateChanged = (changed: StateChanged, options: PrintOptions = {}): string => {
  const paint = palette(options.color)
  const { workspace, change, addresses = [], before, after, backup, doubted = [] } = changed
  const about = change === 'moved' ? addresses.join(' to ') : addresses.join(', ') || workspace
  const lines = present(
    `${paint.green(doneWords[change])}: ${paint.bold(visible(about))}`,
    `serial ${before} to ${after}`,
    ...doubted.map((address) =>
      paint.yellow(
        visible(`${address} refers to a forgotten resource: if it leaves the configuration, it is unchecked`),
      ),
    ),
    backup &&
      visible(
        `backup ${backup.id} is kept until ${timeWords(backup.until)}; \`plumbline state import --backup ${backup.id}\` restores it`,
      ),
  )
  return `${lines.join('\n')}\n`
}

/** Newest first, as they come. */
export const renderBackups = (backups: readonly StateBackup[], options: PrintOptions = {}): string => {
  const paint = palette(options.color)
  if (backups.length === 0) return 'no backups\n'
  const rows = backups.map(({ id, serial, resources, at, until, before, actor, reason }): readonly Cell[] => [
    { text: visible(id), paint: paint.bold },
    { text: `serial ${serial}` },
    { text: count(resources, 'resource') },
    { text: `before it was ${before} ${timeWords(at)} by ${actorWords(actor)}` },
    { text: `until ${timeWords(until)}`, paint: paint.dim },
    { text: visible(reason), paint: paint.dim },
  ])
  return `${alignCells(rows).join('\n')}\n`
}

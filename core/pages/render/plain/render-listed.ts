import type { Failure, Workspace } from '../../../engine/schema/stored/records.ts'
import { palette } from '../characters/palette.ts'
import { alignCells, type Cell } from '../characters/table.ts'
import { visible } from '../characters/visible.ts'
import type { PrintOptions } from './render-commands.ts'
import { countWords, statusCell, timeWords } from './render-runs.ts'

/** A configuration that was found in a folder. */
export interface ListedWorkspace {
  /** As the user would name it. */
  readonly folder: string
  /** Absent where the configuration does not tell it. */
  readonly workspace?: string
  /** What is stored of it; absent before its first check. */
  readonly stored?: Workspace
  readonly error?: Failure
}

const refusedWords: Readonly<Record<string, string>> = { CONFIG_INVALID: 'invalid', WORKSPACE_CLAIMED: 'claimed' }

/** In one line: of several problems the first. */
const reasonText = ({ message }: Failure): string => {
  const [head = '', first, ...more] = message.split('\n').map((line) => line.trim())
  return visible(first === undefined ? head : `${first}${more.length === 0 ? '' : ` (and ${more.length} more)`}`)
}

/** One line for each folder. */
export const renderListed = (all: readonly ListedWorkspace[], { color }: PrintOptions = {}): string => {
  const paint = palette(color)
  const rows = all.map(({ folder, workspace = '', stored, error }): readonly Cell[] => {
    const name = { text: visible(folder), paint: paint.bold }
    if (error !== undefined)
      return [
        name,
        { text: visible(workspace) },
        { text: refusedWords[error.code] ?? 'unreadable', paint: paint.red },
        { text: '' },
        { text: reasonText(error) },
      ]
    const { lastRun } = stored ?? {}
    return [
      name,
      { text: visible(workspace) },
      statusCell(lastRun, paint),
      { text: lastRun === undefined ? '' : `checked ${timeWords(lastRun.finishedAt)}`, paint: paint.dim },
      { text: lastRun?.code ?? countWords(lastRun?.counts) },
    ]
  })
  return `${alignCells(rows).join('\n')}\n`
}

import type { ChangeKind, Tally, Version, VersionDiff } from '../../../engine/schema/stored/versions.ts'
import { present } from '../../../engine/values/defined.ts'
import { type Palette, palette } from '../characters/palette.ts'
import { alignCells, type Cell } from '../characters/table.ts'
import { visible } from '../characters/visible.ts'
import { amounts } from '../shared/words.ts'
import { paintDiff } from './paint-diff.ts'
import type { PrintOptions } from './render-commands.ts'
import { actorWords, timeWords } from './render-runs.ts'
import { shortCommit } from './version-words.ts'

const tallyWords = (name: string, { added, removed, changed }: Tally): string | undefined => {
  const parts = amounts([
    [added, 'added'],
    [removed, 'removed'],
    [changed, 'changed'],
  ])
  return parts.length === 0 ? undefined : `${name}: ${parts.join(', ')}`
}

const changeWords = ({ changes }: Version): string => {
  if (changes === undefined) return ''
  const resources =
    changes.resources === undefined ? 'resources not compared' : tallyWords('resources', changes.resources)
  return present(resources, tallyWords('files', changes.files)).join('; ')
}

const whyWords = ({ rollbackOf, reason, commit }: Version): string =>
  present(
    commit !== undefined && `commit ${shortCommit(commit)}`,
    rollbackOf !== undefined && `content of ${rollbackOf}`,
    reason !== undefined && visible(reason),
  ).join(': ')

/** One line for each version, the latest first, as they come. */
export const renderVersions = (versions: readonly Version[], options: PrintOptions = {}): string => {
  const paint = palette(options.color)
  const rows = versions.map((version): readonly Cell[] => [
    { text: String(version.version), paint: paint.bold },
    { text: `${timeWords(version.at)} by ${actorWords(version.by)}` },
    { text: visible(version.digest.slice(0, 'sha256:'.length + 12)), paint: paint.dim },
    { text: changeWords(version) },
    { text: whyWords(version), paint: paint.dim },
  ])
  return `${alignCells(rows).join('\n')}\n`
}

const signs = { added: '+', removed: '-', changed: '~' } as const
const colours = { added: 'green', removed: 'red', changed: 'yellow' } as const

const line = (kind: ChangeKind, text: string, paint: Palette): string =>
  `${paint[colours[kind]](signs[kind])} ${visible(text)}`

/** Resources by address, then the texts. Equal versions say that they are equal. */
export const renderVersionDiff = (diff: VersionDiff, options: PrintOptions = {}): string => {
  const paint = palette(options.color)
  const { from, to, resources, variables, files, unreadable = [] } = diff
  const head = paint.bold(visible(`${diff.workspace}: version ${from.version} to ${to.version}`))
  if (resources.length + variables.length + files.length === 0) return `${head}\nno difference\n`
  const lines = [
    head,
    ...unreadable.flatMap(({ version, detail }) => {
      const [first, ...problems] = detail.split('\n').map(visible)
      const lines = [`version ${version} is not valid any more, so no text is shown: ${first}`, ...problems]
      return lines.map((text) => paint.yellow(text))
    }),
    ...resources.map(({ address, kind }) => line(kind, address, paint)),
    ...variables.map(({ name, kind }) => line(kind, `value of variable ${name}`, paint)),
    ...files.filter(({ diff: text }) => text === undefined).map(({ file, kind }) => line(kind, file, paint)),
  ]
  const texts = files.map(({ diff: text = '' }) => paintDiff(text, options))
  return `${lines.join('\n')}\n${texts.join('')}`
}

import { readFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import type { Plugin } from 'esbuild'

/* Reasons and figures: docs/decisions/0003-entry-points.md. */

/** The entry points in package.json, such as `#core`, and those of the AWS clients. */
const entryPoints = /^(#|@(aws-sdk|smithy)\/core($|\/))/
const indexFile = /[\\/]index\.[jt]s$/

const statement = /^(?:import|export) (type )?\{([^}]*)\} from ['"]([^'"]+)['"];?$/gm

interface Statement {
  readonly from: string
  /** As they are written: `a` or `a as b`. */
  readonly names: readonly string[]
}

const statementsOf = (text: string): readonly Statement[] =>
  [...text.matchAll(statement)].map(([, type, names = '', from = '']) => ({
    from,
    names: names
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '' && type === undefined && !each.startsWith('type ')),
  }))

/** True if nothing but comments and re-exports is in the text; any other code must stay. */
const exportsOnly = (text: string): boolean =>
  text
    .replace(statement, '')
    .replace(/^\/\/.*$/gm, '')
    .trim() === ''

/**
 * Returns the names that a file takes from another; `undefined` if a statement does not tell them, such as `import *`.
 */
const takenFrom = (from: string, text: string): readonly string[] | undefined => {
  const statements = statementsOf(text).filter((each) => each.from === from)
  const mentions = text.split(`'${from}'`).length + text.split(`"${from}"`).length - 2
  if (statements.length !== mentions) return undefined
  return statements.flatMap(({ names }) => names.map((each) => each.replace(/ as .*/, '')))
}

const narrow = (text: string, names: ReadonlySet<string>): string =>
  statementsOf(text)
    .map(({ from, names: all }) => ({ from, own: all.filter((each) => names.has(each.replace(/.* as /, ''))) }))
    .filter(({ own }) => own.length > 0)
    .map(({ from, own }) => `export { ${own.join(', ')} } from ${JSON.stringify(from)}\n`)
    .join('')

/** Removes the suffix that distinguishes narrowed copies of a file in a metafile. */
export const withoutImporter = (input: string): string => input.replace(/\?.*$/s, '')

/**
 * Gives each file its own copy of an entry point, with only the imported names: esbuild includes a used file with all
 * files that it names. Only files that consist of re-exports are narrowed, so no code runs twice.
 */
export const narrowEntryPoints: Plugin = {
  name: 'narrow-entry-points',
  setup: (bundler) => {
    const { absWorkingDir: root = process.cwd() } = bundler.initialOptions
    const mine = Symbol('a question of this plugin')
    bundler.onResolve({ filter: entryPoints }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== 'import-statement' || pluginData === mine) return undefined
      const { path: file } = await bundler.resolve(path, { kind, importer, resolveDir, pluginData: mine })
      if (!indexFile.test(file) || !exportsOnly(await readFile(file, 'utf8'))) return undefined
      const names = takenFrom(path, await readFile(importer, 'utf8'))
      if (names === undefined) return undefined
      return { path: file, suffix: `?${relative(root, importer)}`, pluginData: names, sideEffects: false }
    })
    bundler.onLoad({ filter: indexFile }, async ({ path, suffix, pluginData }) => {
      if (suffix === '') return undefined
      const contents = narrow(await readFile(path, 'utf8'), new Set(pluginData as readonly string[]))
      return { contents, loader: 'js', resolveDir: dirname(path) }
    })
  },
}

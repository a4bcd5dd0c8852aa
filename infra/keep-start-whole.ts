import { relative } from 'node:path'
import type { Plugin } from 'esbuild'

/* Reasons and figures: docs/decisions/0003-entry-points.md. */

/** The project's own files, and the AWS clients: other packages do not share code with a start. */
const shares = /^(\.|@aws-sdk\/)/
const namespace = 'late'

/** True for a path in a metafile that is not a source file, but added by this plugin. */
export const isMadeUp = (input: string): boolean => input.startsWith(`${namespace}:`)

interface Start {
  /** Relative to the root of the repository. */
  readonly file: string
  /** One of the exports of the file. A bare import of a file without side effects would be dropped. */
  readonly name: string
  /** Files behind `import()` that are loaded without the start; each of them shares only its own imports. */
  readonly apart?: RegExp
}

const textOf = (late: string, { file, name }: Start): string =>
  `export * from ${JSON.stringify(`./${late}`)}
export { ${name} as plumblineStart } from ${JSON.stringify(`./${file}`)}
`

/**
 * Makes each file behind `import()` refer to the start, which is always loaded before it. Then all late files share the
 * same part with the start, and esbuild writes the start as one file instead of one for each set of late files that
 * share something. A default export would be lost, but the project has none.
 */
export const keepStartWhole = (start: Start): Plugin => ({
  name: 'keep-start-whole',
  setup: (bundler) => {
    const { absWorkingDir: root = process.cwd() } = bundler.initialOptions
    const mine = Symbol('a question of this plugin')
    bundler.onResolve({ filter: shares }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      // What a package imports of itself keeps its default export.
      const isInside = path.startsWith('.') && importer.includes('/node_modules/')
      if (kind !== 'dynamic-import' || isInside || pluginData === mine) return undefined
      const { path: file, external } = await bundler.resolve(path, { kind, importer, resolveDir, pluginData: mine })
      const late = relative(root, file).replaceAll('\\', '/')
      return external || late === start.file || start.apart?.test(late) ? undefined : { path: late, namespace }
    })
    bundler.onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: textOf(path, start), resolveDir: root }))
  },
})

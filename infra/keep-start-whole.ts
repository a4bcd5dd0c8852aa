import { relative } from 'node:path'
import type { Plugin } from 'esbuild'

/* Reasons and figures: docs/decisions/0003-entry-points.md. */

/** Our own files, and the AWS clients: what other packages bring is shared with no start. */
const shares = /^(\.|@aws-sdk\/)/
const namespace = 'late'

/** In a metafile: no file of the source, but what this plugin puts before one. */
export const isMadeUp = (input: string): boolean => input.startsWith(`${namespace}:`)

const textOf = (late: string, handler: string): string =>
  `export * from ${JSON.stringify(`./${late}`)}
export { handler as plumblineStart } from ${JSON.stringify(`./${handler}`)}
`

/**
 * Makes each file behind `import()` refer to the handler, which is always loaded before it. Then all late files share the same
 * part with the start, and esbuild writes the start as one file instead of one for each set of late files that share
 * something. `handler`: its file, from the root. A default export would be lost: we have none.
 */
export const keepStartWhole = (handler: string): Plugin => ({
  name: 'keep-start-whole',
  setup: (bundler) => {
    const { absWorkingDir: root = process.cwd() } = bundler.initialOptions
    const mine = Symbol('a question of this plugin')
    bundler.onResolve({ filter: shares }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === mine) return undefined
      const { path: file, external } = await bundler.resolve(path, { kind, importer, resolveDir, pluginData: mine })
      return external ? undefined : { path: relative(root, file).replaceAll('\\', '/'), namespace }
    })
    bundler.onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: textOf(path, handler), resolveDir: root }))
  },
})

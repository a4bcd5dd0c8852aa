import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

export const root = join(import.meta.dirname, '..')

/** Bundled CommonJS calls `require`, which an ES module does not have. */
export const banner =
  "import { createRequire as plumblineRequire } from 'node:module';const require = plumblineRequire(import.meta.url);"

/** Names of the handler files, which are also those of the functions. */
export const handlers = ['schedule', 'check', 'apply', 'api'] as const
export type HandlerName = (typeof handlers)[number]

/**
 * Bundles each handler with the AWS clients into a folder of its own: built together, they would share one chunk with
 * what any of them needs. Code behind `import()` becomes further chunks, so that a cold start does not pay for it.
 * `mainFields` prefers ES modules, which makes the clients a third smaller; setting `conditions` would undo that.
 */
export const bundleHandlers = (outdir: string): void => {
  rmSync(outdir, { recursive: true, force: true })
  for (const name of handlers) {
    buildSync({
      absWorkingDir: root,
      entryPoints: [`functions/${name}.ts`],
      outdir: join(outdir, name),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      mainFields: ['module', 'main'],
      chunkNames: 'chunks/[name]-[hash]',
      banner: { js: banner },
      logLevel: 'warning',
    })
  }
}

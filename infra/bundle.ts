import { rmSync } from 'node:fs'
import { chmod, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, build, buildSync } from 'esbuild'

export const root = join(import.meta.dirname, '..')

/** Bundled CommonJS calls `require`, which an ES module does not have. */
const banner =
  "import { createRequire as plumblineRequire } from 'node:module';const require = plumblineRequire(import.meta.url);"

/**
 * What the handlers and the command share. `mainFields` prefers ES modules, which makes the clients a third smaller;
 * setting `conditions` would undo that.
 */
export const bundleOptions = {
  absWorkingDir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  mainFields: ['module', 'main'],
  banner: { js: banner },
  logLevel: 'warning',
} satisfies BuildOptions

/** Names of the handler files, which are also those of the functions. */
export const handlers = ['schedule', 'check', 'apply', 'api', 'watch'] as const
export type HandlerName = (typeof handlers)[number]

/**
 * Bundles each handler with the AWS clients into a folder of its own: built together, they would share one chunk with
 * what any of them needs. Code behind `import()` becomes further chunks, so that a cold start does not pay for it.
 */
export const bundleHandlers = (outdir: string): void => {
  rmSync(outdir, { recursive: true, force: true })
  for (const name of handlers) {
    buildSync({
      ...bundleOptions,
      entryPoints: [`functions/${name}.ts`],
      outdir: join(outdir, name),
      target: 'node24',
      chunkNames: 'chunks/[name]-[hash]',
    })
  }
}

/**
 * The command as it is published: everything it needs in a few files, so that installing it installs no packages. The start
 * is a file of its own so that an old Node can run the version check. Answers the size in bytes.
 */
export const bundleCommand = async (folder: string): Promise<number> => {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: { plumbline: 'functions/cli/main.ts' },
    outdir: folder,
    chunkNames: '[name]-[hash]',
    keepNames: true,
    target: 'node22.12',
    legalComments: 'linked',
    metafile: true,
  })
  // What `plumbline dev` begins with.
  await cp(join(root, 'examples', 'host'), join(folder, 'examples', 'host'), { recursive: true })
  await chmod(join(folder, 'plumbline.mjs'), 0o755)
  return Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0)
}

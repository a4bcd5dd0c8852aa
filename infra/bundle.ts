import { rmSync } from 'node:fs'
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

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

/**
 * The suite for authors of providers, apart from the command so that it changes nothing of its files. One file, with its types
 * beside it. Answers the size in bytes.
 */
export const bundleTesting = async (folder: string): Promise<number> => {
  const { metafile } = await build({
    ...bundleOptions,
    splitting: false,
    entryPoints: { testing: 'core/conformance/index.ts' },
    outdir: folder,
    keepNames: true,
    target: 'node22.12',
    legalComments: 'linked',
    metafile: true,
  })
  await cp(join(root, 'docs', 'testing.d.mts'), join(folder, 'testing.d.mts'))
  return bytesOf(metafile)
}

/** Names of the handler files, which are also those of the functions. */
export const handlers = ['schedule', 'check', 'apply', 'api', 'watch'] as const
export type HandlerName = (typeof handlers)[number]

/**
 * The ways of the AWS clients to credentials that no function has: Lambda gives them in variables, which are asked first.
 * Without them the clients carry neither files of profiles nor sign-ins, and none of their protocols is loaded at the start.
 */
const noCredentials = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
]

/** In bytes. */
export interface BundleSize {
  /** Of the files that are read before the first line runs. */
  readonly atImport: number
  /** With the chunks that are loaded later. */
  readonly all: number
}

const bytesOf = ({ outputs }: Metafile): number => Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0)

const sizeOf = (entry: string, metafile: Metafile): BundleSize => {
  const { outputs } = metafile
  const read = new Set<string>()
  const visit = (path: string): number => {
    const output = outputs[path]
    if (output === undefined || read.has(path)) return 0
    read.add(path)
    const eager = output.imports.filter(({ kind }) => kind === 'import-statement')
    return eager.reduce((sum, imported) => sum + visit(imported.path), output.bytes)
  }
  const first = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entry) ?? ''
  return { atImport: visit(first), all: bytesOf(metafile) }
}

const unused = 'unused:'

/** Leaves out what is imported late, apart from the files of `used`. */
const leaveOut = (used: ReadonlySet<string>): Plugin => ({
  name: 'leave-out',
  setup: (bundler) => {
    const mine = Symbol('a question of this plugin')
    bundler.onResolve({ filter: /./ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === mine) return undefined
      const {
        path: file,
        external,
        errors,
      } = await bundler.resolve(path, {
        kind,
        resolveDir,
        importer,
        pluginData: mine,
      })
      if (external || errors.length > 0 || used.has(file)) return undefined
      return { path: `${unused}${file}`, external: true }
    })
  },
})

/**
 * esbuild bundles each `import()` that it meets, also in functions that no handler calls, and what these share with a handler
 * is then read at its start. So a bundle begins without any, and takes those that are left in its code until none is missing.
 */
const bundleUsed = async (options: BuildOptions, plugins: readonly Plugin[]): Promise<Metafile> => {
  const used = new Set<string>()
  for (;;) {
    const { metafile } = await build({
      ...options,
      write: false,
      metafile: true,
      plugins: [...plugins, leaveOut(used)],
    })
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
    const missing = imports.filter(({ path }) => path.startsWith(unused)).map(({ path }) => path.slice(unused.length))
    if (missing.length === 0) break
    for (const file of missing) used.add(file)
  }
  const { metafile } = await build({ ...options, metafile: true, plugins: [...plugins, leaveOut(used)] })
  return metafile
}

/** The functions that load configurations. */
export const withPackages: readonly HandlerName[] = ['check', 'apply', 'api']

/** A provider package that was verified. `id`: `@acme/plumbline-provider@1.0.0`. */
export interface BundledPackage {
  readonly id: string
  readonly code: string
}

const sandboxFile = 'functions/adapters/packages/sandbox-worker.ts'

/** Without this, a bundle contains no code that runs packages. */
const runPackages: Plugin = {
  name: 'run-packages',
  setup: (bundler) => {
    const path = join(root, 'functions', 'adapters', 'packages', 'bundled.ts')
    bundler.onResolve({ filter: /\/packages\/none\.ts$/ }, () => ({ path }))
  },
}

/** Where `functions/adapters/packages/bundled.ts` finds them. */
const writePackages = async (folder: string, packages: readonly BundledPackage[]): Promise<void> => {
  await build({
    ...bundleOptions,
    splitting: false,
    entryPoints: { sandbox: sandboxFile },
    outdir: folder,
    target: 'node24',
  })
  for (const { id, code } of packages) {
    const file = join(folder, 'packages', `${id}.mjs`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, code)
  }
}

/**
 * Bundles each handler with the AWS clients into a folder of its own: built together, they would share one chunk with
 * what any of them needs. Code behind `import()` becomes further chunks, so that a cold start does not pay for it.
 */
export const bundleHandlers = async (
  outdir: string,
  packages: readonly BundledPackage[] = [],
): Promise<ReadonlyMap<HandlerName, BundleSize>> => {
  rmSync(outdir, { recursive: true, force: true })
  const sizes = handlers.map(async (name) => {
    const entry = `functions/${name}.ts`
    const folder = join(outdir, name)
    const runs = packages.length > 0 && withPackages.includes(name)
    const options = {
      ...bundleOptions,
      entryPoints: [entry],
      outdir: folder,
      target: 'node24',
      chunkNames: 'chunks/[name]-[hash]',
      external: noCredentials,
    }
    const metafile = await bundleUsed(options, runs ? [runPackages] : [])
    if (runs) await writePackages(folder, packages)
    return [name, sizeOf(entry, metafile)] as const
  })
  return new Map(await Promise.all(sizes))
}

/**
 * The command as it is published: everything it needs in a few files, so that installing it installs no packages. The start
 * is a file of its own so that an old Node can run the version check. Answers the size in bytes.
 */
export const bundleCommand = async (folder: string): Promise<number> => {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: {
      plumbline: 'functions/cli/main.ts',
      // A thread of its own, which is started for provider packages only.
      sandbox: sandboxFile,
    },
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
  return bytesOf(metafile)
}

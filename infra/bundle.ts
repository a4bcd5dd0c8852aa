import { rmSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { type HandlerName, handlers, withPackages } from './handlers.ts'
import { isMadeUp, keepStartWhole } from './keep-start-whole.ts'
import { narrowEntryPoints, withoutImporter } from './narrow-entry-points.ts'
import { bundlePage } from './page.ts'
import { withRequired } from './require-builtins.ts'

export const root = join(import.meta.dirname, '..')

/** Bundled CommonJS calls `require`, which an ES module does not have. */
const banner =
  "import { createRequire as plumblineRequire } from 'node:module';const require = plumblineRequire(import.meta.url);"

/** `mainFields` prefers ES modules, which are smaller; setting `conditions` would undo that. */
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

const writeContents = async (folder: string, name: string, files: Iterable<string>): Promise<void> => {
  const { packagesOf } = await import('./bundled-packages.ts')
  const { toLicences, toSbom } = await import('./sbom.ts')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const packages = packagesOf(files)
  await writeFile(join(folder, 'sbom.cdx.json'), toSbom({ name, version }, packages))
  await writeFile(join(folder, 'third-party-licences.txt'), toLicences(packages))
}

const inputsOf = (metafiles: readonly Metafile[]): readonly string[] =>
  metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.keys(inputs))
    .filter((input) => !isMadeUp(input))
    .map((file) => join(root, withoutImporter(file)))

/** Of the code, without its maps. */
const bytesOf = ({ outputs }: Metafile): number =>
  Object.entries(outputs).reduce((sum, [file, { bytes }]) => (file.endsWith('.map') ? sum : sum + bytes), 0)

/**
 * Bundles the suite for authors of providers, apart from the command so that it does not change the command's files:
 * one file with its types.
 */
export const bundleTesting = async (folder: string): Promise<Metafile> => {
  const { metafile } = await build({
    ...bundleOptions,
    splitting: false,
    entryPoints: { testing: 'core/tools/conformance/index.ts' },
    outdir: folder,
    keepNames: true,
    target: 'node22.13',
    legalComments: 'linked',
    metafile: true,
  })
  await cp(join(root, 'docs', 'testing.d.mts'), join(folder, 'testing.d.mts'))
  return metafile
}

const entryOf = (name: HandlerName): string => `functions/${name}.ts`

/**
 * Credential providers of the AWS clients that no function needs: Lambda gives credentials in variables, which are read
 * first. Without these packages the clients contain no code for profile files or sign-ins, and load none of those
 * protocols at the start.
 */
const noCredentials = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
]

/** Sizes in bytes. */
export interface BundleSize {
  /** The bytes of the files that are read before the first line runs. */
  readonly atImport: number
  /** The bytes with the chunks that are loaded later. */
  readonly all: number
}

const sizeOf = (entry: string, metafile: Metafile): BundleSize => {
  const { outputs } = metafile
  const read = new Set<string>()
  const visit = (file: string): void => {
    const output = outputs[file]
    if (output === undefined || read.has(file)) return
    read.add(file)
    for (const { path, kind } of output.imports) if (kind !== 'dynamic-import') visit(path)
  }
  for (const [file, { entryPoint }] of Object.entries(outputs)) if (entryPoint === entry) visit(file)
  return { atImport: [...read].reduce((bytes, file) => bytes + (outputs[file]?.bytes ?? 0), 0), all: bytesOf(metafile) }
}

/** A verified provider package. `id`: `@acme/plumbline-provider@1.0.0`. */
export interface BundledPackage {
  readonly id: string
  readonly code: string
}

const sandboxFile = 'functions/adapters/packages/sandbox-worker.ts'

/** Without this plugin, a bundle contains no code that runs packages. */
const runPackages: Plugin = {
  name: 'run-packages',
  setup: (bundler) => {
    const path = join(root, 'functions', 'adapters', 'packages', 'bundled.ts')
    bundler.onResolve({ filter: /\/packages\/none\.ts$/ }, () => ({ path, sideEffects: false }))
  },
}

/** Writes the packages to the place where `functions/adapters/packages/bundled.ts` finds them. */
const writePackages = async (folder: string, packages: readonly BundledPackage[]): Promise<Metafile> => {
  const { metafile } = await build({
    ...bundleOptions,
    splitting: false,
    entryPoints: { sandbox: sandboxFile },
    outdir: folder,
    target: 'node24',
    metafile: true,
  })
  for (const { id, code } of packages) {
    const file = join(folder, 'packages', `${id}.mjs`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, code)
  }
  return metafile
}

/** Beside the folders of the handlers, so that a function does not load what only people need. */
export const mapsIn = (outdir: string): string => join(outdir, 'maps')

/** Maps name their sources relative to the bundle, and the names of chunks depend on that: so it is always this one. */
const bundledTo = (name: HandlerName): string => join(root, 'dist', 'functions', name)

const bundleHandler = async (name: HandlerName, outdir: string, plugins: readonly Plugin[]): Promise<Metafile> => {
  const entry = entryOf(name)
  const { metafile, outputFiles } = await build({
    ...bundleOptions,
    entryPoints: { [name]: entry },
    outdir: bundledTo(name),
    write: false,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: 'external',
    sourcesContent: false,
    target: 'node24',
    external: noCredentials,
    plugins: [...plugins, narrowEntryPoints, keepStartWhole({ file: entry, name: 'handler' })],
    metafile: true,
  })
  for (const { path, contents } of outputFiles) {
    const folder = join(path.endsWith('.map') ? mapsIn(outdir) : outdir, name)
    const file = join(folder, relative(bundledTo(name), path))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, contents)
  }
  return metafile
}

/**
 * Bundles each handler with the AWS clients into its own folder: together they would share one chunk that contains
 * everything any of them needs. Code behind `import()` becomes further chunks, so that a cold start does not load it.
 */
export const bundleHandlers = async (
  outdir: string,
  packages: readonly BundledPackage[] = [],
): Promise<ReadonlyMap<HandlerName, BundleSize>> => {
  rmSync(outdir, { recursive: true, force: true })
  const sizes = handlers.map(async (name) => {
    const folder = join(outdir, name)
    const runs = packages.length > 0 && withPackages.includes(name)
    const metafile = await bundleHandler(name, outdir, runs ? [runPackages] : [])
    const sandbox = runs ? [await writePackages(folder, packages)] : []
    const page = name === 'api' ? [(await bundlePage(root, join(folder, 'page'))).metafile] : []
    await writeContents(folder, `plumbline-${name}`, inputsOf([metafile, ...sandbox, ...page]))
    return [name, sizeOf(entryOf(name), metafile)] as const
  })
  return new Map(await Promise.all(sizes))
}

/** Nearly all commands need most of the code that a check starts with. The help and `render` need none of it. */
const commandStart = {
  file: 'functions/cli/commands/check/check.ts',
  name: 'commands',
  apart: /^functions\/cli\/(start|run-work|completion|commands\/render)\.ts$|^core\/pages\//,
}

/**
 * Bundles the command and the library as they are published: all their code in a few files, so that their installation installs no packages.
 * The start is a separate file so that an old Node can run the version check.
 */
export const bundleCommand = async (folder: string): Promise<Metafile> => {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: {
      plumbline: 'functions/cli/main.ts',
      library: 'functions/library/index.ts',
      // A separate thread, which is started only for provider packages.
      sandbox: sandboxFile,
    },
    outdir: folder,
    chunkNames: '[name]-[hash]',
    target: 'node22.13',
    legalComments: 'linked',
    plugins: [narrowEntryPoints, keepStartWhole(commandStart)],
    metafile: true,
  })
  for (const file of Object.keys(metafile.outputs).filter((output) => output.endsWith('.mjs')))
    await writeFile(join(root, file), withRequired(await readFile(join(root, file), 'utf8')))
  await cp(join(root, 'docs', 'library.d.mts'), join(folder, 'library.d.mts'))
  // `plumbline dev` copies this example.
  await cp(join(root, 'examples', 'host'), join(folder, 'examples', 'host'), { recursive: true })
  await chmod(join(folder, 'plumbline.mjs'), 0o755)
  return metafile
}

/** Bundles the construct for apps of the CDK, which bring the CDK themselves. */
export const bundleConstruct = async (folder: string): Promise<Metafile> => {
  const { metafile } = await build({
    ...bundleOptions,
    splitting: false,
    entryPoints: { cdk: 'infra/cdk.ts' },
    outdir: folder,
    keepNames: true,
    target: 'node22.13',
    legalComments: 'linked',
    external: ['aws-cdk-lib', 'constructs'],
    metafile: true,
  })
  await cp(join(root, 'infra', 'cdk.d.mts'), join(folder, 'cdk.d.mts'))
  return metafile
}

/**
 * Bundles the published package: the command, the library, the web page, the suite for providers, the construct, and the lists of their
 * contents. Returns the size of the code in bytes.
 */
export const bundlePackage = async (folder: string): Promise<number> => {
  const page = await bundlePage(root, join(folder, 'page'))
  const others = [await bundleCommand(folder), await bundleTesting(folder), await bundleConstruct(folder)]
  const metafiles = [...others, page.metafile]
  await writeContents(folder, 'plumbline', inputsOf(metafiles))
  return metafiles.reduce((bytes, each) => bytes + bytesOf(each), 0)
}

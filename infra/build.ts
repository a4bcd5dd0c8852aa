import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

/*
 * The published command: everything it needs in a few files, so that installing it installs no packages. The start is
 * split off because an old Node has to get as far as being told so.
 */

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
/** Bundled CommonJS asks for Node's own modules in this way. */
const banner = "import { createRequire as plumblineRequire } from 'node:module'; const require = plumblineRequire(import.meta.url);"

const bundle = () =>
  build({
    absWorkingDir: root,
    entryPoints: { plumbline: 'infra/local/main.ts' },
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.12',
    mainFields: ['module', 'main'],
    legalComments: 'linked',
    banner: { js: banner },
    logLevel: 'warning',
    metafile: true,
  })

const started = performance.now()
await rm(dist, { recursive: true, force: true })
const { metafile } = await bundle()
await chmod(join(dist, 'plumbline.mjs'), 0o755)
const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0)
const seconds = ((performance.now() - started) / 1000).toFixed(1)
process.stdout.write(`dist/plumbline.mjs and its parts: ${Math.round(bytes / 1024)} KiB in ${seconds} s\n`)

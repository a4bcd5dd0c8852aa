import { chmod, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { banner, root } from './bundle.ts'

/**
 * The command as it is published: everything it needs in a few files, so that installing it installs no packages. The start
 * is split off because an old Node has to get as far as being told so. Answers the size in bytes.
 */
export const bundleCommand = async (folder: string): Promise<number> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { plumbline: 'infra/local/main.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.12',
    // Packages' ES modules where they have both: less of them is kept.
    mainFields: ['module', 'main'],
    legalComments: 'linked',
    banner: { js: banner },
    logLevel: 'warning',
    metafile: true,
  })
  // What `plumbline dev` begins with.
  await cp(join(root, 'examples', 'host'), join(folder, 'examples', 'host'), { recursive: true })
  await chmod(join(folder, 'plumbline.mjs'), 0o755)
  return Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0)
}

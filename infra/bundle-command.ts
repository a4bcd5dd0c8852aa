import { chmod, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundleOptions, root } from './bundle.ts'

/**
 * The command as it is published: everything it needs in a few files, so that installing it installs no packages. The start
 * is split off because an old Node has to get as far as being told so. Answers the size in bytes.
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

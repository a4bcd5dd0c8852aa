import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, expect, it } from 'vitest'
import { narrowEntryPoints, withoutImporter } from '../../infra/narrow-entry-points.ts'
import { temporaryFolder } from '../builders/workspaces/workspace.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const source = {
  'package.json': JSON.stringify({ type: 'module', sideEffects: false, imports: { '#core': './core/index.ts' } }),
  'core/early.ts': "export const early = 'early'\nexport type Early = 'early'\n",
  'core/late.ts': "export const late = 'late'\n",
  'core/load.ts': "export const load = () => import('./never.ts')\n",
  'core/never.ts': "export const never = 'never'\n",
  'core/index.ts': `// A comment.
export { type Early, early as first } from './early.ts'
export {
  late,
} from './late.ts'
export { load } from './load.ts'
`,
  'main.ts':
    "import { type Early, first } from '#core'\nconst used: Early = first\nexport const handler = () => [used, import('./later.ts')]\n",
  'later.ts': "import { first, late } from '#core'\nexport const both = [first, late]\n",
}

/** The files whose code is read at the start of `main.ts`, and those that are read later. */
const bundled = async (name: string, changed: Readonly<Record<string, string>> = {}) => {
  const root = join(folder.path, name)
  mkdirSync(join(root, 'core'), { recursive: true })
  for (const [file, text] of Object.entries({ ...source, ...changed })) writeFileSync(join(root, file), text)
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['main.ts'],
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    metafile: true,
    plugins: [narrowEntryPoints],
  })
  const { outputs } = metafile
  const filesOf = (outs: readonly string[]) =>
    [...new Set(outs.flatMap((out) => Object.keys(outputs[out]?.inputs ?? {}).map(withoutImporter)))].toSorted()
  const main = outputs['out/main.js']
  const start = [
    'out/main.js',
    ...(main?.imports ?? []).filter(({ kind }) => kind === 'import-statement').map(({ path }) => path),
  ]
  const later = Object.keys(outputs).filter((out) => !start.includes(out))
  return { start: filesOf(start), later: filesOf(later) }
}

it('a part of an entry point that only a late file uses is loaded late, and an unused part is not bundled', async () => {
  expect(await bundled('named')).toEqual({
    start: ['core/early.ts', 'core/index.ts', 'main.ts'],
    later: ['core/index.ts', 'core/late.ts', 'later.ts'],
  })
})

it('a file that imports all names gets all of them', async () => {
  const all = "import * as core from '#core'\nexport const handler = () => [core, import('./later.ts')]\n"
  expect((await bundled('all', { 'main.ts': all })).start).toEqual(
    expect.arrayContaining(['core/early.ts', 'core/late.ts']),
  )
})

it('an entry point with its own code is left as it is', async () => {
  const own = `${source['core/index.ts']}export const counter = { calls: 0 }\n`
  const { start } = await bundled('own', { 'core/index.ts': own })
  expect(start).toContain('core/late.ts')
})

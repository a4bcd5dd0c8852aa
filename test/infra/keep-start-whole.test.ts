import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, expect, it } from 'vitest'
import { isMadeUp, keepStartWhole } from '../../infra/keep-start-whole.ts'
import { temporaryFolder } from '../builders/workspaces/workspace.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** A handler with three parts, and two late files that each use another two of them. */
const source = {
  'package.json': JSON.stringify({ type: 'module', sideEffects: false }),
  'a.ts': "export const a = { name: 'a' }\n",
  'b.ts': "export const b = { name: 'b' }\n",
  'c.ts': "export const c = { name: 'c' }\n",
  'main.ts': `import { a } from './a.ts'
import { b } from './b.ts'
import { c } from './c.ts'
export const parts = [a, b, c]
export const handler = async () => [...(await import('./first.ts')).first, ...(await import('./second.ts')).second]
`,
  'first.ts': "import { a } from './a.ts'\nimport { b } from './b.ts'\nexport const first = [a, b]\n",
  'second.ts': "import { b } from './b.ts'\nimport { c } from './c.ts'\nexport const second = [b, c]\n",
}

it('the start of a function is one file beside the entry, and later files share its parts', async () => {
  for (const [file, text] of Object.entries(source)) writeFileSync(join(folder.path, file), text)
  const { metafile } = await build({
    absWorkingDir: folder.path,
    entryPoints: ['main.ts'],
    outdir: 'out',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    metafile: true,
    plugins: [keepStartWhole({ file: 'main.ts', name: 'handler' })],
  })
  const [shared = { path: '' }, ...others] = metafile.outputs['out/main.mjs']?.imports ?? []
  expect(others).toEqual([])
  const inputs = Object.keys(metafile.outputs[shared.path]?.inputs ?? {})
  expect(inputs.filter((input) => !isMadeUp(input))).toEqual(['a.ts', 'b.ts', 'c.ts', 'main.ts'])
  expect(Object.keys(metafile.inputs).filter(isMadeUp)).toHaveLength(2)

  const { handler, parts } = await import(pathToFileURL(join(folder.path, 'out', 'main.mjs')).href)
  const [a, b, c] = parts
  const found = await handler()
  expect(found).toEqual([a, b, b, c])
  for (const [place, part] of [a, b, b, c].entries()) expect(found[place]).toBe(part)
})

it('a late file that is apart is loaded without the start', async () => {
  const { metafile } = await build({
    absWorkingDir: folder.path,
    entryPoints: ['main.ts'],
    outdir: 'out',
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    metafile: true,
    plugins: [keepStartWhole({ file: 'main.ts', name: 'handler', apart: /^second\.ts$/ })],
  })
  expect(Object.keys(metafile.inputs).filter(isMadeUp)).toEqual(['late:first.ts'])
})

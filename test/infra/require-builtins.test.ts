import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { bundleOptions } from '../../infra/bundle.ts'
import { withRequired } from '../../infra/require-builtins.ts'

const source = `import main from 'node:path'
import { createHash as hashing, randomUUID } from 'node:crypto'
import * as files from 'node:fs/promises'
import late from './late.mjs'
export const answer = [main.sep, typeof hashing, typeof randomUUID, typeof files.readFile, late]
export const text = 'import a from "node:os"'
`

it('modules of Node are required, whatever form their import has, and others are imported', async () => {
  const { outputFiles } = await build({
    ...bundleOptions,
    stdin: { contents: source, resolveDir: import.meta.dirname },
    external: ['./late.mjs'],
    splitting: false,
    write: false,
  })
  const code = withRequired(outputFiles[0]?.text ?? '')
  const imported = [...code.matchAll(/from ?["']([^"']+)["'];/g)].map(([, path]) => path)
  expect(imported).toEqual(['node:module', './late.mjs'])
  expect(code).toContain('import a from "node:os"')

  const url = `data:text/javascript,${encodeURIComponent(code.replace('"./late.mjs"', '"data:text/javascript,export default 1"').replace('(import.meta.url)', '("file:///a.mjs")'))}`
  expect(await import(url)).toMatchObject({ answer: ['/', 'function', 'function', 'function', 1] })
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { longTag } from '../test/builders/long.ts'
import { projectsOf, sharedOptions, tags } from './vitest.shared.ts'

const root = new URL('..', import.meta.url).pathname

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

const marks = (text: string): boolean => text.includes('builders/long.ts')

/** Files that mark a long test, or play a suite that does. */
const files = globSync('test/**/*.test.ts', { cwd: root }).filter((file) => {
  const text = textOf(file)
  const suites = [...text.matchAll(/\/(suites\/[\w-]+\.ts)'/g)].map(([, suite]) => textOf(`test/${suite}`))
  return [text, ...suites].some(marks)
})

/** The tests that `npm test` passes over. */
export default defineConfig({
  root,
  test: {
    maxWorkers: sharedOptions.maxWorkers,
    projects: projectsOf(files),
    tags,
    tagsFilter: [longTag],
  },
})

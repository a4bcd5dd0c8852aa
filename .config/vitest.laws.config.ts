import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { givenSeed, seedVariable } from '../test/builders/laws.ts'
import { projectsOf, sharedOptions, short } from './vitest.shared.ts'

const root = new URL('..', import.meta.url).pathname

/** Files with a long law name the builder of its cases. */
const laws = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
  readFileSync(join(root, file), 'utf8').includes('builders/laws.ts'),
)

/** Another one each time, unless somebody repeats a run. */
const seed = givenSeed ?? String(Date.now() % 1_000_000_000)
process.stdout.write(`long laws with the seed ${seed}: ${seedVariable}=${seed} npm run test:laws plays the same\n`)

/** All cases of the long laws, with a seed of the day. */
export default defineConfig({
  root,
  test: {
    maxWorkers: sharedOptions.maxWorkers,
    ...short,
    projects: projectsOf(laws, { ...sharedOptions.env, [seedVariable]: seed }),
  },
})

import { matchesGlob } from 'node:path'
import { longTag } from '../test/builders/long.ts'

/** Tests that one does not wait for: `npm run test:long` plays them. */
export const tags = [{ name: longTag, description: 'takes long: npm run test:long plays it' }]

export const short = { tags, tagsFilter: [`!${longTag}`] }

/** What the tests without installed servers have in common. */
export const sharedOptions = {
  // Each has a command of its own: real servers, and programs that npm alone does not bring.
  exclude: ['test/targets/**', 'test/deploy/**', 'test/page/**'],
  // Files share the processes and their modules: to load them again for each file costs more than the tests. No test may leave
  // anything behind, which another order of the files would show.
  isolate: false,
  pool: 'forks',
  // One more than the cores that the tests are meant for: some of them wait for processes and for pauses.
  maxWorkers: 3,
  globalSetup: ['test/builders/workspaces/command-server.ts'],
  // Against hanging for ever, and nothing else: no test may depend on how fast the machine is.
  testTimeout: 1_200_000,
  hookTimeout: 300_000,
  env: {
    // Powertools reads these when it is loaded.
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
    // What the CDK finds by its rules is only a warning, which `npm run synth` prints; the engine costs more than the synthesis.
    CDK_VALIDATION: 'false',
  },
} as const

/** They look at the log of Powertools, which is set up when it is loaded. */
const apart = [
  'test/functions/watch.test.ts',
  'test/functions/api/routes/denied.test.ts',
  'test/functions/log-entries.test.ts',
] as const

/** The given test files (names or patterns): those that share processes, and those that need modules of their own. */
export const projectsOf = (include: readonly string[], env: Readonly<Record<string, string>> = sharedOptions.env) => {
  const common = { ...sharedOptions, env }
  const ownModules = apart.filter((file) => include.some((pattern) => matchesGlob(file, pattern)))
  return [
    { test: { ...common, name: 'together', include: [...include], exclude: [...common.exclude, ...apart] } },
    { test: { ...common, name: 'apart', include: ownModules, isolate: true } },
  ]
}

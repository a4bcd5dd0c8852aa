import { defineConfig } from 'vitest/config'
import { projectsOf, sharedOptions, short } from './vitest.shared.ts'

/** All tests that need nothing but npm. Long laws play a few of their cases here: test/builders/laws.ts. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    coverage: { provider: 'v8', include: ['core/**', 'functions/**', 'infra/**'] },
    maxWorkers: sharedOptions.maxWorkers,
    ...short,
    projects: projectsOf(['test/**/*.test.ts']),
  },
})

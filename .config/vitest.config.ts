import { defineConfig } from 'vitest/config'
import { apart, sharedOptions } from './vitest.shared.ts'

/** All tests that need nothing but npm. Long laws play a few of their cases here: test/builders/laws.ts. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    coverage: { provider: 'v8', include: ['core/**', 'functions/**', 'infra/**'] },
    maxWorkers: sharedOptions.maxWorkers,
    projects: [
      {
        test: {
          ...sharedOptions,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...sharedOptions.exclude, ...apart],
        },
      },
      { test: { ...sharedOptions, name: 'apart', include: [...apart], isolate: true } },
    ],
  },
})

import { defineConfig } from 'vitest/config'

/** A real Waldur, one for all files: they take turns, each beginning with the data base as it was seeded. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/targets/waldur/**/*.test.ts'],
    globalSetup: 'test/targets/waldur/set-up.ts',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 900_000,
  },
})

import { defineConfig } from 'vitest/config'

/** Real servers of Debian packages: one file after the other, because two cores carry one server at a time. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/targets/**/*.test.ts'],
    // Installed servers have tests of their own.
    exclude: ['**/node_modules/**'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

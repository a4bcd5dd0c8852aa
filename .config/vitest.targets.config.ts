import { defineConfig } from 'vitest/config'

/** Real servers of Debian packages: one file after the other, because two cores carry one server at a time. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/targets/**/*.test.ts'],
    // Installed servers have tests of their own.
    exclude: ['**/node_modules/**'],
    fileParallelism: false,
    // Against hanging for ever, and nothing else: no test may depend on how fast the machine is.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
})

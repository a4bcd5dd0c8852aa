import { defineConfig } from 'vitest/config'

/** The stack, deployed to servers on this machine: Python's moto and Amazon's DynamoDB Local. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/deploy/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})

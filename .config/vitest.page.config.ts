import { defineConfig } from 'vitest/config'
import { sharedOptions } from './vitest.shared.ts'

/** The web page in a real browser: one file after the other, because two cores carry one browser at a time. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/page/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    fileParallelism: false,
    globalSetup: [...sharedOptions.globalSetup, 'test/page/browser/built-page.ts'],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    env: sharedOptions.env,
  },
})

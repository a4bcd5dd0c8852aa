import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/**/*.test.ts'],
    // Each has a command of its own: real servers, and programs that npm alone does not bring.
    exclude: ['test/targets/**', 'test/deploy/**'],
    globalSetup: ['test/builders/workspaces/command-server.ts'],
    // Against hanging for ever, and nothing else: no test may depend on how fast the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Powertools reads these when it is loaded. Tests that look at the log make a logger of their own.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' },
    coverage: { provider: 'v8', include: ['core/**', 'functions/**', 'infra/**'] },
  },
})

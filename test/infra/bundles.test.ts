import { expect, it } from 'vitest'
import type { HandlerName } from '../../infra/handlers.ts'
import { plainBundles } from '../builders/aws/plain-bundles.ts'

/** KiB that each function reads before its first line runs, with 3 % to spare and 540 at most. Each cold start pays for them. */
const most: Readonly<Record<HandlerName, number>> = { schedule: 440, check: 540, apply: 455, api: 540, watch: 415 }

it('no function loads more at its start than it needs', async () => {
  for (const [name, { atImport }] of (await plainBundles()).sizes) {
    const advice = `what is new in functions/${name}.ts belongs behind import() or into an entry point of its own: docs/decisions/0003-entry-points.md`
    expect(Math.round(atImport / 1024), advice).toBeLessThanOrEqual(most[name])
  }
})

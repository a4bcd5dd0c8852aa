import { randomBytes } from 'node:crypto'
import { type Deps, loadProviders, memoryStore } from '#core'
import { systemClock } from '../../../adapters/clock.ts'
import { createIds } from '../../../adapters/ids.ts'
import { createSeal } from '../../../adapters/seal.ts'
import { createSecrets } from '../../../adapters/secrets.ts'
import { createTransport } from '../../../adapters/transport/index.ts'
import type { Host } from '../../process/host.ts'

/** Everything real but a place to keep something: what a probe does is of no workspace. */
export const createProbeDeps = ({ variables }: Pick<Host, 'variables'>): Deps => {
  const clock = systemClock
  const ignore = async (): Promise<void> => {}
  return {
    store: memoryStore(clock),
    // The probe has its own.
    config: { load: async () => ({ entry: '', files: {} }) },
    providers: loadProviders,
    transport: ({ fileRoots, ...http }) => createTransport({ http, file: { roots: fileRoots } }),
    secrets: createSecrets({ environment: variables, clock }),
    seal: createSeal(randomBytes(32).toString('base64')),
    alerts: { publish: ignore },
    queue: { checks: async () => [], apply: ignore },
    clock,
    ids: createIds(clock),
    warn: () => {},
    limits: { concurrency: 4, leaseMs: 30_000 },
  }
}

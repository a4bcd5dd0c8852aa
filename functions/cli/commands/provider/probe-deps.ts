import { randomBytes } from 'node:crypto'
import { type Deps, memoryStore } from '#core'
import { createSeal } from '../../../adapters/seal.ts'
import { machineDeps } from '../../backend/machine-deps.ts'
import type { Host } from '../../process/host.ts'

/** Everything real but the store: a probe belongs to no workspace, and nothing of it is kept. */
export const createProbeDeps = (host: Pick<Host, 'variables'>): Deps => {
  const ignore = async (): Promise<void> => {}
  const machine = machineDeps(host)
  return {
    ...machine,
    store: memoryStore(machine.clock),
    // The probe has its own.
    config: { load: async () => ({ entry: '', files: {} }) },
    seal: createSeal(randomBytes(32).toString('base64')),
    alerts: { publish: ignore },
    queue: { checks: async () => [], apply: ignore },
    warn: () => {},
    limits: { concurrency: 4, leaseMs: 30_000 },
  }
}

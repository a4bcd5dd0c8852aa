import { randomBytes } from 'node:crypto'
import { type Deps, memoryStore, sources } from '#core'
import { createCipher } from '../../adapters/cipher.ts'
import { createIds } from '../../adapters/ids.ts'
import { providersHere } from '../../adapters/packages/installed.ts'
import { createSeal } from '../../adapters/seal.ts'
import { sealBox } from '../../adapters/seal-box.ts'
import { createSecrets } from '../../adapters/secrets.ts'
import { signJwt } from '../../adapters/sign-jwt.ts'
import { execOn } from '../../adapters/transport/exec/exec.ts'
import { createTransport } from '../../adapters/transport/index.ts'
import type { Host } from '../process/host.ts'

type MachineDeps = Pick<
  Deps,
  'providers' | 'sources' | 'transport' | 'secrets' | 'signJwt' | 'sealBox' | 'clock' | 'ids'
>

export const machineDeps = ({ variables, clock }: Pick<Host, 'variables' | 'clock'>): MachineDeps => ({
  providers: providersHere(variables),
  sources,
  transport: createTransport({ exec: execOn(variables['PATH'] ?? '') }),
  secrets: createSecrets({ environment: variables, clock }),
  signJwt,
  sealBox,
  clock,
  ids: createIds(clock),
})

/** Real dependencies except for a store in memory: a probe belongs to no workspace and stores nothing. */
export const createProbeDeps = (host: Pick<Host, 'variables' | 'clock'>): Deps => {
  const ignore = async (): Promise<void> => {}
  const machine = machineDeps(host)
  const seal = createSeal(randomBytes(32).toString('base64'))
  return {
    ...machine,
    store: memoryStore(machine.clock),
    // The probe has its own configuration.
    config: { load: async () => ({ entry: '', files: {} }) },
    seal,
    cipher: createCipher(seal),
    alerts: { publish: ignore },
    queue: { checks: async () => [], apply: ignore },
    warn: () => {},
    limits: { concurrency: 4, leaseMs: 30_000 },
  }
}

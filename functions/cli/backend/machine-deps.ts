import { type Deps, loadProviders } from '#core'
import { systemClock } from '../../adapters/clock.ts'
import { createIds } from '../../adapters/ids.ts'
import { createSecrets } from '../../adapters/secrets.ts'
import { createTransport } from '../../adapters/transport/index.ts'
import type { Host } from '../process/host.ts'

type MachineDeps = Pick<Deps, 'providers' | 'transport' | 'secrets' | 'clock' | 'ids'>

/** Targets, secrets and time on a machine of the user's own. */
export const machineDeps = ({ variables }: Pick<Host, 'variables'>): MachineDeps => ({
  providers: loadProviders,
  transport: createTransport(),
  secrets: createSecrets({ environment: variables, clock: systemClock }),
  clock: systemClock,
  ids: createIds(systemClock),
})

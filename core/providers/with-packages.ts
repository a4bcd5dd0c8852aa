import type { Packages } from '../engine/provider/package.ts'
import type { ProviderRegistry } from '../engine/provider/provider.ts'
import { providers } from './index.ts'
import { npm } from './npm/npm.ts'

/** The registry of a machine that runs packages. */
export const providersWith = (packages: Packages): ProviderRegistry => ({ ...providers, npm: npm(packages) })

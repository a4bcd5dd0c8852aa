import { providers } from './index.ts'
import { npm } from './npm/npm.ts'
import type { Packages } from './package.ts'
import type { ProviderRegistry } from './provider.ts'

/** The registry of a machine that runs packages. */
export const providersWith = (packages: Packages): ProviderRegistry => ({ ...providers, npm: npm(packages) })

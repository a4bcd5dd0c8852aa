import { loadProviders } from '../../../core/providers/load-providers.ts'
import { sources } from '../../../core/sources/index.ts'

/** The providers and formats of the product, for tests that load configurations without a workspace around them. */
export const wings = { providers: loadProviders, sources }

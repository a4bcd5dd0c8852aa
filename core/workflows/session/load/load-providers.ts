import type { ProviderRegistry } from '../../../providers/provider.ts'

/** The registry of the product, which is loaded with the first workspace. */
export const loadProviders = async (): Promise<ProviderRegistry> =>
  (await import('../../../providers/index.ts')).providers

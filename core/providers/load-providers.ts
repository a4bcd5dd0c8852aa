import type { ProviderRegistry } from '../engine/provider/provider.ts'

/** The registry of the product, which is loaded with the first workspace. */
export const loadProviders = async (): Promise<ProviderRegistry> => (await import('./index.ts')).providers

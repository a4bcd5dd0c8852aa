import type { Packages } from '../engine/provider/package.ts'
import type { ProviderRegistry } from '../engine/provider/provider.ts'

/** The registry with the packages of this machine; always the same one. */
export const loadProvidersWith = (packages: Packages): (() => Promise<ProviderRegistry>) => {
  let registry: Promise<ProviderRegistry> | undefined
  return () => (registry ??= import('./with-packages.ts').then(({ providersWith }) => providersWith(packages)))
}

import type { Packages } from '../../../providers/package.ts'
import type { ProviderRegistry } from '../../../providers/provider.ts'

/** The registry with the packages of this machine; always the same one. */
export const loadProvidersWith = (packages: Packages): (() => Promise<ProviderRegistry>) => {
  let registry: Promise<ProviderRegistry> | undefined
  return () =>
    (registry ??= import('../../../providers/with-packages.ts').then(({ providersWith }) => providersWith(packages)))
}

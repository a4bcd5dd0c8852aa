/*
 * What only the command does, loaded with its first use. No function imports this file, so that none of it is in their
 * bundles.
 */

/** Writes configuration for what exists. */
export const loadImport = () => import('./import/import-objects.ts')

/** Tries a provider document out. */
export const loadProbe = () => import('./probe/probe-provider.ts')

/** Compares a provider document with the API's description, and begins one. */
export const loadProviderTools = () => import('./check-provider.ts')

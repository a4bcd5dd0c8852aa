/** What writes configuration for what exists; loaded with its first use, for no function needs it. */
export const loadImport = () => import('./import/import-objects.ts')

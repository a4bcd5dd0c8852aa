/** What tries a provider document out; loaded with its first use, for no function needs it. */
export const loadProbe = () => import('./probe/probe-provider.ts')

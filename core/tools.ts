/*
 * The third door: what only the command does. It stands apart because a bundle takes in whatever a door leads to, and no
 * function needs any of this. The command loads it with its first use.
 */
export { checkProvider, describedBy, initProvider } from './workflows/check-provider.ts'
export { importObjects } from './workflows/import/import-objects.ts'
export { probeProvider } from './workflows/probe/probe-provider.ts'

/*
 * The entry point of what helps to write configurations and provider documents: only the command does, with its first use.
 * It stands apart because a bundle takes in whatever an entry point leads to, and no function needs any of this.
 */
export type { InitializedProvider } from './check-provider.ts'
export { checkProvider, describedBy, initProvider } from './check-provider.ts'
export type { ImportRequest } from './import/choose-targets.ts'
export { importObjects } from './import/import-objects.ts'
export type { NamedText } from './open-document.ts'
export { probeProvider } from './probe/probe-provider.ts'

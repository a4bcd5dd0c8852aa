/*
 * The entry point #authoring is apart from #core, because only the command needs it, and a bundle contains everything
 * that it imports.
 */
export { type Acceptance, acceptDrift } from './accept/accept-drift.ts'
export type { AcceptRequest } from './accept/choose-differences.ts'
export type { InitializedProvider } from './check-provider.ts'
export { checkProvider, describedBy, initProvider } from './check-provider.ts'
export type { NamedText } from './document/open-document.ts'
export type { ImportRequest } from './import/choose-targets.ts'
export { importObjects } from './import/import-objects.ts'
export { probeProvider } from './probe/probe-provider.ts'

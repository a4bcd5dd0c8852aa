/*
 * The entry point #authoring: tools that help to write configurations and provider documents. Only the command uses them. It is
 * apart from #core because a bundle contains everything that an entry point imports.
 */
export type { InitializedProvider } from './check-provider.ts'
export { checkProvider, describedBy, initProvider } from './check-provider.ts'
export type { ImportRequest } from './import/choose-targets.ts'
export { importObjects } from './import/import-objects.ts'
export type { NamedText } from './open-document.ts'
export { probeProvider } from './probe/probe-provider.ts'

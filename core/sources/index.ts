import type { LoadSource } from '../engine/config/modules/foreign.ts'

/** The formats of other products that modules can have, each loaded when the first configuration uses it. */
export const sources: Readonly<Record<string, LoadSource>> = {
  otterdog: async () => (await import('./otterdog/index.ts')).otterdog,
}

import type { ProviderFactory } from '../provider.ts'
import { refusals } from './words.ts'

/** Where no package runs, each is refused with the reason. The code that runs packages is not loaded there. */
export const notHere: ProviderFactory = {
  configure: ({ alias, position, source = '' }) => ({
    ok: false,
    issues: [{ ...position, ...refusals.notHere(alias), value: source }],
  }),
}

import type { ProviderFactory } from '../../engine/provider/provider.ts'
import { refusals } from './words.ts'

/** In functions whose deployment bundles no package, each is refused with the reason. The code that runs packages is not there. */
export const notHere: ProviderFactory = {
  configure: ({ alias, position, source = '' }) => ({
    ok: false,
    issues: [{ ...position, ...refusals.bundled.missing(alias, source), value: source }],
  }),
}

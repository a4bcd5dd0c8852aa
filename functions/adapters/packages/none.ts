import { type Deps, loadProviders } from '#core'

/**
 * The functions run no provider packages. If a deployment names packages, `infra/bundle.ts` puts `bundled.ts` in the
 * place of this file, so that no other deployment contains code that runs packages.
 */
export const cloudProviders = (_codeFolder: () => string): Deps['providers'] => loadProviders

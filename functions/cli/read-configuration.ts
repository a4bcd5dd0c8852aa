import { type Bundle, type Configuration, loadProviders, validateBundle } from '#core'

/** Rejects with CONFIG_INVALID, which names every problem with its place. Asks nobody and writes nothing. */
export const readConfiguration = (bundle: Bundle & { readonly folder?: string }): Promise<Configuration> =>
  validateBundle(bundle, { providers: loadProviders })

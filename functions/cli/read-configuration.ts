import { type Configuration, loadProviders, type SourcedBundle, validateBundle } from '#core'

/** Rejects with CONFIG_INVALID, which names every problem with its place. Asks nobody and writes nothing. */
export const readConfiguration = (bundle: SourcedBundle): Promise<Configuration> =>
  validateBundle(bundle, { providers: loadProviders })

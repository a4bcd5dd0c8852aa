import { type ConfigSource, loadConfiguration, type Store } from '#core'

const endedBy = (store: Store, signal: AbortSignal | undefined): Store =>
  signal === undefined
    ? store
    : { ...store, get: (key) => store.get(key, signal), query: (query) => store.query(query, signal) }

/** Loads the pushed bundle. Rejects with WORKSPACE_NOT_FOUND or STORE_CORRUPT. */
export const storeSource = (store: Store): ConfigSource => ({
  load: async (workspace, signal) => {
    const { bundle, stored } = await loadConfiguration(endedBy(store, signal), workspace)
    return { ...bundle, stored }
  },
})

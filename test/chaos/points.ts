import type { Deps } from '../../core/engine/workflows/deps.ts'

/**
 * Before or after anything that a worker does to the world, `write` where it writes to a target. Whoever is called may hold
 * it there for as long as it likes.
 */
export type Meet = (what: 'write' | 'other') => Promise<void>

/** The same ports; each call passes two points. */
export const withPoints = <Ports extends Pick<Deps, 'store' | 'transport'>>(ports: Ports, meet: Meet): Ports => {
  const around = async <Result>(act: () => Promise<Result>, what: 'write' | 'other' = 'other'): Promise<Result> => {
    await meet(what)
    const result = await act()
    await meet(what)
    return result
  }
  const { store, transport } = ports
  return {
    ...ports,
    store: {
      get: (key) => around(() => store.get(key)),
      query: (query) => around(() => store.query(query)),
      write: (writes) => around(() => store.write(writes)),
    },
    transport: (confines) => {
      const inner = transport(confines)
      return {
        send: (request, signal) =>
          around(() => inner.send(request, signal), request.effect === 'write' ? 'write' : 'other'),
      }
    },
  }
}

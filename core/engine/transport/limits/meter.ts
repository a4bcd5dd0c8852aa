import type { Address } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import type { Allowance, Transport } from '../transport.ts'

/** Requests for reading one resource: those that the API counts, and those that it answered with 304. */
export interface ReadCost {
  readonly counted: number
  readonly free: number
  /** Counted requests whose answers were kept; they are free as long as nothing changes. */
  readonly kept: number
}

/** Counts the requests of reads. A request that several resources share counts for the first resource. */
export interface Meter {
  /** Must be below the cache, so that only requests that are really sent count. */
  around(inner: Transport): Transport
  costs(): ReadonlyMap<Address, ReadCost>
}

export const createMeter = (): Meter => {
  const costs = new Map<Address, ReadCost>()
  const add = (address: Address | undefined, cost: ReadCost): void => {
    if (address === undefined) return
    const { counted, free, kept } = costs.get(address) ?? { counted: 0, free: 0, kept: 0 }
    costs.set(address, { counted: counted + cost.counted, free: free + cost.free, kept: kept + cost.kept })
  }
  const around = (inner: Transport): Transport => ({
    ...inner,
    send: async ({ reader, ...request }, signal) => {
      const response = await inner.send(request, signal)
      const isFree = response.kept === true
      const kept = response.keeps === true ? 1 : 0
      add(reader, isFree ? { counted: 0, free: 1, kept: 0 } : { counted: 1, free: 0, kept })
      return response
    },
    ...defined({ afresh: inner.afresh && around(inner.afresh) }),
  })
  return { costs: () => costs, around }
}

/** The same transport; its requests count for one resource. */
export const readerOf = (inner: Transport, reader: Address): Transport => {
  const { within, afresh } = inner
  return {
    ...inner,
    send: (request, signal) => inner.send({ ...request, reader }, signal),
    ...defined({
      within: within && ((of: string, allowance: Allowance) => readerOf(within(of, allowance), reader)),
      afresh: afresh && readerOf(afresh, reader),
    }),
  }
}

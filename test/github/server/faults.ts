/** What a test lets go wrong. Each fault holds for the requests that it names, as often as it says. */

export interface FaultedRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
}

export type Fault = {
  /** Which requests; all, if it is not said. */
  readonly when?: (request: FaultedRequest) => boolean
  /** How often; always, if it is not said. */
  times?: number
} & (
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** The answer breaks off in the middle, after a length that was promised for what came. */
  | { readonly kind: 'broken-json' }
  /** The connection ends before the request is performed. */
  | { readonly kind: 'drop' }
  /** The connection ends after the request was performed: nobody knows whether it was. */
  | { readonly kind: 'drop-after' }
  /** The answer waits. */
  | { readonly kind: 'hold'; readonly until: Promise<unknown> }
  /** A list comes in another order each time. */
  | { readonly kind: 'shuffle' }
  /** Between two pages an object of the first page goes away, so that the next page starts one later. */
  | { readonly kind: 'shift' }
  /** A page ends early although its links say nothing about it. */
  | { readonly kind: 'short-page' }
)

export const newFaults = () => {
  const list: Fault[] = []
  return {
    add: (fault: Fault): void => void list.push(fault),
    clear: (): void => void list.splice(0),
    /** The faults that hold for a request, counted down. */
    of: (request: FaultedRequest): readonly Fault[] =>
      list.filter((fault) => {
        if (fault.times === 0 || fault.when?.(request) === false) return false
        if (fault.times !== undefined) fault.times -= 1
        return true
      }),
  }
}

/** Another order each time, the same in each run of a test: a step that has no divisor with the length. */
const shuffled = <Item>(items: readonly Item[], turn: number): readonly Item[] => {
  const rest = [...items]
  const out: Item[] = []
  let at = turn
  while (rest.length > 0) {
    at = (at * 31 + 7) % rest.length
    out.push(...rest.splice(at, 1))
  }
  return out
}

let turns = 0

/** A list as the faults of a request make it; `page` counts from 1. */
export const disturbed = <Item>(items: readonly Item[], faults: readonly Fault[], page: number): readonly Item[] =>
  faults.reduce<readonly Item[]>((list, { kind }) => {
    turns += 1
    if (kind === 'shuffle') return shuffled(list, turns)
    return kind === 'shift' && page > 1 ? list.slice(1) : list
  }, items)

import type { Deps } from '../../../core/engine/workflows/deps.ts'

/** A moment in the life of a worker: before or after the nth of what it does to the world. */
export interface CrashPoint {
  /** A kind of ledger entry, a write that is sent to the target, or any write to the store. */
  readonly at: 'intent' | 'attempt' | 'waiting' | 'result' | 'finished' | 'send' | 'store'
  readonly n: number
  readonly when: 'before' | 'after'
}

/** The same ports, with a death in them. `die` ends the process, or never comes back. */
export const withCrash = <Ports extends Pick<Deps, 'store' | 'transport'>>(
  ports: Ports,
  point: CrashPoint,
  die: () => Promise<never>,
): Ports => {
  let count = 0
  let isDead = false
  const end = (): Promise<never> => {
    if (isDead) return new Promise(() => {})
    isDead = true
    return die()
  }
  // Whoever is dead does nothing more, in any of the commands that were under way.
  const around = async <Result>(concerned: boolean, act: () => Promise<Result>): Promise<Result> => {
    if (isDead) return end()
    if (concerned) count += 1
    const now = concerned && count === point.n
    if (now && point.when === 'before') return end()
    const result = await act()
    return now || isDead ? end() : result
  }
  const { store, transport } = ports
  return {
    ...ports,
    store: {
      ...store,
      write: (writes) => {
        const kinds = writes.map((write) => (write.kind === 'put' ? write.item['body'] : undefined))
        const entry = kinds.some((body) => (body as { readonly kind?: string } | undefined)?.kind === point.at)
        return around(point.at === 'store' || entry, () => store.write(writes))
      },
    },
    transport: (confines) => {
      const inner = transport(confines)
      return {
        send: (request, signal) =>
          around(point.at === 'send' && request.effect === 'write', () => inner.send(request, signal)),
      }
    },
  }
}

/** What a worker does until it ends, or dies at that moment and does nothing more. */
export const untilDeath = <Ports extends Pick<Deps, 'store' | 'transport'>, Result>(
  ports: Ports,
  point: CrashPoint,
  work: (dying: Ports) => Promise<Result>,
): Promise<Result | 'died'> => {
  const died = Promise.withResolvers<'died'>()
  const dying = withCrash(ports, point, () => {
    died.resolve('died')
    return new Promise(() => {})
  })
  return Promise.race([died.promise, work(dying)])
}

import type { Clock } from '../../core/engine/schema/ports.ts'
import { memoryStore } from '../../core/engine/state/store/memory.ts'
import type { Store, Write } from '../../core/engine/state/store/store.ts'
import type { Declaration } from './declared.ts'
import { type History, loosenGone, tieRestored } from './oracle.ts'
import { at } from './outside.ts'
import type { Scene } from './scene.ts'
import { snapshot, type World } from './world.ts'

/* Copies of what Plumbline knows and of the server, one after each check and each apply. Either goes back to one, and the other goes on. */

interface Backup {
  /** How many writes the store had seen. */
  readonly writes: number
  readonly ties: History['ties']
  readonly held: ReadonlySet<number>
  readonly things: World['things']
}

/** A store that can go back to what it was after so many writes. */
const openStore = (clock: Pick<Clock, 'now'>) => {
  let inner = memoryStore(clock)
  const written: (readonly Write[])[] = []
  const store: Store = {
    get: (key) => inner.get(key),
    query: (query) => inner.query(query),
    write: async (writes) => {
      const result = await inner.write(writes)
      if (result.ok) written.push(writes)
      return result
    },
  }
  const goBack = async (count: number): Promise<void> => {
    inner = memoryStore(clock)
    written.splice(count)
    for (const writes of written) await inner.write(writes.flatMap(withoutConditions))
  }
  return { store, goBack, count: () => written.length }
}

/** They held when it was written. */
const withoutConditions = (write: Write): readonly Write[] => {
  if (write.kind === 'check') return []
  const { if: _, ...rest } = write
  return [rest]
}

export const openBackups = ({ world, history, tell }: Scene, clock: Pick<Clock, 'now'>) => {
  const { store, goBack, count } = openStore(clock)
  const kept: Backup[] = []
  return {
    store,
    keep: (held: ReadonlySet<number>): void => {
      kept.push({ writes: count(), ties: [...history.ties], held, things: world.things })
    },
    /** Answers what others must have known of then; `undefined` where there is no backup. */
    restoreRecords: async (which: number): Promise<ReadonlySet<number> | undefined> => {
      const backup = at(kept, which)
      if (backup === undefined) return undefined
      tell(`the store goes back to what it was after check or apply ${kept.indexOf(backup) + 1}`)
      await goBack(backup.writes)
      // What was kept later is of writes that never were.
      kept.splice(kept.indexOf(backup) + 1)
      history.ties.splice(0, history.ties.length, ...backup.ties)
      return backup.held
    },
    /** Everything on it, with all ids; those that it gave since are never given again. */
    restoreServer: (which: number, all: Declaration): void => {
      const backup = at(kept, which)
      if (backup === undefined) return
      tell(`the server goes back to what it was after check or apply ${kept.indexOf(backup) + 1}`)
      loosenGone(all, snapshot(world), history)
      world.things = backup.things
      tieRestored(backup.ties, world, history)
    },
  }
}

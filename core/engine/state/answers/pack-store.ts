import { digest } from '../../json/digest.ts'
import type { Cipher, Clock } from '../../schema/ports.ts'
import { eachItem, inBatches } from '../store/commit.ts'
import { keys } from '../store/keys.ts'
import type { Key, Store, Write } from '../store/store.ts'
import { type Pack, type PackedAnswer, type PackedPlace, packed, unpacked } from './pack.ts'

/** The packs of one workspace, sealed, each in one item. */
export interface PackStore {
  load(): Promise<void>
  /** Stores answers, in several packs where one is too large; what exceeds a limit is not stored. */
  put(answers: readonly PackedAnswer[]): Promise<void>
  /** Where the newest answer of a key is. */
  find(key: string): PackedPlace | undefined
  textAt(place: PackedPlace): Promise<string | undefined>
  /** Each pack with its size and those of its answers that are the newest of their keys. */
  each(): readonly {
    readonly pack: string
    readonly bytes: number
    readonly size: number
    readonly newest: PackedPlaces
  }[]
  /** Deletes these packs, and those that cannot be opened: of another key, or another format. */
  remove(packs: readonly string[]): Promise<void>
}

type PackedPlaces = readonly PackedPlace[]

export interface PacksOf {
  readonly store: Store
  readonly workspace: string
  /** Of answers that only the later parts of this check may use. Absent: of those that later checks may use. */
  readonly check?: string
  readonly cipher: Cipher
  readonly clock: Pick<Clock, 'now'>
  /** After this time an item may be deleted. */
  readonly lifeMs: number
}

/** Of compressed bytes, under an item's 400 KB. */
const packBytes = 350_000
/** Of all packs of a workspace, or of a check, compressed: about ten times as much JSON. */
const totalBytes = { later: 32_000_000, check: 128_000_000 }
/** Packs whose expanded texts are in memory. Requests come in nearly the order of the packs. */
const openPacks = 3

interface LoadedPack extends Pack {
  readonly bytes: number
}

export const openPackStore = ({ store, workspace, check, cipher, clock, lifeMs }: PacksOf): PackStore => {
  const keyOf = (pack: string): Key => keys.answers(workspace, pack, check)
  const most = check === undefined ? totalBytes.later : totalBytes.check
  const packs = new Map<string, LoadedPack>()
  const newest = new Map<string, PackedPlace>()
  const foreign: string[] = []
  const textsOf = keepingFew((pack) => packs.get(pack)?.texts())

  const hold = async (pack: string, bytes: Uint8Array): Promise<void> => {
    const opened = cipher.open(bytes, contextOf(workspace, pack, check))
    if (opened === undefined) {
      foreign.push(pack)
      return
    }
    const { places, texts } = await unpacked(pack, opened)
    packs.set(pack, { places, texts, bytes: bytes.byteLength })
    for (const place of places) {
      const known = newest.get(place.key)
      if (known === undefined || known.at <= place.at) newest.set(place.key, place)
    }
  }

  const put: PackStore['put'] = async (answers) => {
    if (answers.length === 0) return
    const pack = digest(answers.map(({ key, at }) => [key, at])).slice('sha256:'.length)
    const bytes = cipher.seal(await packed(answers), contextOf(workspace, pack, check))
    if (bytes.byteLength > packBytes) {
      const half = Math.ceil(answers.length / 2)
      const parts = answers.length === 1 ? [] : [answers.slice(0, half), answers.slice(half)]
      for (const part of parts) await put(part)
      return
    }
    const total = [...packs.values()].reduce((sum, held) => sum + held.bytes, bytes.byteLength)
    if (total > most) return
    const ttl = Math.floor((clock.now().getTime() + lifeMs) / 1000)
    await store.write([{ kind: 'put', item: { ...keyOf(pack), bytes, ttl } }])
    await hold(pack, bytes)
  }

  return {
    put,
    load: async () => {
      const { pk, sk } = keyOf('')
      for await (const item of eachItem(store, { pk, prefix: sk })) {
        const { bytes } = item
        if (bytes instanceof Uint8Array) await hold(item.sk.slice(sk.length), bytes)
      }
    },
    find: (key) => newest.get(key),
    textAt: async ({ pack, start, length }) => {
      const texts = await textsOf(pack)
      return texts && Buffer.from(texts.subarray(start, start + length)).toString()
    },
    each: () =>
      [...packs].map(([pack, { bytes, places }]) => ({
        pack,
        bytes,
        size: places.length,
        newest: places.filter((place) => newest.get(place.key) === place),
      })),
    remove: async (gone) => {
      for (const pack of gone) packs.delete(pack)
      await deleteAll(store, [...gone, ...foreign.splice(0)].map(keyOf))
    },
  }
}

/** The results of the last few calls. */
const keepingFew = (make: (pack: string) => Promise<Uint8Array> | undefined) => {
  const kept = new Map<string, Promise<Uint8Array>>()
  return (pack: string): Promise<Uint8Array> | undefined => {
    const known = kept.get(pack) ?? make(pack)
    if (known === undefined) return undefined
    // What was used last goes last.
    kept.delete(pack)
    kept.set(pack, known)
    const [oldest] = kept.keys()
    if (kept.size > openPacks && oldest !== undefined) kept.delete(oldest)
    return known
  }
}

/** An item that was moved to another workspace, check or name cannot be opened there. */
const contextOf = (workspace: string, pack: string, check: string | undefined): string =>
  JSON.stringify(check === undefined ? ['answers', workspace, pack] : ['answers', workspace, pack, check])

const deleteAll = async (store: Store, gone: readonly Key[]): Promise<void> => {
  const writes = gone.map((key): Write => ({ kind: 'delete', key }))
  for (const batch of inBatches(writes.map((write) => [write]))) await store.write(batch)
}

/** Deletes the kept answers of a removed workspace, also those of a check that has not ended. */
export const forgetAnswers = async (store: Store, workspace: string): Promise<void> => {
  const { pk } = keys.answers(workspace, '')
  const items = await Array.fromAsync(eachItem(store, { pk }))
  await deleteAll(
    store,
    items.map(({ sk }) => ({ pk, sk })),
  )
}

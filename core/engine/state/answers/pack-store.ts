import { digest } from '../../json/digest.ts'
import type { Cipher, Clock } from '../../schema/ports.ts'
import { eachKey, inBatches, soundItems } from '../store/commit.ts'
import { keys } from '../store/keys.ts'
import type { Key, Store, Write } from '../store/store.ts'
import { type Pack, type PackedAnswer, type PackedPlace, packed, unpacked } from './pack.ts'

/** Each pack is one encrypted item. */
export interface PackStore {
  load(): Promise<void>
  /** Makes several packs if one would be too large; answers beyond a limit are not stored. */
  put(answers: readonly PackedAnswer[]): Promise<void>
  find(key: string): PackedPlace | undefined
  textAt(place: PackedPlace): Promise<string | undefined>
  /** `newest` has the answers that are the newest of their keys. */
  each(): readonly {
    readonly pack: string
    readonly bytes: number
    readonly size: number
    readonly newest: PackedPlaces
  }[]
  /** Also deletes packs that cannot be opened because they have another encryption key or format. */
  remove(packs: readonly string[]): Promise<void>
}

type PackedPlaces = readonly PackedPlace[]

export interface PacksOf {
  readonly store: Store
  readonly workspace: string
  /** If present, only later parts of this check may use the answers; if absent, later checks may. */
  readonly check?: string
  readonly cipher: Cipher
  readonly clock: Pick<Clock, 'now'>
  /** After this time the store may delete an item. */
  readonly lifeMs: number
}

/** Compressed bytes of a pack; DynamoDB allows 400 KB for an item. */
const packBytes = 350_000
/** Compressed bytes of all packs of a workspace or of a check; the JSON is about ten times as large. */
const totalBytes = { later: 32_000_000, check: 128_000_000 }
/** Packs whose expanded texts stay in memory. Few are enough, because requests are nearly in the order of the packs. */
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
      for await (const item of soundItems(store, { pk, prefix: sk })) {
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

const keepingFew = (make: (pack: string) => Promise<Uint8Array> | undefined) => {
  const kept = new Map<string, Promise<Uint8Array>>()
  return (pack: string): Promise<Uint8Array> | undefined => {
    const known = kept.get(pack) ?? make(pack)
    if (known === undefined) return undefined
    // The most recently used pack becomes the last one.
    kept.delete(pack)
    kept.set(pack, known)
    const [oldest] = kept.keys()
    if (kept.size > openPacks && oldest !== undefined) kept.delete(oldest)
    return known
  }
}

/** The encryption context: an item that was moved to another workspace, check or name cannot be opened. */
const contextOf = (workspace: string, pack: string, check: string | undefined): string =>
  JSON.stringify(check === undefined ? ['answers', workspace, pack] : ['answers', workspace, pack, check])

const deleteAll = async (store: Store, gone: readonly Key[]): Promise<void> => {
  const writes = gone.map((key): Write => ({ kind: 'delete', key }))
  for (const batch of inBatches(writes.map((write) => [write]))) await store.write(batch)
}

/** Deletes the kept answers of a removed workspace, including those of a check that has not ended. */
export const forgetAnswers = async (store: Store, workspace: string): Promise<void> => {
  const { pk } = keys.answers(workspace, '')
  const items = await Array.fromAsync(eachKey(store, { pk }))
  await deleteAll(
    store,
    items.map(({ sk }) => ({ pk, sk })),
  )
}

import type { KeptAnswer, KeptAnswers } from '../../schema/ports.ts'
import type { PackedAnswer, PackedPlace } from './pack.ts'
import { openPackStore, type PackStore, type PacksOf } from './pack-store.ts'

export interface AnswerStore extends KeptAnswers {
  /** Writes new answers, and merges small and outdated packs. Does nothing if nothing has changed. */
  save(): Promise<void>
}

export interface AnswersOf extends Omit<PacksOf, 'lifeMs'> {
  /**
   * Called once when the store fails. From then on every answer is requested without a condition, which costs requests
   * but gives the same result.
   */
  readonly warn: (error: unknown) => void
}

const dayMs = 86_400_000
/** After this time an answer is requested without a condition again, because a server may answer 304 by mistake. */
const lifeMs = { least: 5 * dayMs, most: 7 * dayMs }
/** At least `many` packs of fewer than `bytes` bytes are merged. */
const small = { bytes: 100_000, many: 8 }
/** Characters of the answers that wait to be packed. */
const waitingLength = 4_000_000
/** In characters; a longer answer is not kept. */
const longestAnswer = 2_000_000

export const openAnswers = (of: AnswersOf): AnswerStore => {
  const { check, clock, warn } = of
  const packs = openPackStore({ ...of, lifeMs: check === undefined ? lifeMs.most : dayMs })
  const now = (): number => clock.now().getTime()
  let isLost = false
  /** A failure of the store loses only kept answers, so it is a warning. */
  const trying = async <Found>(work: () => Promise<Found>): Promise<Found | undefined> => {
    if (isLost) return undefined
    try {
      return await work()
    } catch (error) {
      if (!isLost) warn(error)
      isLost = true
      return undefined
    }
  }
  let loading: Promise<void> | undefined
  const load = (): Promise<void> => (loading ??= packs.load())
  const queue = createQueue(packs)
  return {
    find: (key) =>
      trying(async () => {
        await load()
        const newest = queue.find(key)
        if (newest !== undefined) return answerOf(newest)
        const place = packs.find(key)
        const text = place !== undefined && isYoung(place, now()) ? await packs.textAt(place) : undefined
        if (place === undefined || text === undefined) return undefined
        return answerOf({ etag: place.etag, text })
      }),
    keep: async (key, { etag, response }) => {
      await trying(async () => {
        await load()
        await queue.add({ key, at: now(), etag, text: JSON.stringify(response) })
      })
    },
    save: async () => {
      await trying(async () => {
        await load()
        const former = outdated(packs, now())
        for (const { newest } of former) for (const place of newest) await queue.addFrom(place, now())
        await queue.flush()
        await packs.remove(former.map(({ pack }) => pack))
      })
    },
  }
}

const answerOf = ({ etag, text }: Pick<PackedAnswer, 'etag' | 'text'>): KeptAnswer => ({
  etag,
  response: JSON.parse(text) as KeptAnswer['response'],
})

const outdated = (packs: PackStore, now: number): ReturnType<PackStore['each']> => {
  const all = packs.each()
  const isSmall = ({ bytes }: { readonly bytes: number }): boolean => bytes < small.bytes
  const isCrowded = all.filter(isSmall).length >= small.many
  return all.filter((one) => {
    const young = one.newest.filter((place) => isYoung(place, now))
    return young.length * 2 < one.size || (isCrowded && isSmall(one))
  })
}

/** The key, which is hexadecimal, decides the lifetime, so that not all answers are requested again in one run. */
const isYoung = ({ key, at }: Pick<PackedPlace, 'key' | 'at'>, now: number): boolean => {
  const share = Number.parseInt(key.slice(0, 4), 16) / 0x10000
  return at <= now && now - at < lifeMs.least + share * (lifeMs.most - lifeMs.least)
}

const createQueue = (packs: PackStore) => {
  let waiting = new Map<string, PackedAnswer>()
  let length = 0
  const flush = async (): Promise<void> => {
    const answers = [...waiting.values()]
    waiting = new Map()
    length = 0
    await packs.put(answers)
  }
  const add = async (answer: PackedAnswer): Promise<void> => {
    if (answer.text.length > longestAnswer) return
    length += answer.text.length
    waiting.set(answer.key, answer)
    if (length >= waitingLength) await flush()
  }
  const addFrom = async (place: PackedPlace, now: number): Promise<void> => {
    const text = isYoung(place, now) && !waiting.has(place.key) ? await packs.textAt(place) : undefined
    const { key, at, etag } = place
    if (text !== undefined) await add({ key, at, etag, text })
  }
  return { find: (key: string) => waiting.get(key), add, addFrom, flush }
}

import type { JsonObject } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import type { Apply } from '../../schema/stored/records.ts'
import { mustCommit } from '../store/commit.ts'
import { documentChanges, getDocument } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { things } from '../store/words.ts'
import { holdsLock, type Lock } from './lock.ts'

/**
 * The state of an object after a command of an apply. A worker that continues the apply compares it with the object.
 */
export interface Sight {
  /** Normalised; secrets are sealed. */
  readonly attributes: JsonObject
  /** Ids of the commands whose effects `attributes` shows. */
  readonly counted: readonly string[]
}

/** A replaced resource has two objects for a while, which `isMade` distinguishes. */
export interface SightOf {
  readonly apply: Apply
  readonly address: Address
  readonly isMade: boolean
}

/** An apply that is not continued within this time must be planned again. */
const keptSeconds = 30 * 24 * 3600

const keyOf = ({ apply: { workspace, id }, address, isMade }: SightOf) =>
  keys.sight(workspace, id, `${isMade ? 'made' : 'seen'}#${address}`)

/** Throws LOCK_LOST. */
export const saveSight = async (store: Store, seen: SightOf, sight: Sight, lock: Lock): Promise<void> => {
  const ttl = Math.floor(Date.parse(seen.apply.requestedAt) / 1000) + keptSeconds
  const document = await documentChanges(keyOf(seen), sight, { ttl })
  const final = [...document.final, holdsLock(lock)]
  await mustCommit(store, { ...document, final }, things.sight(seen.address))
}

/** `undefined` if no state was stored. Throws STORE_CORRUPT. */
export const loadSight = (store: Store, seen: SightOf): Promise<Sight | undefined> =>
  getDocument<Sight>(store, keyOf(seen), things.sight(seen.address))

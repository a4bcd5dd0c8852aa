import type { Target } from '../../../engine/provider/provider.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { PresentResult, UnknownResult } from '../../../engine/schema/resource.ts'
import { namingPlace } from '../../../engine/values/normalise/named-container.ts'
import { spellValue } from '../../../engine/values/spell-value.ts'
import { lastingIds } from '../document/document.ts'
import { isReadableById } from '../document/ids.ts'
import type { ReadContext, TypeContext } from '../request/context.ts'
import { type FixedReference, fixedReferences, namesById, namesIn, spellPlace } from './fixed-references.ts'
import { resolveEmitted } from './refs/resolve-refs.ts'
import { unknowns } from './shared/words.ts'

type ProvenIds =
  | {
      readonly kind: 'proven'
      readonly ids: NonNullable<PresentResult['parents']>
      /** The places that have ids. */
      readonly places: readonly string[]
    }
  | UnknownResult

/**
 * What contains the target by an id that never changes in it. Where the object has another one than the recorded, somebody moved
 * it, as long as the recorded container is there: what was in one that is gone went with it. An id of its own proves an object by itself.
 */
export const proveIds = async (
  context: ReadContext,
  { attributes, parents = {} }: Target,
  observed: JsonObject,
): Promise<ProvenIds> => {
  const ids: Record<string, string> = {}
  const places: string[] = []
  for (const reference of isProvenByItself(context) ? [] : fixedReferences(context.resource)) {
    const entry = namesById(context, reference)
    if (entry === undefined) continue
    const now = namesIn(reference, observed)
    for (const { key, name } of now) ids[key] = String(name)
    const was = recordedAt(reference, attributes, parents)
    places.push(...[...now, ...was].map(({ key }) => namingPlace(key)))
    const [{ name: shown } = { name: null }] = now
    if (now.length === 0 || was.length === 0 || was.some(({ name }) => now.some((each) => isSame(each.name, name))))
      continue
    for (const { name } of was) {
      const found = await resolveEmitted(context, entry, String(name), attributes)
      if (found.kind === 'unknown') return found
      if (found.kind === 'none') return unknowns.lostId(spellPlace(reference), spellValue(name), spellValue(shown))
    }
  }
  return { kind: 'proven', ids, places }
}

const isProvenByItself = ({ resource }: TypeContext): boolean =>
  resource.identity.ids === 'stable' && lastingIds(resource).length > 0 && isReadableById(resource)

const recordedAt = (reference: FixedReference, attributes: JsonObject, parents: NonNullable<Target['parents']>) =>
  namesIn(reference, attributes).filter(({ key, name }) => parents[key] === String(name))

const isSame = (one: Json, other: Json): boolean => String(one) === String(other)

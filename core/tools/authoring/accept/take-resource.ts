import { isJsonnet } from '../../../engine/config/syntax/parse-document.ts'
import { rootOf } from '../../../engine/diff/matching/facts.ts'
import { normalise } from '../../../engine/diff/normalise.ts'
import { pathText } from '../../../engine/json/pointer.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import type { RefusedValue } from '../../../engine/schema/reports/accept-report.ts'
import type { Address } from '../../../engine/schema/resource.ts'
import { withManage } from '../../../engine/values/with-manage.ts'
import type { Session } from '../../../engine/workflows/session/open-session.ts'
import { specOf } from '../import/spec-of.ts'
import { withNames } from '../import/with-names.ts'
import { refusedAs } from './choose-differences.ts'
import type { Documents } from './documents.ts'
import { lookUpIn } from './look-up.ts'
import type { OtherEdit, Taking } from './place.ts'
import { takeLive } from './take-live.ts'
import { refusals } from './words.ts'

export interface TakenResource {
  readonly address: Address
  readonly file: string
  readonly spec: { readonly at: Path; readonly value: Json; readonly isChanged: boolean }
  readonly others: readonly OtherEdit[]
  readonly origins: Taking['origins']
  readonly refused: readonly RefusedValue[]
}

const speak = async (session: Session, address: Address): Promise<JsonObject> => {
  const { type, provider, planned } = session.resources.get(address) ?? {}
  if (type === undefined || provider === undefined || planned?.before == null) return {}
  const { spec } = specOf(type.schema, planned.before, () => undefined)
  return withNames(session, { type, provider, attributes: planned.before }, spec)
}

export const takeResource = async (
  session: Session,
  documents: Documents,
  { address, wanted }: { readonly address: Address; readonly wanted: readonly Path[] },
): Promise<TakenResource> => {
  const one = session.resources.get(address)
  const place = documents.resources.get(address)
  const { desired, type, planned } = one ?? {}
  const file = place?.frame.file ?? ''
  const at: Path = [...(place?.at ?? []), 'spec']
  const written = documents.valueIn(file, at)
  const taking: Taking = {
    wanted,
    done: new Set(),
    refused: new Map(),
    others: [],
    origins: new WeakMap(),
  }
  const isReadable =
    !isJsonnet(file) &&
    place !== undefined &&
    desired !== undefined &&
    type !== undefined &&
    planned?.before != null &&
    isObject(written)
  let value = written ?? {}
  if (isReadable) {
    const schema = withManage(type.schema, desired.lifecycle.manage)
    const { attributes } = desired
    const live = planned.before ?? {}
    const root = {
      facts: rootOf(schema),
      written,
      resolved: attributes,
      live,
      spoken: await speak(session, address),
      path: [],
      at,
      lookUp: lookUpIn(documents, place.frame),
      canonical: (given: Json) => normalise(schema, isObject(given) ? given : {}, 'desired', attributes),
    }
    value = takeLive(root, taking) ?? written
  }
  const undone = wanted.filter((path) => !taking.done.has(pathText(path)))
  return {
    address,
    file,
    spec: { at, value, isChanged: value !== written },
    others: taking.others,
    origins: taking.origins,
    refused: [
      ...[...taking.refused.values()].map(({ path, refusal }) => refusedAs(address, path, refusal)),
      ...undone.map((path) =>
        refusedAs(address, path, isJsonnet(file) ? refusals.evaluated(file) : refusals.notWritten()),
      ),
    ],
  }
}

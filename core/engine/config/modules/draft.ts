import { typePattern } from '../../schema/described.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { DesiredResource, ForAll, Lifecycle } from '../../schema/resource.ts'
import { instanceAddress, resourceAddress } from '../../values/addresses/address.ts'
import { namePattern } from '../../values/addresses/declarable.ts'
import { defined } from '../../values/defined.ts'
import type { Frame, ReferenceTarget } from '../references/frame.ts'
import { lifecycleShape } from '../shape/resource-shape.ts'

export interface ResourceDraft extends ReferenceTarget, Omit<DesiredResource, 'attributes' | 'dependsOn' | 'refersBy'> {
  /** The address without the key. */
  readonly base: string
  readonly dependsOn: readonly (readonly [index: number, address: string])[]
}

export const isNamed = (written: Json): written is JsonObject & { readonly type: string; readonly name: string } => {
  if (!isObject(written)) return false
  const { type, name } = written
  return typeof type === 'string' && typeof name === 'string' && typePattern.test(type) && namePattern.test(name)
}

const conditionsIn = (written: Json | undefined): ForAll['where'] =>
  [written ?? []].flat().filter((each): each is JsonObject => isObject(each))

const readForAll = ({ where, except, repair }: JsonObject): ForAll => ({
  where: conditionsIn(where),
  except: conditionsIn(except),
  repair: repair === true,
})

/** What has another shape is told where its file is read, and means nothing. */
const lifecycleIn = (written: Json | undefined): Lifecycle => {
  const read = lifecycleShape.safeParse(written)
  return read.success ? read.data : {}
}

export const toDraft = (
  written: JsonObject & { readonly type: string; readonly name: string },
  index: number,
  { frame, provider }: { readonly frame: Frame; readonly provider: string },
): ResourceDraft => {
  const { type, name, spec, dependsOn, lifecycle, forAll } = written
  const module = frame.module === '' ? undefined : frame.module
  const base = resourceAddress({ module, type, name })
  const named = isArray(dependsOn) ? [...dependsOn.entries()] : []
  return {
    address: instanceAddress(base, frame.each?.key),
    base,
    type,
    name,
    ...defined({ module }),
    frame,
    path: ['resources', index, 'spec'],
    spec: isObject(spec) ? spec : {},
    absent: written['absent'] === true,
    provider,
    dependsOn: named.filter((each): each is [number, string] => typeof each[1] === 'string'),
    ...defined({ forAll: isObject(forAll) ? readForAll(forAll) : undefined }),
    lifecycle: lifecycleIn(lifecycle),
    position: frame.locate(['resources', index]),
  }
}

import { formText } from '../../../diff/matching/keys.ts'
import type { ResourceType, Target } from '../../../provider/provider.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { pick, unlessEmpty } from '../../../values/members.ts'
import { type ContainerName, containerName } from '../../../values/normalise/named-container.ts'
import type { KnownResource } from './resolve-attributes.ts'

type Parents = Target['parents']

/** The recorded parents of an object that have the same names in both sets of attributes. */
export const parentsAt = (type: ResourceType, parents: Parents, before: JsonObject, now: JsonObject): Parents =>
  only(type, parents, before, ({ facts, name }, key) => {
    const same = containerName(type.schema.attributes, key, now)
    return same !== undefined && isSame(facts, name, same.name)
  })

/**
 * The parents without those that the configuration declares and that are ours: for these, the record of the parent tells which
 * object is meant. One that is found by its name alone is the container of nothing that was recorded in another one.
 */
export const undeclaredParents = (
  type: ResourceType,
  parents: Parents,
  own: JsonObject,
  parentsNow: readonly KnownResource[],
): Parents =>
  only(type, parents, own, ({ facts, name }) => {
    const { type: parentType, attribute: key } = facts.refersTo ?? {}
    return !parentsNow.some(
      (parent) =>
        isOurs(parent) &&
        parent.as?.type === parentType &&
        key !== undefined &&
        [
          parent.attributes[key],
          parent.kind === 'settled' ? parent.present?.[key] : undefined,
          parent.as?.ids[key],
        ].some((each) => isSame(facts, name, each)),
    )
  })

const isOurs = (parent: KnownResource): parent is Exclude<KnownResource, { readonly kind: 'unknown' }> =>
  parent.kind === 'coming' || (parent.kind === 'settled' && parent.isTaken === true)

const only = (
  { schema }: ResourceType,
  parents: Parents,
  attributes: JsonObject,
  counts: (named: ContainerName, key: string) => boolean,
): Parents =>
  parents &&
  unlessEmpty(
    pick(
      parents,
      Object.keys(parents).filter((key) => {
        const named = containerName(schema.attributes, key, attributes)
        return named !== undefined && counts(named, key)
      }),
    ),
  )

const isSame = (facts: Attribute, one: Json, other: Json | undefined): boolean =>
  other !== undefined && formText(facts, one) === formText(facts, other)

import type { ObjectSchema } from '../schema/attribute.ts'
import type { Lifecycle } from '../schema/resource.ts'
import { mapMembers } from './members.ts'

type Manage = Lifecycle['manage']

/** The facts of each attribute, with what a resource chose for it. */
export const asChosen = <Facts extends { readonly manage?: NonNullable<Manage>[string] | undefined }>(
  attributes: Readonly<Record<string, Facts>>,
  manage: NonNullable<Manage>,
): Readonly<Record<string, Facts>> =>
  mapMembers(attributes, (facts, name): Facts => {
    const chosen = Object.hasOwn(manage, name) ? manage[name] : undefined
    return chosen === undefined ? facts : { ...facts, manage: chosen }
  })

export const withManage = (schema: ObjectSchema, manage: Manage): ObjectSchema =>
  manage === undefined ? schema : { attributes: asChosen(schema.attributes, manage) }

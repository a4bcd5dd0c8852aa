import type { JsonObject } from '../../../schema/json.ts'
import { allEntries } from '../document/attributes.ts'
import type { Scope } from '../document/template.ts'
import { identified } from '../read/find-object.ts'
import { objectScope, withRefs } from '../request/context.ts'
import { encodeEach } from '../request/encode.ts'
import type { Building } from './draft.ts'

/** The object as it is: what was read of it names it, and its server ids. */
export const presentScope = ({ context, change }: Building): Scope =>
  objectScope(
    withRefs(context, change.presentRefs ?? change.refs),
    { ...identified(context, change.desired), ...change.before },
    change.ids ?? {},
    {
      desired: encodeEach(allEntries(context.resource), change.after ?? change.desired),
      before: encodeEach(allEntries(context.resource), change.before ?? {}),
    },
  )

/** The object as it will be; ids that the server makes are marks, once it has been created. */
export const futureScope = ({ context, change }: Building, attributes: JsonObject, created: boolean): Scope => {
  const names = created ? Object.keys(context.resource.serverId ?? {}) : []
  const ids = names.map((name) => [name, { $after: change.address, pointer: `/ids/${name}` }] as const)
  return objectScope(context, identified(context, attributes), Object.fromEntries(ids), {
    desired: encodeEach(allEntries(context.resource), attributes),
  })
}

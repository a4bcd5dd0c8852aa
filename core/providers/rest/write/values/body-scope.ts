import { isArray, isObject, type Json, type JsonObject } from '../../../../engine/schema/json.ts'
import { isMark } from '../../../../engine/schema/value.ts'
import { entriesOf } from '../../document/attributes.ts'
import type { Operation } from '../../document/operation/operation.ts'
import { keepsOthers } from '../../document/replaced-place.ts'
import { pathOf, type Scope } from '../../document/shared/template.ts'
import type { Transition, WriteContext } from './command-context.ts'
import { laidIn, readOf } from './laid-in.ts'

type PartObjects = Readonly<Record<string, JsonObject | undefined>>

/**
 * The variables of a body. `{desired.name}` alone in a text is, as in `{fields}`, what was read of a list or an object with the
 * change laid in: a body of the document's own loses nothing of it either. `{before.name}` and `{name}` are what was read.
 */
export const bodyScope =
  (
    context: WriteContext,
    operation: Operation,
    change: Pick<Transition, 'before' | 'after'>,
    objects: PartObjects = objectsOf(context),
  ): Scope =>
  (path, isWhole) => {
    const plain = context.scope(path, isWhole)
    const [name, sides] = sidesOf(path, change, context)
    const part = context.resource.parts.find((each) => Object.hasOwn(entriesOf(each), name))
    const [entry, object] = part === undefined ? [] : [entriesOf(part)[name], objects[part.name]]
    if (isWhole !== true || part === undefined || entry === undefined || object === undefined) return plain
    const { before, after } = sides
    if (entry.select !== undefined || !isContainer(plain) || !isContainer(after)) return plain
    const keepsMembers = keepsOthers(context.resource, part, operation)
    return laidIn({ ...readOf(context, part), object, keepsMembers }, entry, pathOf(entry.path ?? name), {
      before,
      after,
      configured: context.change.desired[name],
    })
  }

/** What was read of each part. */
const objectsOf = ({ change }: WriteContext): PartObjects => change.objects ?? {}

interface AttributeSides {
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** The attribute that a variable names, as it was and as it is asked for. */
const sidesOf = (
  path: Parameters<Scope>[0],
  { before, after }: Pick<Transition, 'before' | 'after'>,
  { change }: WriteContext,
): readonly [name: string, sides: AttributeSides] => {
  const [first, second, ...deeper] = path.map(String)
  const nothing = { before: undefined, after: undefined }
  if (first === undefined || deeper.length > 0) return ['', nothing]
  if (second === undefined) return [first, { before: before[first], after: before[first] }]
  if (first === 'before') return [second, { before: before[second], after: before[second] }]
  const asked = after[second] ?? change.after?.[second]
  return first === 'desired'
    ? [second, { before: before[second] ?? change.before?.[second], after: asked }]
    : ['', nothing]
}

const isContainer = (value: Json | undefined): value is Json => isArray(value) || (isObject(value) && !isMark(value))

import { fromPointer, valueAt } from '../../../engine/json/pointer.ts'
import type { Target } from '../../../engine/provider/provider.ts'
import type { Json, JsonObject, MaybeJson } from '../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../engine/schema/resource.ts'
import type { Traced } from '../../../engine/schema/traced.ts'
import { holdsRule } from '../../../engine/transport/answer/answer-errors.ts'
import { defined } from '../../../engine/values/defined.ts'
import { shorten } from '../../../engine/values/texts/shorten.ts'
import type { Audit } from '../document/audit.ts'
import { pointerOf, ruleOf } from '../document/shared/template.ts'
import { objectScope, type ReadContext, withRefs } from '../request/context.ts'
import { identified } from './find-object.ts'
import { listItems, listOf } from './lists/list-items.ts'

/** The entries of the log about an object since a time. An entry without time or actor says nothing. */
export const traceChanges = async (
  context: ReadContext,
  audit: Audit,
  { attributes, ids = {}, refs }: Target,
  after: string,
): Promise<readonly Traced[] | UnknownResult> => {
  const asking = withRefs(context, refs)
  const scope = objectScope(asking, identified(context, attributes), ids, { after })
  const found = await listItems(asking, listOf(asking, audit.list, undefined), scope)
  if (found.kind === 'unknown') return found
  if (found.kind === 'absent') return []
  return found.items.flatMap((item) => tracedIn(audit, item)).filter(({ at }) => at > after)
}

const tracedIn = (audit: Audit, item: JsonObject): readonly Traced[] => {
  const rules = audit.about.filter(({ when }) => when.every((rule) => holdsRule(ruleOf(rule), item)))
  const at = timeOf(firstAt(audit.at, item))
  const [actor, action, via] = [audit.actor, audit.action, audit.via ?? []].map((each) => textOf(firstAt(each, item)))
  if (rules.length === 0 || at === undefined || actor === undefined || action === undefined) return []
  const isWhole = rules.some(({ attributes }) => attributes === undefined)
  const changed = rules.flatMap(({ attributes = [] }) => attributes)
  return [{ actor, at, action, ...defined({ via, deleted: isWhole || undefined }), attributes: [...new Set(changed)] }]
}

const firstAt = (places: readonly string[], item: JsonObject): MaybeJson =>
  places
    .map((place) => valueAt(item, fromPointer(pointerOf(place))))
    .find((value) => value !== undefined && value !== null && value !== '')

const longestName = 120

const textOf = (value: MaybeJson): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? shorten(String(value), longestName) : undefined

/** Seconds have less than twelve digits until the year 5138. */
const timeOf = (value: Json | undefined): string | undefined => {
  const ms = typeof value === 'number' ? (value < 1e11 ? value * 1_000 : value) : Date.parse(String(value ?? ''))
  const time = new Date(ms)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

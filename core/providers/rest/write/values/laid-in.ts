import type { AppError } from '../../../../engine/errors/errors.ts'
import { canonicalJson } from '../../../../engine/json/canonical.ts'
import { memberOf, toPointer } from '../../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../../engine/schema/json.ts'
import { isLiteral, isLive, isMark, type ListRule, type LiveMark } from '../../../../engine/schema/value.ts'
import { findAll, findElement } from '../../../../engine/transport/secrets/find-elements.ts'
import { withKnownSecrets } from '../../../../engine/transport/secrets/known-secrets.ts'
import { layIn } from '../../../../engine/transport/secrets/lay-in.ts'
import { type ListRules, ruleAt } from '../../../../engine/transport/secrets/list-rules.ts'
import { fillLive } from '../../../../engine/transport/secrets/live-object.ts'
import { inside, liveAt } from '../../../../engine/transport/secrets/live-places.ts'
import { defined } from '../../../../engine/values/defined.ts'
import { mapMembers, unlessEmpty } from '../../../../engine/values/members.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { placeIn } from '../../document/attributes.ts'
import { dropsOf, type ResourcePart } from '../../document/part.ts'
import { pathOf } from '../../document/shared/template.ts'
import { unwritable } from '../../document/shared/words.ts'
import { cannotWrite, encodeAll } from '../../request/encode.ts'
import type { CommandContext } from './command-context.ts'
import { asItWas, inForm } from './in-form.ts'
import { masksIn, unseenInBody, withUnseen } from './unseen-values.ts'

/** The object of a part as it was read, and the name under which it is read again right before the write. */
export interface PartAsRead {
  /** `<address>#<name of the part>`. */
  readonly name: string
  readonly object: JsonObject | undefined
  /** The server keeps members of objects that a body does not have. Lists are always replaced. */
  readonly keepsMembers?: boolean
  /** The body is made of what was read, so that a member that comes back can have its place again. */
  readonly keepsOrder?: boolean
  /** Places of the object that no request sends back, as pointers. */
  readonly drop?: readonly string[]
  /** Others write to the object before the request is sent. */
  readonly isShared?: true
  /** Of the way back: the object as it was read, whose spelling comes back. */
  readonly former?: JsonObject
  /** The attributes as they are configured: what no read shows goes along with what is written whole. */
  readonly configured?: JsonObject
}

/** The object of a part as it was read. */
export const readOf = ({ resource, change, former }: CommandContext, part: ResourcePart): PartAsRead => ({
  name: `${change.address}#${part.name}`,
  object: change.objects?.[part.name],
  ...defined({ former: former?.[part.name], isShared: change.isShared }),
  keepsMembers: part.write?.keeps === true,
  drop: [...dropsOf(part.write), ...masksIn(resource, part)],
  configured: change.desired,
})

/** The same for writes of its collection. */
export const readOfList = (context: CommandContext, part: ResourcePart): PartAsRead => ({
  ...readOf(context, part),
  drop: [...dropsOf(part.collection?.write), ...masksIn(context.resource, part)],
})

/**
 * A container in its write form. Where the answer has more of it than the document names, it is what was read with the change
 * laid in: members and elements that nobody names are sent back.
 */
export const laidIn = (
  read: PartAsRead,
  entry: AttributeEntry,
  place: Path,
  sides: { readonly before: Json | undefined; readonly after: Json; readonly configured?: Json | undefined },
): Json => {
  const { attributes, element, pairs, as: form } = entry
  const { before, after, configured } = sides
  if (read.keepsMembers && isObject(after) && !isMark(after) && pairs === undefined && form === undefined) {
    const was = isObject(before) && !isMark(before) ? before : {}
    if (attributes === undefined) refuseKept(was, after, place)
    if (attributes !== undefined)
      return encodeAll(attributes, after, 'update', (inner, value, name) =>
        laidIn(read, inner, [...place, ...pathOf(inner.path ?? name)], {
          before: was[name],
          after: value,
          configured: memberOf(configured, name),
        }),
      )
    if (element !== undefined)
      return mapMembers(after, (value, key) =>
        laidIn(read, element, [...place, key], {
          before: was[key],
          after: value,
          configured: memberOf(configured, key),
        }),
      )
  }
  const there = read.object && liveAt(read.object, place)
  const asked = withUnseen(entry, after, configured)
  const { from, to: sent } = inForm(entry, there, before, asked)
  const to = asItWas(entry, liveAt(read.former, place), asked) ?? sent
  if ((read.keepsMembers && isObject(to)) || isHiddenMap(entry, before)) return to
  return laidInForm(read, place, { from: from ?? null, to }, rulesOf(entry, toPointer(place)), {
    isExact: isSentAsRead(entry),
  })
}

/** A key that a body leaves out stays, so that no body removes it. */
const refuseKept = (was: JsonObject, after: JsonObject, place: Path): void => {
  for (const [key, inner] of Object.entries(was)) {
    if (!Object.hasOwn(after, key)) throw cannotWrite(toPointer([...place, key]), unwritable.keptKey())
    const now = after[key]
    if (isObject(inner) && isObject(now) && !isMark(inner) && !isMark(now)) refuseKept(inner, now, [...place, key])
  }
}

/** A map whose members nobody knows, because it was hidden as a whole: all of it is the one that is declared. */
export const isHiddenMap = ({ type, manage, ignoreKeys }: AttributeEntry, before: Json | undefined): boolean =>
  type === 'map' && manage !== 'declared' && ignoreKeys === undefined && isMark(before) && !isLiteral(before)

/** Whether a body has a value in the form in which it is read: only then all of it can be found in what was read. */
export const isSentAsRead = (entry: AttributeEntry): boolean =>
  [entry.as, entry.pairs, entry.readAs, entry.ref, entry.sendOnly, entry.select].every((fact) => fact === undefined) &&
  entry.sensitive !== true &&
  entry.writeOnly !== true &&
  (entry.element === undefined || isSentAsRead(entry.element)) &&
  Object.entries(entry.attributes ?? {}).every(
    ([name, inner]) =>
      toPointer(pathOf(inner.send ?? name)) === toPointer(pathOf(inner.path ?? name)) && isSentAsRead(inner),
  )

interface LayingRules {
  /** Places that are not sent back, besides those of the write. */
  readonly without?: readonly string[]
  /** A value that is not found is another one, and not another spelling. */
  readonly isExact?: boolean
}

/** The same for a value that has its write form already. */
export const laidInForm = (
  { name, object, former, isShared, drop = [] }: PartAsRead,
  place: Path,
  { from, to: asked }: { readonly from: Json; readonly to: Json },
  rules: ListRules,
  { without: more = [], isExact = false }: LayingRules = {},
): Json => {
  const pointer = toPointer(place)
  const lists = former === undefined ? rules : mapMembers(rules, onWayBack)
  const without = [...drop, ...more].filter((each) => inside([each], place).length > 0)
  const there = object && liveAt(withKnownSecrets(object, name, from, { without }), place)
  const was = former && liveAt(former, place)
  const to = asItStood(was, asked, lists, pointer)
  if (there === undefined) return to
  const whole = layIn(there, from, to, lists, pointer, inside(without, place))
  if (whole === undefined && !isExact) return to
  if (whole === undefined) throw notFound(pointer, lists)
  // What the document names is all that is there: it is sent in the order in which it was read, or comes back in that of before.
  const text = textOf(to, lists, pointer)
  if (!(isShared && isObject(to)) && textOf(whole, lists, pointer) === text)
    return asItStood(was, whole, lists, pointer)
  return {
    $live: name,
    at: pointer,
    except: [],
    without,
    with: { [pointer]: to },
    from: { [pointer]: from },
    lists,
  } satisfies LiveMark
}

/** A value with its sets in the order in which they were read, and as they were read where they are the same. */
const asItStood = (was: Json | undefined, value: Json, lists: ListRules, place: string): Json => {
  if (was === undefined || isMark(value)) return value
  if (textOf(was, lists, place) === textOf(value, lists, place)) return was
  const rule = lists[place]
  if (isArray(was) && isArray(value) && rule?.isSet) {
    const places = findAll(was, value, { rule, lists, place }) ?? []
    const stood = value.map((each, index) => [places[index] ?? index, each] as const)
    return stood.toSorted(([left], [right]) => left - right).map(([, each]) => each)
  }
  if (!isObject(was) || !isObject(value)) return value
  return mapMembers(value, (inner, name) => asItStood(memberOf(was, name), inner, lists, ruleAt(lists, place, name)))
}

const onWayBack = (rule: ListRule): ListRule => (rule.isSet ? { ...rule, comesBack: true } : rule)

/** A request from what is declared alone would lose what was read. */
const notFound = (pointer: string, lists: ListRules): AppError => {
  const unkeyed = Object.entries(lists).flatMap(([place, { key, isWhole, isMap }]) =>
    key === undefined && !isWhole && !isMap ? [place] : [],
  )
  return cannotWrite(pointer === '' ? 'the object' : pointer, unwritable.notFound(unkeyed))
}

interface PlaceOfElement {
  readonly list: AttributeEntry
  /** Where the list is in what was read. */
  readonly place: Path
  /** The index of the element, of several with its key. */
  readonly stands?: { readonly read: number; readonly now: number }
}

/** One element of a list in its write form, with all that was read of it. */
export const laidInElement = (
  { name, object, keepsMembers = false, drop = [] }: PartAsRead,
  { list, place, stands }: PlaceOfElement,
  { from, to }: { readonly from: Json; readonly to: Json },
): Json => {
  const pointer = toPointer(place)
  const { key } = ruleOf(list)
  const lists = list.element === undefined ? {} : rulesOf(list.element, '')
  const elements = object && liveAt(withKnownSecrets(object, name, from), place)
  if (!isArray(elements)) return to
  const there = stands === undefined ? findElement(elements, from, defined({ key }), { lists }) : elements[stands.read]
  const without = keepsMembers && isObject(there) ? Object.keys(there).filter(isUnnamed(from, to)) : []
  const places = [...inside(drop, [...place, '*']), ...without.map((member) => [member])]
  const whole = there === undefined ? undefined : layIn(there, from, to, lists, '', places)
  if (whole === undefined && !isSentAsRead(list)) return to
  if (whole === undefined) throw notFound(pointer, lists)
  if (textOf(whole, lists, '') === textOf(to, lists, '')) return whole
  return {
    $live: name,
    element: { in: pointer, like: from, ...defined({ key, nth: stands?.now }) },
    except: [],
    without: places.map((each) => toPointer(each)),
    with: { '': to },
    from: { '': from },
    lists,
  } satisfies LiveMark
}

const isUnnamed =
  (...sides: readonly Json[]) =>
  (member: string): boolean =>
    !sides.some((side) => isObject(side) && Object.hasOwn(side, member))

/** How the lists inside a value are compared, in its write form. */
export const rulesOf = (entry: AttributeEntry, place: string): ListRules => {
  const { type, element, attributes = {} } = entry
  const isList = type === 'set' || type === 'list' || entry.pairs !== undefined
  const isAny = type === 'any' && entry.partial !== true
  const own = isList
    ? ruleOf(entry)
    : isAny
      ? { isWhole: true as const }
      : type === 'map'
        ? {
            isMap: true as const,
            ...defined({ keeps: entry.sensitive && entry.manage !== 'declared' ? entry.ignoreKeys : undefined }),
          }
        : undefined
  const members = Object.entries(attributes).map(([name, inner]) =>
    rulesOf(inner, `${place}${toPointer(placeIn(inner, name))}`),
  )
  return Object.assign(
    {},
    own && { [place]: own },
    ...members,
    element === undefined ? {} : rulesOf(element, `${place}/*`),
  )
}

export const ruleOf = (entry: AttributeEntry): ListRule =>
  defined({
    key: bodyKey(entry),
    unseen: unlessEmpty(entry.element && unseenInBody(entry.element)),
    isSet: entry.type === 'list' ? undefined : (true as const),
  })

/** Where the key of an element is in a body; none where its form there is another one. */
const bodyKey = ({ key, element, pairs }: AttributeEntry): readonly string[] | undefined => {
  if (pairs !== undefined) return [toPointer([pairs.key])]
  const places = key?.map((name) => {
    const entry = element?.attributes?.[name]
    return entry === undefined || entry.as !== undefined ? undefined : toPointer(placeIn(entry, name))
  })
  return places?.every((place) => place !== undefined) ? places : undefined
}

/** Equal texts for values that differ at most in the order of sets. */
const textOf = (value: Json, lists: ListRules, place: string): string => canonicalJson(sorted(value, lists, place))

const sorted = (value: Json, lists: ListRules, place: string): Json => {
  if (isObject(value)) return mapMembers(value, (inner, name) => sorted(inner, lists, ruleAt(lists, place, name)))
  if (!isArray(value)) return value
  const elements = value.map((each) => sorted(each, lists, `${place}/*`))
  return lists[place]?.isSet
    ? elements
        .map((each) => [canonicalJson(each), each] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, each]) => each)
    : elements
}

/** A value of a planned request as it will be, where what was read at planning is still there. */
export const asPlanned = (value: Json, object: JsonObject | undefined): Json =>
  isLive(value) && object !== undefined ? fillLive(value, object) : value

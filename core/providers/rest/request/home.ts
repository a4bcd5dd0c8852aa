import type { Json, Path } from '../../../engine/schema/json.ts'
import type { Tenant } from '../../../engine/schema/stored/holdings.ts'
import { plainWord } from '../../../engine/values/texts/name-words.ts'
import { allEntries } from '../document/attributes.ts'
import { deleteOf, lookupOp, type RestResource } from '../document/document.ts'
import { textsIn, variablesOf } from '../document/shared/template.ts'
import type { RestContext } from './context.ts'
import { isOfOne } from './object-site.ts'

/** Members of a sign-in that say who signs in. Another user of the same target is another caller, and no other place. */
const callerWords = new Set([
  ...['user', 'username', 'userid', 'uid', 'login', 'loginname', 'email', 'principal', 'subject'],
  ...['clientid', 'keyid', 'accesskeyid', 'issuer'],
])

/** Headers and parameters that choose how something is shown, never what. */
const isOnlyForm = (name: string): boolean =>
  /^accept|(version|useragent|language|locale|format|timezone|requestid|traceid|traceparent|tracestate)$/.test(name) ||
  /^(limit|perpage|pagesize|itemsperpage|maxitems|maxresults|size|count|top)$/.test(name)

const isWhole = (text: string): boolean => /^\{[^{}]*\}$/.test(text)

/** The settings of the workspace in a text that choose a part of the target, unless the document says that they choose none. */
const givenIn = ({ settings }: RestContext, text: string): readonly string[] =>
  // Most texts of a document name no setting, and each is looked at in every run.
  !text.includes('{with.')
    ? []
    : variablesOf(text).flatMap(([first, second]) => {
        const name = String(second)
        return first === 'with' && settings.with?.[name]?.place !== false ? [name] : []
      })

interface SettingsAt {
  /** The place in a request, as any document would call it. */
  readonly place: string
  readonly names: readonly string[]
}

const namedAt = (at: Path): string => plainWord(String(at.at(-1)))

const givenInSignIn = (context: RestContext): readonly SettingsAt[] =>
  textsIn((context.settings.auth ?? null) as Json).map(({ at, text }) => ({
    place: `auth ${namedAt(at)}`,
    names: callerWords.has(namedAt(at)) && isWhole(text) ? [] : givenIn(context, text),
  }))

const givenInRequests = (context: RestContext, requests: unknown): readonly SettingsAt[] =>
  textsIn([{ headers: context.settings.headers ?? null }, requests] as unknown as Json).map(({ at, text }) => {
    const isBeside = ['headers', 'query'].includes(String(at.at(-2)))
    const place = isBeside ? `${String(at.at(-2))} ${namedAt(at)}` : namedAt(at)
    return { place, names: isBeside && isOnlyForm(namedAt(at)) ? [] : givenIn(context, text) }
  })

const isPlain = (value: Json | undefined): boolean => value !== undefined && value !== null && typeof value !== 'object'

/**
 * What chooses a part of the target besides the URL of an object: settings in the sign-in, in headers, and in the request by which the
 * object is known. A path is compared itself; where another request of an object looks for it chooses nothing.
 */
export const tenantOf = (context: RestContext, resource: RestResource): Tenant => {
  const { operations, lookup } = resource
  const placed = [deleteOf(resource), 'retrieve', lookupOp(resource)].find((op) => isOfOne(resource, op))
  const { path: _, ...asked } = operations[placed ?? lookupOp(resource)] ?? {}
  const requests = placed === undefined ? [asked, lookup] : [asked]
  const given = [...givenInSignIn(context), ...givenInRequests(context, requests)]
  const values = given.flatMap(({ place, names }) => {
    const known = names.map((name) => context.inputs[name]).filter(isPlain)
    return known.length === 0 ? [] : [{ place, value: known.map(String).join(' ') }]
  })
  const byPlace = Map.groupBy(values, ({ place }) => place)
  return Object.fromEntries(
    [...byPlace].toSorted().map(([place, each]) => [place, [...new Set(each.map(({ value }) => value))].toSorted()]),
  )
}

/**
 * The place of the objects with what chooses a part of it: an organisation or a tenant that the workspace gives, wherever a
 * request or the sign-in has it. The same names and ids in another part are those of other objects.
 */
export const homeOf = (context: RestContext, place: string, types: Readonly<Record<string, RestResource>>): string => {
  const { params, inputs } = context
  const given = [...givenInSignIn(context), ...givenInRequests(context, types)].flatMap(({ names }) => names)
  const constants = Object.values(types).flatMap((resource) => {
    const own = allEntries(resource)
    const names = variablesOf(Object.values(resource.operations).map(({ path }) => path)).map(([first]) =>
      String(first),
    )
    return names.filter((name) => !Object.hasOwn(own, name) && Object.hasOwn(params, name))
  })
  const parts = [
    ...given.map((name) => [name, inputs[name]] as const),
    ...constants.map((name) => [name, params[name]] as const),
  ].flatMap(([name, value]) => (isPlain(value) ? [`${name}=${String(value)}`] : []))
  return [place, ...[...new Set(parts)].toSorted()].join(' ')
}

import type { Json, Path } from '../../../engine/schema/json.ts'
import { plainWord } from '../../../engine/values/texts/name-words.ts'
import { allEntries } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { textsIn, variablesOf } from '../document/shared/template.ts'
import type { RestContext } from './context.ts'

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

/**
 * The place of the objects with what chooses a part of it: an organisation or a tenant that the workspace gives, wherever a
 * request or the sign-in has it, unless the document says that it chooses none. The same names and ids in another part are those
 * of other objects.
 */
export const homeOf = (
  { params, inputs, settings }: RestContext,
  place: string,
  types: Readonly<Record<string, RestResource>>,
): string => {
  const given = (text: string): readonly string[] =>
    // Most texts of a document name no setting, and each is looked at in every run.
    !text.includes('{with.')
      ? []
      : variablesOf(text).flatMap(([first, second]) => {
          const name = String(second)
          return first === 'with' && settings.with?.[name]?.place !== false ? [name] : []
        })
  const named = (at: Path): string => plainWord(String(at.at(-1)))
  const inSignIn = textsIn((settings.auth ?? null) as Json).flatMap(({ at, text }) =>
    callerWords.has(named(at)) && isWhole(text) ? [] : given(text),
  )
  const requests = [{ headers: settings.headers ?? null }, types] as unknown as Json
  const inRequests = textsIn(requests).flatMap(({ at, text }) => {
    const isForm = ['headers', 'query'].includes(String(at.at(-2))) && isOnlyForm(named(at))
    return isForm ? [] : given(text)
  })
  const constants = Object.values(types).flatMap((resource) => {
    const own = allEntries(resource)
    const names = variablesOf(Object.values(resource.operations).map(({ path }) => path)).map(([first]) =>
      String(first),
    )
    return names.filter((name) => !Object.hasOwn(own, name) && Object.hasOwn(params, name))
  })
  const parts = [
    ...[...inSignIn, ...inRequests].map((name) => [name, inputs[name]] as const),
    ...constants.map((name) => [name, params[name]] as const),
  ].flatMap(([name, value]) =>
    value === undefined || value === null || typeof value === 'object' ? [] : [`${name}=${String(value)}`],
  )
  return [place, ...[...new Set(parts)].toSorted()].join(' ')
}

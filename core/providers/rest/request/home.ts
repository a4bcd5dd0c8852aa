import type { Json } from '../../../engine/schema/json.ts'
import { plainWord } from '../../../engine/values/texts/name-words.ts'
import { allEntries } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { textsIn, variablesOf } from '../document/shared/template.ts'
import type { RestContext } from './context.ts'

/** Members of a sign-in that say who signs in. Another user of the same target is another caller, and no other place. */
const callerWords = new Set([
  ...['user', 'username', 'userid', 'login', 'email', 'account', 'name', 'client', 'clientid', 'appid', 'subject'],
  ...['issuer', 'keyid', 'accesskey', 'accesskeyid', 'key', 'scope'],
])

/**
 * The place of the objects with what chooses a part of it: an organisation or a tenant that the workspace gives, wherever a
 * request or the sign-in has it. The same names and ids in another part are those of other objects.
 */
export const homeOf = (
  { params, inputs, settings }: RestContext,
  place: string,
  types: Readonly<Record<string, RestResource>>,
): string => {
  const given = (templates: Json): readonly string[] =>
    variablesOf(templates).flatMap(([first, second]) => (first === 'with' ? [String(second)] : []))
  const inSignIn = textsIn((settings.auth ?? null) as Json).flatMap(({ at, text }) =>
    callerWords.has(plainWord(String(at.at(-1)))) ? [] : given(text),
  )
  const inRequests = given([settings.headers ?? null, types] as unknown as Json)
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

import { mapValue } from '../json/pointer.ts'
import type { Auth } from '../schema/auth.ts'
import type { Command, PlannedRequest } from '../schema/command.ts'
import { isObject, type Json, type JsonObject } from '../schema/json.ts'
import { isMark } from '../schema/value.ts'
import { defined } from '../values/defined.ts'
import { mapMembers } from '../values/members.ts'
import { mapRequests, mapUrlTexts } from '../values/url.ts'

/*
 * Planned commands contain only references. As a second protection, this removes any text whose place has the name of a
 * credential.
 */

const redacted = '[redacted]'

const credential =
  /^(?:(?:proxy-)?authorization|cookie|set-cookie|(?:[\w]+[-_])*(?:api[-_]?key|apikey|passwd|password|passphrase|secret|token|private[-_]?key|credentials?))$/i

/** The name may be a JSON pointer, for values that are inserted into an object that is sent back. */
const redactText = (name: string, value: Json): Json =>
  typeof value === 'string' && value !== '' && credential.test(name.slice(name.lastIndexOf('/') + 1)) ? redacted : value

const redactBody = (body: Json): Json =>
  mapValue(body, (value) => {
    if (isMark(value)) return value
    if (!isObject(value)) return undefined
    const patched = placeOfPatch(value)
    return mapMembers(value, (child, name) => redactBody(redactText((name === 'value' && patched) || name, child)))
  })

const placeOfPatch = ({ op, path }: JsonObject): string | undefined =>
  typeof op === 'string' && typeof path === 'string' ? path : undefined

const redactHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  mapMembers(headers, (value, name) => (credential.test(name) ? redacted : value))

/** Splits the URL as text, so that its approved spelling does not change. */
export const redactUrl = (url: string): string =>
  url
    .replace(/^([a-z][\w+.-]*:\/\/)[^/?#@]*@/i, `$1${redacted}@`)
    .replace(/([?&])([^=&#]+)=([^&#]+)/g, (whole, sign: string, name: string) =>
      credential.test(name) ? `${sign}${name}=${redacted}` : whole,
    )

const redactRequest = (request: PlannedRequest): PlannedRequest => ({
  ...request,
  url: mapUrlTexts(request.url, redactUrl),
  ...defined({
    headers: request.headers && redactHeaders(request.headers),
    body: request.body === undefined ? undefined : redactBody(request.body),
    auth: request.auth && redactAuth(request.auth),
    sealedBox: request.sealedBox && {
      ...request.sealedBox,
      url: mapUrlTexts(request.sealedBox.url, redactUrl),
    },
  }),
})

/** Only a login and the parameters of a token request can contain more than references and names. */
const redactAuth = (auth: Auth): Auth => {
  if (auth.kind === 'oauth2') return { ...auth, parameters: redactBody(auth.parameters) as JsonObject }
  if (auth.kind !== 'login') return auth
  return {
    ...auth,
    url: redactUrl(auth.url),
    ...defined({
      headers: auth.headers && (redactBody(auth.headers) as JsonObject),
      body: auth.body === undefined ? undefined : redactBody(auth.body),
    }),
  }
}

/** The command in a form that the ledger may keep forever. A correctly planned command is returned unchanged. */
export const redactCommand = (command: Command): Command => mapRequests(command, redactRequest)

import { afterPlaceholder } from '../schema/after-placeholder.ts'
import type { Auth, Command, Request } from '../schema/command.ts'
import type { Json } from '../schema/json.ts'
import type { Prose } from './prose.ts'
import { foreign, foreignList } from './prose.ts'
import { showAuthPart, showBody } from './show-value.ts'
import { visible } from './visible.ts'
import { gradeWords, preconditionWords } from './words.ts'

/** The exact request, in parts. Nothing is cut; secrets are names. */
export interface ShownRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly string[]
  readonly body: readonly string[]
}

export const showRequest = ({ method, url, headers, body, auth }: Request, room: number): ShownRequest => ({
  method: visible(method),
  url: `${showUrl(url)}${auth?.kind === 'query' ? querySecret(auth, url) : ''}`,
  headers: [
    ...Object.entries(headers ?? {}).map(([name, value]) => visible(`${name}: ${value}`)),
    ...(auth === undefined || auth.kind === 'query' ? [] : [authHeader(auth)]),
  ],
  body: body === undefined ? [] : showBody(body, room),
})

const showUrl = (url: string): string =>
  visible(
    url.replaceAll(
      afterPlaceholder,
      (_, address: string, pointer: string) => `(known after apply: ${address} ${pointer})`,
    ),
  )

const secretOf = (mark: { readonly $secret: string }): Json => ({ $secret: mark.$secret })

const querySecret = (auth: Auth & { kind: 'query' }, url: string): string =>
  `${url.includes('?') ? '&' : '?'}${visible(auth.name)}=${showAuthPart(secretOf(auth.secret))}`

const authHeader = (auth: Exclude<Auth, { kind: 'query' }>): string => {
  if (auth.kind === 'header') {
    const [before = '', ...rest] = auth.template.split('{secret}')
    const secret = showAuthPart(secretOf(auth.secret))
    return `${visible(auth.name)}: ${visible(before)}${rest.map((part) => secret + visible(part)).join('')}`
  }
  const user = typeof auth.user === 'string' ? auth.user : secretOf(auth.user)
  return `authorization: Basic base64(${showAuthPart(user)}:${showAuthPart(secretOf(auth.password))})`
}

/** `replace 2 rrsets; reversible; only if ...`. */
export const commandWords = (command: Command): Prose => [
  ...(command.description === '' ? [] : [foreign(command.description), '; ']),
  `${gradeWords[command.grade]}; `,
  ...preconditionWords(command.precondition),
  ...(command.dependsOn.length === 0 ? [] : ['; after ', ...foreignList(command.dependsOn)]),
]

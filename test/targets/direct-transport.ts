import { fromPointer, valueAt } from '../../core/engine/json/pointer.ts'
import type { CommandDraft, Request } from '../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../core/engine/schema/json.ts'
import { resolveValue } from '../../core/engine/transport/secrets/resolve-value.ts'
import type { Transport } from '../../core/engine/transport/transport.ts'
import { urlWords } from '../../core/engine/values/url.ts'
import { fillAll } from '../../core/engine/workflows/apply/approved/fill-known.ts'
import type { TargetServer } from './servers/run-server.ts'

/** What the read right before the write showed. */
interface JustRead {
  /** Sensitive values by their pointers. */
  readonly values?: JsonObject | undefined
  /** Whole objects by their names, for what is laid into them. */
  readonly objects?: Readonly<Record<string, JsonObject>> | undefined
}

export interface DirectTransport extends Transport {
  readonly sent: Request[]
  /** Sends what was planned, secrets and produced values filled in, and fails where an answer is no success. */
  carryOut(commands: readonly CommandDraft[], just?: JustRead): Promise<void>
}

/** Straight to a test's own server, signed in with its headers. */
export const directTransport = (
  server: TargetServer,
  secrets: Readonly<Record<string, string>> = {},
): DirectTransport => {
  const sent: Request[] = []
  const send = async (request: Request) => {
    sent.push(request)
    const response = await fetch(request.url, {
      method: request.method,
      headers: { ...request.headers, ...server.headers },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    const body = text === '' ? null : isJson ? (JSON.parse(text) as Json) : text
    return { status: response.status, headers: Object.fromEntries(response.headers), body }
  }
  const fillIn = (value: Json, { values = {}, objects = {} }: JustRead): Promise<Json> =>
    resolveValue(value, {
      secret: async (source) => {
        if (!source.startsWith('live:')) return secrets[source] ?? ''
        const place = source.slice(source.indexOf('#') + 1)
        const [part = '', ...path] = fromPointer(`/${place}`)
        // As it was read, in an object of a part; or, without a part, as an attribute.
        return (part === '' ? values[String(path[0])] : valueAt(objects[String(part)] ?? {}, path)) ?? null
      },
      live: ({ $live }) => objects[$live.slice($live.indexOf('#') + 1)] ?? {},
    })
  return {
    sent,
    send,
    carryOut: async (commands, just = {}) => {
      for (const { request, success } of commands) {
        const body = request.body === undefined ? undefined : await fillIn(request.body, just)
        const { status, body: answer } = await send({
          ...fillAll(request, () => null),
          ...(body === undefined ? {} : { body }),
        })
        if (!(success ?? [200, 201, 204]).includes(status)) {
          throw new Error(`${request.method} ${urlWords(request.url)} answered ${status}: ${JSON.stringify(answer)}`)
        }
      }
    },
  }
}

import { canonicalJson } from '../../engine/json/canonical.ts'
import { digest } from '../../engine/json/digest.ts'
import type { CommandDraft, PlannedRequest, Response } from '../../engine/schema/command.ts'
import type { Clock, Seal, SignJwt } from '../../engine/schema/ports.ts'
import { readOnly } from '../../engine/transport/read-only.ts'
import { createRedactor, type Redactor, redacted } from '../../engine/transport/redaction/redact.ts'
import type { Secrets } from '../../engine/transport/secrets/secrets.ts'
import { resolveSecrets } from '../../engine/transport/sign-in/resolve-secrets.ts'
import type { Transport } from '../../engine/transport/transport.ts'
import { urlWords } from '../../engine/values/url.ts'
import { fillAll } from '../../engine/workflows/apply/approved/fill-known.ts'
import { demand, refuse, shown } from './judge.ts'
import { faults } from './words.ts'

export type Through = (inner: Transport) => Transport

export const seal: Seal = (value) => `hmac-sha256:suite:${digest(canonicalJson(value)).slice('sha256:'.length)}`

/** The time is constant, so that no token expires during a case. */
const stillClock: Clock = {
  now: () => new Date(0),
  monotonic: () => 0,
  sleep: async () => {},
  after: () => () => {},
}

export interface Gates {
  readonly secrets: Secrets
  readonly redactor: Redactor
  checking(through?: Through): Transport
  send(request: PlannedRequest): Promise<Response>
  /** Rejects if the answer is not a success. */
  sendDraft(draft: CommandDraft): Promise<void>
}

interface GatedTarget {
  readonly transport: Transport
  readonly secrets?: Readonly<Record<string, string>>
}

/** The suite has no private key, so the signature is a fixed text. */
const unsigned: SignJwt = async (header, claims) =>
  [...[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), 'suite'].join('.')

export const openGates = ({ transport, secrets: values = {} }: GatedTarget): Gates => {
  const redactor = createRedactor()
  const secrets: Secrets = { resolve: async (source) => values[source] ?? refuse(faults.noSecret(source)) }
  const resolving = resolveSecrets(transport, {
    allowed: new Set(Object.keys(values)),
    secrets,
    clock: stillClock,
    random: () => 0,
    uuid: () => '00000000-0000-4000-8000-000000000000',
    signJwt: unsigned,
    sealBox: async (text) => new TextEncoder().encode(text),
    learn: redactor.learn,
    learnToken: redactor.learn,
  })
  const send: Gates['send'] = (request) => resolving.send(fillAll(request, () => undefined))
  return {
    secrets,
    redactor,
    checking: (through = (inner) => inner) => through(readOnly(redacted(resolving, redactor))),
    send,
    sendDraft: async ({ request, success, precondition }) => {
      const header = precondition?.kind === 'etag' ? { [precondition.header ?? 'if-match']: precondition.etag } : {}
      const headers = { ...request.headers, ...header }
      const { status, body } = await send(Object.keys(headers).length === 0 ? request : { ...request, headers })
      const fits = success ? success.includes(status) : status >= 200 && status < 300
      demand(fits, () => faults.refused(`${request.method} ${urlWords(request.url)}`, status, shown(body)))
    },
  }
}

import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { namedFiles } from '../../../core/engine/config/files/named-files.ts'
import { parseDocument } from '../../../core/engine/config/syntax/parse-document.ts'
import { canonicalJson } from '../../../core/engine/json/canonical.ts'
import type { PlannedResource } from '../../../core/engine/plan/planning.ts'
import { planResource } from '../../../core/engine/plan/resource/plan-resource.ts'
import type { Configured, Provider, ResourceType } from '../../../core/engine/provider/provider.ts'
import type { CommandDraft, Request, Response } from '../../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { Lifecycle, ReadResult, RecordedResource } from '../../../core/engine/schema/resource.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { changedPaths } from '../../../core/engine/values/changed-paths.ts'
import { urlWords } from '../../../core/engine/values/url.ts'
import { sealDesired, sealObserved } from '../../../core/engine/workflows/session/shared/seal-values.ts'
import { rest } from '../../../core/providers/rest/rest.ts'

export const exampleText = (example: 'powerdns' | 'rabbitmq' | 'wiremock' | 'caddy'): string =>
  readFileSync(new URL(`../../../examples/${example}/${example}.provider.yaml`, import.meta.url), 'utf8')

/** A provider document as the workspace's loader would hand it over. */
export const configureText = (text: string, given: JsonObject): Configured => {
  const file = 'api.provider.yaml'
  const { value = null, locate, issues } = parseDocument(file, text)
  if (issues.length > 0) throw new Error(`the test's document is no YAML: ${issues[0]?.message}`)
  return rest.configure({
    alias: 'api',
    with: given,
    position: { file: 'plumbline.yaml', line: 3, column: 3 },
    definition: { file, value, locate },
    files: namedFiles({ files: {} }),
  })
}

export const providerOf = (text: string, given: JsonObject): Provider => {
  const configured = configureText(text, given)
  if (configured.ok) return configured.provider
  const lines = configured.issues.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)
  throw new Error(lines.join('\n'))
}

export const typeOf = (provider: Provider, name: string): ResourceType => {
  const type = provider.types[name]
  if (type === undefined) throw new Error(`there is no type ${name}`)
  return type
}

/** A keyed digest with a key that is none of the product's. */
export const testSeal = (value: unknown): string =>
  `hmac-sha256:${createHmac('sha256', 'test').update(canonicalJson(value)).digest('hex')}`

/** Answers by `METHOD url`, the base left out; what is not listed is a 404. Keeps what it was sent. */
export const anApi = (
  answers: Readonly<Record<string, Partial<Response> | Error>>,
  base = 'http://api.test',
): Transport & { readonly sent: Request[] } => {
  const sent: Request[] = []
  return {
    sent,
    send: async (request) => {
      sent.push(request)
      const found = answers[`${request.method} ${request.url.replace(base, '')}`]
      if (found instanceof Error) throw found
      return { status: 200, headers: {}, body: null, ...(found ?? { status: 404, body: { error: 'Not Found' } }) }
    },
  }
}

export interface Case {
  readonly spec: JsonObject
  readonly absent?: boolean
  readonly lifecycle?: Lifecycle
  readonly ids?: Readonly<Record<string, string>>
  readonly sent?: RecordedResource['sent']
  /** Values of secrets by their source. */
  readonly secrets?: Readonly<Record<string, string>>
}

export interface Planned {
  readonly read: ReadResult
  readonly planned: PlannedResource
  readonly commands: readonly CommandDraft[]
}

/** Reads, plans and builds commands, as a check does for one resource. */
export const planOne = async (type: ResourceType, wanted: Case, transport: Transport): Promise<Planned> => {
  const address = `${type.name}.one`
  const subject = {
    address,
    type: type.name,
    name: 'one',
    provider: 'api',
    dependsOn: [],
    lifecycle: wanted.lifecycle ?? {},
  }
  const secrets = { resolve: async (source: string) => wanted.secrets?.[source] ?? 'secret' }
  const sealed = await sealDesired(type.schema, wanted.spec, secrets, testSeal, () => undefined)
  if (!sealed.ok) throw new Error('a secret of the test does not resolve')
  const { attributes } = sealed
  const target = { address, attributes, ...(wanted.ids === undefined ? {} : { ids: wanted.ids }) }
  const read = await type.read(target, { transport })
  const observed =
    read.kind === 'present'
      ? { ...read, attributes: sealObserved(type.schema, read.attributes, attributes, testSeal) }
      : read
  const planned = planResource({
    desired: { ...subject, absent: wanted.absent ?? false, attributes, position: { file: 'f', line: 1, column: 1 } },
    ...(wanted.sent === undefined ? {} : { recorded: { ...subject, attributes: {}, sent: wanted.sent } }),
    facts: { schema: type.schema, ...(type.lifecycle === undefined ? {} : { lifecycle: type.lifecycle }) },
    observed,
    ignoreRules: [],
    today: '2026-11-21',
  })
  const { change } = planned
  if (change === undefined || change.blocked !== undefined) return { read, planned, commands: [] }
  const ids = read.kind === 'present' ? read.ids : undefined
  const commands = type.commands({
    address,
    action: change.action,
    ...(change.replaceOrder === undefined ? {} : { replaceOrder: change.replaceOrder }),
    desired: planned.desired ?? {},
    before: planned.before ?? null,
    after: planned.after ?? null,
    diff: change.diff,
    changed: changedPaths(change.diff),
    ...(ids === undefined ? {} : { ids }),
    ...(read.kind === 'present' && read.objects !== undefined ? { objects: read.objects } : {}),
    ...(read.kind === 'present' && read.versions !== undefined ? { versions: read.versions } : {}),
    seal: testSeal,
  })
  return { read, planned, commands }
}

/** `METHOD url` and the body of each request. */
export const linesOf = (
  commands: readonly CommandDraft[],
  base = 'http://api.test',
): readonly (readonly [string, Json?])[] =>
  commands.map(({ request: { method, url, body } }) => {
    const line = `${method} ${urlWords(url).replace(base, '')}`
    return body === undefined ? [line] : [line, body]
  })

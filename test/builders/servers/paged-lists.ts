import type { Request, Response } from '../../../core/engine/schema/command.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { providerOf, typeOf } from '../workspaces/rest.ts'

/** A document whose list comes in pages. */
export const pagedDocument = (pagination: string, list = '{ method: GET, path: /things }'): string => `
provider:
  id: things
  baseUrl: "http://api.test"
  pagination: ${pagination}
resources:
  api_thing:
    operations:
      list: ${list}
      create: { method: POST, path: /things }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: { items: items }, match: [name] }
    serverId: { id: id }
    lifecycle: { onImmutable: replace }
    discover: { op: list, items: items }
    parts:
      - { name: main, read: { op: list, select: { in: items, where: { id: "{id}" } } }, attributes: { name: { immutable: true } } }
`

export type Answering = (request: Request, n: number) => Partial<Response>

/** What a page says besides its items. */
export interface Besides {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: JsonObject
}

export const aListServer = (answer: Answering): Transport & { readonly sent: Request[] } => {
  const sent: Request[] = []
  return {
    sent,
    send: async (request) => {
      sent.push(request)
      return { status: 200, headers: {}, body: null, ...answer(request, sent.length) }
    },
  }
}

export const listNames = ['a', 'b', 'c', 'd', 'e']
export const listItems: readonly JsonObject[] = listNames.map((name, n) => ({ id: `n${n}`, name }))

const discover = (pagination: string, transport: Transport, list?: string) =>
  typeOf(providerOf(pagedDocument(pagination, list), {}), 'api_thing').list?.(
    [{ address: 'api_thing.one', attributes: { name: 'a' } }],
    { transport },
  )
export const namesListed = async (pagination: string, transport: Transport, list?: string): Promise<unknown> => {
  const listing = await discover(pagination, transport, list)
  return listing?.kind === 'listed' ? listing.objects.map(({ identity }) => identity['name']).join('') : listing
}

export const parameters = ({ url }: Request): URLSearchParams => new URL(url).searchParams
export const numberOf = (request: Request, name: string): number => Number(parameters(request).get(name))
export const urls = ({ sent }: { readonly sent: readonly Request[] }): readonly string[] =>
  sent.map(({ url }) => url.replace('http://api.test', ''))

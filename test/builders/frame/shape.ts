import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { Draw } from './draw.ts'

/* Documents of all ways of sending, with attributes of all kinds. */

export type Shape =
  | { readonly kind: 'text' | 'number' | 'computed' }
  | { readonly kind: 'object'; readonly members: Members }
  | { readonly kind: 'map'; readonly element: Shape; readonly declared: boolean; readonly ignoreKeys: boolean }
  | { readonly kind: 'list'; readonly element: Shape }
  | {
      readonly kind: 'set'
      readonly element: Shape
      readonly keyed: boolean
      readonly declared: boolean
      readonly ignore: boolean
    }
  | { readonly kind: 'any'; readonly partial: boolean }
export type Members = Readonly<Record<string, Shape>>

const leaf = (draw: Draw): Shape => ({ kind: draw.of(['text', 'text', 'number', 'computed'] as const) })

const scalar = (draw: Draw): Shape => ({ kind: draw.of(['text', 'number'] as const) })

const objectShape = (draw: Draw, depth: number): Extract<Shape, { kind: 'object' }> => ({
  kind: 'object',
  members: { k: { kind: 'text' }, ...membersOf(draw, depth - 1, 2) },
})

const shapeOf = (draw: Draw, depth: number, mayIgnoreKeys: boolean): Shape => {
  const kind = depth === 0 ? 'leaf' : draw.of(['leaf', 'object', 'map', 'list', 'set', 'set', 'any'] as const)
  const element = (): Shape => (draw.chance(40) ? scalar(draw) : objectShape(draw, depth))
  switch (kind) {
    case 'leaf':
      return leaf(draw)
    case 'object':
      return objectShape(draw, depth)
    case 'map':
      return {
        kind,
        element: element(),
        declared: draw.chance(40),
        ignoreKeys: mayIgnoreKeys && draw.chance(30),
      }
    case 'list':
      return { kind, element: element() }
    case 'any':
      return { kind, partial: draw.chance(50) }
    case 'set': {
      const inner = element()
      const isObject = inner.kind === 'object'
      return {
        kind,
        element: inner,
        keyed: isObject && draw.chance(60),
        declared: draw.chance(30),
        ignore: isObject && draw.chance(30),
      }
    }
  }
}

const membersOf = (draw: Draw, depth: number, count: number, mayIgnoreKeys = false): Members =>
  Object.fromEntries(
    Array.from({ length: 1 + draw.below(count) }, (_, index) => [`a${index}`, shapeOf(draw, depth, mayIgnoreKeys)]),
  )

const entryOf = (shape: Shape): JsonObject => {
  switch (shape.kind) {
    case 'text':
      return {}
    case 'number':
      return { type: 'number' }
    case 'computed':
      return { computed: true }
    case 'object':
      return { type: 'object', attributes: entriesOf(shape.members) }
    case 'map':
      return {
        type: 'map',
        element: entryOf(shape.element),
        ...(shape.declared ? { manage: 'declared' } : {}),
        ...(shape.ignoreKeys ? { ignoreKeys: ['sys-*'] } : {}),
      }
    case 'list':
      return { type: 'list', element: entryOf(shape.element) }
    case 'set': {
      const element = entryOf(shape.element)
      const own = shape.ignore
        ? {
            ...element,
            attributes: { ...(element['attributes'] as JsonObject), own: { type: 'boolean', computed: true } },
          }
        : element
      return {
        type: 'set',
        element: own,
        ...(shape.keyed ? { key: ['k'] } : {}),
        ...(shape.declared ? { manage: 'declared' } : {}),
        ...(shape.ignore ? { ignore: [{ own: true }] } : {}),
      }
    }
    case 'any':
      return { type: 'any', ...(shape.partial ? { partial: true } : {}) }
  }
}

const entriesOf = (members: Members): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, entryOf(shape)]))

/** How a document sends, and what its server does with a body. */
export const ways = [
  { send: 'changed', method: 'PATCH', server: 'shallow' },
  { send: 'changed', method: 'PATCH', server: 'deep' },
  { send: 'changed', method: 'PUT', server: 'replace' },
  { send: 'full', method: 'PUT', server: 'replace' },
  { send: 'full', method: 'PUT', server: 'deep', keeps: true },
  { send: 'object', method: 'PUT', server: 'replace' },
  { send: 'mergePatch', method: 'PATCH', server: 'merge' },
  { send: 'jsonPatch', method: 'PATCH', server: 'patch' },
] as const
export type Way = (typeof ways)[number]

export interface FrameDocument {
  readonly text: string
  readonly way: Way
  readonly members: Members
  /** The server counts writes in a member that the document does not name, and makes one in each new element. */
  readonly addsOwn: boolean
}

export const drawDocument = (draw: Draw): FrameDocument => {
  const way = draw.of(ways)
  const mayIgnoreKeys = ['object', 'mergePatch', 'jsonPatch'].includes(way.send)
  const members = membersOf(draw, 2, 4, mayIgnoreKeys)
  const document = {
    provider: { id: 'api', baseUrl: 'http://api.test', reads: { leftOut: true } },
    resources: {
      api_thing: {
        operations: {
          retrieve: { method: 'GET', path: '/things/{name}' },
          create: { method: 'PUT', path: '/things/{name}' },
          update: { method: way.method, path: '/things/{name}' },
        },
        identity: { keys: ['name'] },
        lookup: { retrieve: true },
        lifecycle: { preventDelete: true },
        parts: [
          {
            name: 'main',
            read: 'retrieve',
            write: { op: 'update', send: way.send, ...('keeps' in way ? { keeps: true } : {}) },
            attributes: { name: { required: true, immutable: true }, ...entriesOf(members) },
          },
        ],
      },
    },
  }
  return { text: JSON.stringify(document), way, members, addsOwn: draw.chance(20) }
}

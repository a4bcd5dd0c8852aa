import { type Args, GraphqlFault, type GraphqlObject } from './object.ts'

/** A list in pages with cursors; an edge may say more than its node. */
export interface Connection {
  readonly connection: string
  readonly items: readonly Item[]
}

export interface Item {
  readonly node: GraphqlObject | null
  readonly edge?: Readonly<Record<string, unknown>>
}

export const isConnection = (value: unknown): value is Connection =>
  typeof value === 'object' && value !== null && 'connection' in value

const cursorOf = (at: number): string => Buffer.from(`cursor:${at}`).toString('base64url')
const placeOf = (cursor: unknown): number =>
  cursor === undefined || cursor === null
    ? -1
    : Number(Buffer.from(String(cursor), 'base64url').toString().replace('cursor:', ''))

const most = 100

export const connectionOf = ({ connection, items }: Connection, args: Args, field: string): GraphqlObject => {
  const { first, last, after, before } = args
  const size = Number(first ?? last ?? Number.NaN)
  if (Number.isNaN(size))
    throw new GraphqlFault(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${field}\` connection.`,
    )
  if (size > most)
    throw new GraphqlFault(
      'EXCESSIVE_PAGINATION',
      `Requesting ${size} records on the \`${field}\` connection exceeds the \`first\` limit of ${most} records.`,
    )
  const end = before === undefined || before === null ? items.length : placeOf(before)
  const start = first === undefined || first === null ? Math.max(placeOf(after) + 1, end - size) : placeOf(after) + 1
  const stop = Math.min(start + size, end)
  const shown = items.slice(start, stop)
  const edgeType = connection.replace(/Connection$/, 'Edge')
  return {
    typename: connection,
    fields: {
      totalCount: items.length,
      nodes: shown.map(({ node }) => node),
      edges: shown.map(({ node, edge }, at) => ({
        typename: edgeType,
        fields: { cursor: cursorOf(start + at), node, ...edge },
      })),
      pageInfo: {
        typename: 'PageInfo',
        fields: {
          hasNextPage: stop < items.length,
          hasPreviousPage: start > 0,
          startCursor: shown.length === 0 ? null : cursorOf(start),
          endCursor: shown.length === 0 ? null : cursorOf(stop - 1),
        },
      },
    },
  }
}

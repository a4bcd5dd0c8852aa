import { description, type Operation, type Parameter, resolved } from './description.ts'

/** Which operation of the description a method and a path mean. */

export interface Route {
  readonly operation: Operation
  readonly method: string
  readonly template: string
  readonly parameters: readonly Parameter[]
}

export interface Routed {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

interface Node {
  readonly literals: Map<string, Node>
  variable?: { readonly name: string; readonly node: Node }
  readonly routes: Map<string, { readonly route: Route; readonly names: readonly string[] }>
}

const newNode = (): Node => ({ literals: new Map(), routes: new Map() })
const root = newNode()
/** Names of branches and of environments may contain a slash, sent as `%2F` or, by some clients, as it is. */
const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1)

const childOf = (node: Node, segment: string): Node => {
  const name = /^\{(.+)\}$/.exec(segment)?.[1]
  if (name !== undefined) {
    node.variable ??= { name, node: newNode() }
    return node.variable.node
  }
  const known = node.literals.get(segment) ?? newNode()
  node.literals.set(segment, known)
  return known
}

const routes: readonly Route[] = Object.entries(description.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const parameters = operation.parameters.map((each) => resolved<Parameter>(each))
    return { operation, method: method.toUpperCase(), template, parameters }
  }),
)

/** Every operation that the extract holds. */
export const operationIds: readonly string[] = routes.map(({ operation }) => operation.operationId)

for (const route of routes) {
  const segments = segmentsOf(route.template)
  const node = segments.reduce(childOf, root)
  const names = segments.flatMap((segment) => /^\{(.+)\}$/.exec(segment)?.[1] ?? [])
  node.routes.set(route.method, { route, names })
}

const found = (
  node: Node,
  segments: readonly string[],
  method: string,
  values: readonly string[],
): Routed | undefined => {
  const [segment, ...rest] = segments
  if (segment === undefined) {
    const hit = node.routes.get(method)
    return (
      hit && { route: hit.route, params: Object.fromEntries(hit.names.map((name, at) => [name, values[at] ?? ''])) }
    )
  }
  const literal = node.literals.get(segment)
  const byLiteral = literal && found(literal, rest, method, values)
  if (byLiteral !== undefined) return byLiteral
  return node.variable && segment !== ''
    ? found(node.variable.node, rest, method, [...values, decodeURIComponent(segment)])
    : undefined
}

/** A literal segment wins over a variable one: `/code-security/configurations/defaults` is no configuration. */
export const routeOf = (method: string, path: string): Routed | undefined => found(root, segmentsOf(path), method, [])

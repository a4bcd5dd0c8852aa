import type { JsonObject } from '../../../../engine/schema/json.ts'
import { graphqlOperations } from '../../../../engine/values/texts/graphql-operations.ts'
import { neededIn, spreadMark } from '../shared/template.ts'

/** What a GraphQL document does: it must have one operation, because nothing else says which one is meant. */
export const kindOf = (text: string): 'query' | 'mutation' | undefined => {
  const [kind, ...others] = graphqlOperations(text) ?? []
  return others.length === 0 && (kind === 'query' || kind === 'mutation') ? kind : undefined
}

/** Variables that the document does not declare: a server would refuse each request. */
export const undeclaredIn = (text: string, variables: JsonObject): readonly string[] =>
  Object.keys(variables).filter((name) => name !== spreadMark && !declaredIn(text).has(name))

const declaredIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\$([A-Za-z_]\w*)\s*:/g)].map(([, name = '']) => name))

/** Values that only a body has. */
const ofBodies = new Set(['fields', 'changes', 'upserts', 'removes', 'all'])

/**
 * The POST that a GraphQL operation is sent as. One URL stands for all objects, so its path has the values that tell the
 * object instead, and whatever asks for the place of an object gets the same answer as with another API.
 */
export const asHttp = (text: string, variables: JsonObject, { answer = 'data' }: { readonly answer?: string }) => {
  const told = neededIn(variables).filter(({ variable: [first] }) => !ofBodies.has(String(first)))
  const names = new Set(told.map(({ variable }) => `{${variable.join('.')}}`))
  return {
    method: 'POST' as const,
    path: ['/graphql', ...names].join('/'),
    effect: kindOf(text) === 'query' ? ('read' as const) : ('write' as const),
    body: { query: text.replaceAll(/[{}]/g, '$&$&'), variables },
    answer,
    graphql: true as const,
  }
}

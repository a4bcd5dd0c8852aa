const token = /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*|[_A-Za-z][_0-9A-Za-z]*|[{}()[\]]|"|[\s\S]/g

const operations = new Set(['query', 'mutation', 'subscription'])
const depthOf: Readonly<Record<string, number>> = { '{': 1, '(': 1, '[': 1, '}': -1, ')': -1, ']': -1 }
const isSkipped = (text: string): boolean =>
  text.startsWith('#') || (text.startsWith('"') && text !== '"') || /^[\s,\uFEFF]$/.test(text)

/**
 * The kinds of all operations of a GraphQL document, in order; `undefined` if the text is not an executable document.
 * Only the top level is read, so the content of selections cannot turn a query into a mutation.
 * https://spec.graphql.org/October2021/#sec-Document
 */
export const graphqlOperations = (document: string): readonly string[] | undefined => {
  const found: string[] = []
  let depth = 0
  let inDefinition = false
  for (const [text] of document.matchAll(token)) {
    if (isSkipped(text)) continue
    if (text === '"') return undefined
    if (!inDefinition) {
      if (text === '{') found.push('query')
      else if (operations.has(text)) found.push(text)
      else if (text !== 'fragment') return undefined
      inDefinition = true
    }
    depth += depthOf[text] ?? 0
    // A definition ends with its selection set; parentheses and brackets before that belong to its head.
    if (depth === 0 && text === '}') inDefinition = false
  }
  return inDefinition || depth !== 0 || found.length === 0 ? undefined : found
}

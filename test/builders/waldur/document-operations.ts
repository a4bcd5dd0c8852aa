import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

const file = new URL('../../../examples/waldur/waldur.provider.yaml', import.meta.url)

const found = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const { method, path } = value as { readonly method?: unknown; readonly path?: unknown }
  const own = typeof method === 'string' && typeof path === 'string' ? [`${method} /api${path}`] : []
  return [...own, ...Object.values(value).flatMap(found)]
}

/** `METHOD /api/path/{uuid}/` of every operation of the document of the example, whatever its variables are called. */
export const documentOperations = (): readonly string[] => {
  const document = parse(readFileSync(file, 'utf8'), { merge: true })
  return [...new Set(found(document).map((name) => name.replaceAll(/\{[^}]*\}/g, '{uuid}')))].toSorted()
}

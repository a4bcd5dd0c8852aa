import type { Json } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import { type Source, textOf } from './resolve-ref.ts'
import { notes } from './words.ts'

/** Base addresses without a final slash: absolute, or a path; empty where the description has none. */
export const readServers = (source: Source): readonly string[] => {
  const written = source.version === '2.0' ? oldServers(source) : servers(source)
  const found = [...new Set(written.map((url) => url.replace(/\/+$/, '')))]
  return found.length === 0 ? [''] : found
}

const servers = ({ root: { servers: value }, note }: Source): readonly string[] => {
  if (value !== undefined && !isArray(value)) note('/servers', notes.noList)
  return (isArray(value) ? value : []).flatMap((server, index) => {
    const url = isObject(server) ? textOf(server['url']) : undefined
    if (url === undefined) note(`/servers/${index}`, notes.noUrl)
    return url === undefined || !isObject(server) ? [] : [withVariables(url, server['variables'])]
  })
}

const withVariables = (url: string, variables: Json | undefined): string =>
  url.replace(/\{([^}]*)\}/g, (whole, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined
    return (isObject(variable) ? textOf(variable['default']) : undefined) ?? whole
  })

/** Swagger 2.0: `https` where it is allowed. */
const oldServers = ({ root: { host, basePath, schemes } }: Source): readonly string[] => {
  const path = (textOf(basePath) ?? '').replace(/^(?!\/|$)/, '/')
  if (typeof host !== 'string') return [path]
  const isHttpOnly = isArray(schemes) && schemes.includes('http') && !schemes.includes('https')
  return [`${isHttpOnly ? 'http' : 'https'}://${host}${path}`]
}

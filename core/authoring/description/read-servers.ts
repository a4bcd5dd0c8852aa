import type { Json } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import { type Source, textOf } from './resolve-ref.ts'

/** Base addresses, without a slash at the end: absolute, or a path; empty where only the root is meant. */
export const readServers = (source: Source): readonly string[] => {
  const { root, version } = source
  const written = version === '2.0' ? oldServers(source) : servers(source, root['servers'])
  const found = [...new Set(written.map((url) => url.replace(/\/+$/, '')))]
  return found.length === 0 ? [''] : found
}

const servers = (source: Source, value: Json | undefined): readonly string[] => {
  if (value !== undefined && !isArray(value)) source.note('/servers', 'a list was expected here')
  return (isArray(value) ? value : []).flatMap((server, index) => {
    const url = isObject(server) ? textOf(server['url']) : undefined
    if (url === undefined) source.note(`/servers/${index}`, 'a server without a URL')
    return url === undefined || !isObject(server) ? [] : [withVariables(url, server['variables'])]
  })
}

const withVariables = (url: string, variables: Json | undefined): string =>
  url.replace(/\{([^}]*)\}/g, (whole, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined
    return (isObject(variable) ? textOf(variable['default']) : undefined) ?? whole
  })

const oldServers = ({ root }: Source): readonly string[] => {
  const host = textOf(root['host'])
  const base = textOf(root['basePath']) ?? ''
  const path = base === '' || base.startsWith('/') ? base : `/${base}`
  if (host === undefined) return [path]
  const schemes = isArray(root['schemes']) ? root['schemes'].filter((one) => typeof one === 'string') : []
  const http = schemes
    .filter((scheme) => scheme === 'https' || scheme === 'http')
    .toSorted()
    .reverse()
  return [`${http[0] ?? 'https'}://${host}${path}`]
}

import type { Json } from '../../../engine/schema/json.ts'
import { isArray, isObject } from '../../../engine/schema/json.ts'
import type { SecurityScheme } from './description.ts'
import { membersOf, resolvePiece, type Source, textOf } from './resolve-ref.ts'
import { notes } from './words.ts'

/** Returns base URLs without a final slash: absolute, or a path; empty if the description has none. */
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

/** Swagger 2.0: prefers `https` if it is allowed. */
const oldServers = ({ root: { host, basePath, schemes } }: Source): readonly string[] => {
  const path = (textOf(basePath) ?? '').replace(/^(?!\/|$)/, '/')
  if (typeof host !== 'string') return [path]
  const isHttpOnly = isArray(schemes) && schemes.includes('http') && !schemes.includes('https')
  return [`${isHttpOnly ? 'http' : 'https'}://${host}${path}`]
}

/** Returns required schemes first, then those that are only declared. */
export const readSecurity = (source: Source): readonly SecurityScheme[] => {
  const { root, version } = source
  const components = root['components']
  const [value, pointer] =
    version === '2.0'
      ? [root['securityDefinitions'], '/securityDefinitions']
      : [isObject(components) ? components['securitySchemes'] : undefined, '/components/securitySchemes']
  const schemes = membersOf(source, value, pointer).flatMap(([name, written]) => {
    const piece = resolvePiece(source, written, `${pointer}/${name}`)
    return piece === undefined ? [] : [schemeOf(name, piece.node)]
  })
  const asked = askedOf(root['security'])
  const place = (name: string): number => (asked.includes(name) ? asked.indexOf(name) : asked.length)
  return schemes.toSorted((left, right) => place(left.name) - place(right.name))
}

const askedOf = (value: Json | undefined): readonly string[] =>
  (isArray(value) ? value : []).flatMap((one) => (isObject(one) ? Object.keys(one) : []))

const schemeOf = (name: string, node: Readonly<Record<string, Json>>): SecurityScheme => {
  const parameter = textOf(node['name'])
  const place = textOf(node['in'])
  switch (textOf(node['type'])) {
    case 'apiKey':
      return (place === 'header' || place === 'query' || place === 'cookie') && parameter !== undefined
        ? { name, kind: place, parameter }
        : { name, kind: 'other' }
    case 'basic':
      return { name, kind: 'basic' }
    case 'http': {
      const scheme = textOf(node['scheme'])?.toLowerCase()
      return { name, kind: scheme === 'basic' || scheme === 'bearer' ? scheme : 'other' }
    }
    case 'oauth2':
    case 'openIdConnect':
      return { name, kind: 'oauth2' }
    default:
      return { name, kind: 'other' }
  }
}

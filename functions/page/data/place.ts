/** Where the reader is. The part of the address behind `#` names it, so that a link leads there after a sign-in too. */
export interface PagePlace {
  /** Decoded parts of the path. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** `#/w/acme-dns/runs/01K?q=zone` as parts. Anything is a place: a wrong one has a view that says so. */
export const readPlace = (hash: string): PagePlace => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
    query: new URLSearchParams(query),
  }
}

/** The link to a place. */
export const linkTo = (path: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return `#/${path.map(encodeURIComponent).join('/')}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`
}

/** The view of a workspace; `''` is the first one: what it would change. */
export const workspaceLink = (workspace: string, ...rest: readonly string[]): string =>
  linkTo(['w', workspace, ...rest])

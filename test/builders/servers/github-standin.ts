import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'

/**
 * GitHub as its documentation describes it, on loopback: commits by ref with ETags, trees with a limit, blobs in Base64.
 * https://docs.github.com/en/rest/git and https://docs.github.com/en/rest/commits/commits#get-a-commit
 */

const hash = (kind: string, bytes: Uint8Array): string =>
  createHash('sha1').update(`${kind} ${bytes.byteLength}\0`).update(bytes).digest('hex')

/** A text is a file; `{ link }` a symbolic link, `{ submodule }` a commit of another repository. */
export type StandinFile = string | Uint8Array | { readonly link: string } | { readonly submodule: true }
type Files = Readonly<Record<string, StandinFile>>

interface Entry {
  readonly path: string
  readonly mode: string
  readonly type: 'blob' | 'tree' | 'commit'
  readonly sha: string
  readonly size?: number
}

const noCommit = '0'.repeat(40)

export const githubStandin = async ({ token, repository = 'acme/config' }: { token?: string; repository?: string }) => {
  const blobs = new Map<string, Uint8Array>()
  const trees = new Map<string, readonly Entry[]>()
  const commits = new Map<string, string>()
  const refs = new Map<string, string>()
  const requests: { path: string; status: number; authorization: string | undefined }[] = []
  /** Answers the request instead, if it returns something. */
  const faults: ((path: string) => { status: number; headers?: Record<string, string>; body?: unknown } | undefined)[] =
    []
  let largest = 100_000

  const keepBlob = (bytes: Uint8Array): string => {
    const sha = hash('blob', bytes)
    blobs.set(sha, bytes)
    return sha
  }
  const entryOf = (path: string, file: StandinFile): Entry => {
    if (typeof file === 'object' && 'submodule' in file) return { path, mode: '160000', type: 'commit', sha: noCommit }
    const isLink = typeof file === 'object' && 'link' in file
    const bytes = isLink ? Buffer.from(file.link) : typeof file === 'string' ? Buffer.from(file) : file
    return { path, mode: isLink ? '120000' : '100644', type: 'blob', sha: keepBlob(bytes), size: bytes.byteLength }
  }
  const keepTree = (files: Files): string => {
    const names = new Set(Object.keys(files).map((path) => path.split('/')[0] as string))
    const entries = [...names].map((name): Entry => {
      const own = files[name]
      if (own !== undefined) return entryOf(name, own)
      const inside = Object.entries(files).flatMap(([path, file]) =>
        path.startsWith(`${name}/`) ? [[path.slice(name.length + 1), file] as const] : [],
      )
      return { path: name, mode: '040000', type: 'tree', sha: keepTree(Object.fromEntries(inside)) }
    })
    const sha = hash('tree', Buffer.from(JSON.stringify(entries)))
    trees.set(sha, entries)
    return sha
  }
  const allBelow = (sha: string, prefix = ''): readonly Entry[] =>
    (trees.get(sha) ?? []).flatMap((entry) => {
      const placed = { ...entry, path: `${prefix}${entry.path}` }
      return entry.type === 'tree' ? [placed, ...allBelow(entry.sha, `${placed.path}/`)] : [placed]
    })

  const pulls: { number: number; title: string; body: string; head: string; base: string }[] = []
  const pullView = (pull: (typeof pulls)[number]) => ({
    ...pull,
    html_url: `https://github.test/${repository}/pull/${pull.number}`,
  })
  const made = (body: unknown) => ({ status: 201, body })
  /** Writes of Git's objects and of pull requests; `undefined` for everything else. */
  const written = (method: string, path: string, body: Record<string, unknown>) => {
    if (path === 'git/trees') {
      const files: Record<string, StandinFile> = {}
      for (const { path: at, mode, type, sha } of allBelow(
        commits.get(String(body['base_tree'])) ?? String(body['base_tree']),
      ))
        if (type === 'blob' && mode !== '120000') files[at] = blobs.get(sha) as Uint8Array
      for (const { path: at, content } of body['tree'] as { path: string; content: string }[]) files[at] = content
      return made({ sha: keepTree(files) })
    }
    if (path === 'git/commits') {
      const sha = hash('commit', Buffer.from(JSON.stringify(body)))
      commits.set(sha, String(body['tree']))
      return made({ sha })
    }
    if (path === 'git/refs') {
      refs.set(String(body['ref']).replace('refs/heads/', ''), String(body['sha']))
      return made({})
    }
    if (path.startsWith('git/refs/heads/')) {
      refs.set(decodeURIComponent(path.slice('git/refs/heads/'.length)), String(body['sha']))
      return { status: 200, body: {} }
    }
    if (path === 'pulls' && method === 'POST') {
      const pull = { ...body, number: pulls.length + 1 } as (typeof pulls)[number]
      pulls.push(pull)
      return made(pullView(pull))
    }
    const pull = pulls.find(({ number }) => path === `pulls/${number}`)
    return pull && { status: 200, body: pullView(Object.assign(pull, body)) }
  }

  const answer = (
    { url = '', headers, method = 'GET' }: IncomingMessage,
    sent: string,
  ): { status: number; headers?: object; body?: unknown } => {
    const fault = faults.map((each) => each(url)).find((each) => each !== undefined)
    if (fault !== undefined) return fault
    if (token !== undefined && headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { message: 'Bad credentials' } }
    const base = `/repos/${repository}`
    if (url === base) return { status: 200, body: { default_branch: 'main' } }
    if (!url.startsWith(`${base}/`)) return { status: 404, body: { message: 'Not Found' } }
    const { pathname, searchParams } = new URL(url, 'http://x')
    const [kind = '', ...rest] = pathname
      .slice(base.length + 1)
      .split('/')
      .map(decodeURIComponent)
    const name = rest.join('/')
    const unknown = { status: 404, body: { message: 'Not Found' } }
    if (method !== 'GET') return written(method, pathname.slice(base.length + 1), JSON.parse(sent)) ?? unknown
    if (kind === 'pulls') {
      const head = searchParams.get('head')?.split(':')[1]
      return { status: 200, body: pulls.filter((each) => each.head === head).map(pullView) }
    }
    if (rest[0] === 'ref') {
      const sha = refs.get(rest.slice(2).join('/'))
      return sha === undefined ? unknown : { status: 200, body: { object: { sha } } }
    }
    if (kind === 'commits') {
      const sha = refs.get(name) ?? refs.get(name.replace(/^heads\//, '')) ?? (commits.has(name) ? name : undefined)
      if (sha === undefined) return { status: 422, body: { message: `No commit found for SHA: ${name}` } }
      const etag = `"${sha}"`
      if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
      return { status: 200, headers: { etag, 'content-type': 'application/vnd.github.sha; charset=utf-8' }, body: sha }
    }
    const [, what = '', sha = ''] = [kind, ...rest]
    if (what === 'commits') {
      const tree = commits.get(sha)
      return tree === undefined ? { status: 404, body: {} } : { status: 200, body: { sha, tree: { sha: tree } } }
    }
    if (what === 'trees') {
      if (!trees.has(sha)) return { status: 404, body: {} }
      const entries = searchParams.has('recursive') ? allBelow(sha) : (trees.get(sha) ?? [])
      return { status: 200, body: { sha, tree: entries.slice(0, largest), truncated: entries.length > largest } }
    }
    const bytes = blobs.get(sha)
    if (bytes === undefined) return { status: 404, body: {} }
    const content = Buffer.from(bytes).toString('base64').replace(/.{60}/g, '$&\n')
    return { status: 200, body: { sha, size: bytes.byteLength, content, encoding: 'base64' } }
  }

  const server = createServer(async (request, response) => {
    const { status, headers = {}, body } = answer(request, await textOf(request))
    requests.push({ path: request.url ?? '', status, authorization: request.headers.authorization })
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const type = { 'content-type': 'application/json; charset=utf-8' }
    response.writeHead(status, { ...(body === undefined ? {} : type), ...headers }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let count = 0
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    faults,
    pulls,
    /** The text of a file at the end of a branch. */
    fileIn: (ref: string, path: string): string | undefined => {
      const entry = allBelow(commits.get(refs.get(ref) ?? '') ?? '').find((each) => each.path === path)
      return entry && Buffer.from(blobs.get(entry.sha) ?? '').toString()
    },
    /** Answers at most this many entries of a tree. */
    limitTrees: (most: number): void => {
      largest = most
    },
    /** Replaces what is stored under the name of a file. */
    damage: (content: string, by: string): void => void blobs.set(hash('blob', Buffer.from(content)), Buffer.from(by)),
    push: (files: Files, ref = 'main'): string => {
      const tree = keepTree(files)
      count += 1
      const sha = hash('commit', Buffer.from(`${tree} ${count}`))
      commits.set(sha, tree)
      refs.set(ref, sha)
      return sha
    },
    deleteRef: (ref: string): void => void refs.delete(ref),
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

import * as z from 'zod'
import type { AppError } from '../../errors/errors.ts'
import { gitBlobName } from '../../json/digest.ts'
import { isSuccess, type Request, type Response } from '../../schema/command.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { GithubSource } from '../../schema/stored/source.ts'
import { retry } from '../../transport/limits/retry.ts'
import { readOnly } from '../../transport/read-only.ts'
import { createRedactor, redacted } from '../../transport/redaction/redact.ts'
import { confined, pinned } from '../../transport/secrets/secrets.ts'
import { resolveSecrets } from '../../transport/sign-in/resolve-secrets.ts'
import { defaultTimeoutMs, type Transport } from '../../transport/transport.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { unread } from './words.ts'

/* https://docs.github.com/en/rest/git and https://docs.github.com/en/rest/commits/commits#get-a-commit */

/** An entry of a tree. Modes: 100644 and 100755 are files, 120000 links, 160000 submodules, 040000 folders. */
const entryShape = z.object({
  path: z.string().min(1),
  mode: z.string(),
  type: z.enum(['blob', 'tree', 'commit']),
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  size: z.number().int().nonnegative().exactOptional(),
})
export type TreeEntry = z.infer<typeof entryShape>

const treeShape = z.object({ tree: z.array(entryShape), truncated: z.boolean() })
const commitShape = z.object({ tree: z.object({ sha: entryShape.shape.sha }) })
const blobShape = z.object({ content: z.string(), encoding: z.literal('base64'), sha: entryShape.shape.sha })

export interface Head {
  readonly commit: string
  readonly etag?: string
}

export interface Repository {
  /** The commit of the ref; `unchanged` if the ref still has this ETag. Sends one request. */
  head(etag: string | undefined): Promise<Head | 'unchanged'>
  /** Every file below a folder of a commit, by path from it; `undefined` if there is no such folder. */
  files(commit: string, folder: string | undefined): Promise<ReadonlyMap<string, TreeEntry> | undefined>
  /** The bytes of a file, checked against the hash that Git gives for it. */
  bytes(file: string, entry: TreeEntry): Promise<Uint8Array>
}

interface RepositoryOf {
  readonly workspace: string
  readonly source: GithubSource
  readonly fail: (detail: string) => AppError
}

const attempts = 4
const maxBodyBytes = 16_000_000

/**
 * The token is inserted at the last step, so that no error contains it. A write is sent once. What is kept or shown of an answer has to
 * be searched with `echoes`: a server that is not trusted, or somebody who commits a token, would have it stored in clear.
 */
const transportTo = ({ token }: Pick<GithubSource, 'token'>, workspace: string, deps: Deps) => {
  const redactor = createRedactor()
  const { clock, ids, secretRules, signJwt, sealBox } = deps
  // GitHub redirects from the name of a repository that was moved, to whoever owns it now.
  const wire = deps.transport({ fileRoots: [], timeoutMs: defaultTimeoutMs, maxBodyBytes, noRedirects: true })
  const resolving = {
    secrets: pinned(confined(deps.secrets, workspace, secretRules)),
    allowed: new Set(token === undefined ? [] : [token.secret]),
    learn: redactor.learn,
    clock,
    random: ids.random,
    uuid: ids.uuid,
    signJwt,
    sealBox,
  }
  const silent = redacted(resolveSecrets(wire, resolving), redactor)
  return {
    read: readOnly(retry(silent, { attempts, clock, random: ids.random })),
    write: silent,
    /** Whether a text of an answer repeats the token, in any spelling, or cannot be searched for it. */
    echoes: (text: string): boolean => redactor.text(text) !== text,
  }
}

/** What is common to the requests about one repository. */
const askingAbout = (
  { repository, token, apiUrl = 'https://api.github.com' }: Pick<GithubSource, 'repository' | 'token' | 'apiUrl'>,
  deps: Deps,
) => {
  const base = `${apiUrl.replace(/\/+$/, '')}/repos/${repository}`
  const auth = token && {
    kind: 'header' as const,
    name: 'authorization',
    template: 'Bearer {secret}',
    secret: { $secret: token.secret },
  }
  return (
    transport: Transport,
    request: Pick<Request, 'method' | 'effect' | 'body' | 'headers'> & { readonly path: string },
  ): Promise<Response> => {
    const { path, headers, ...rest } = request
    const common = { 'x-github-api-version': '2022-11-28', 'user-agent': 'plumbline' }
    return transport.send(
      { ...rest, url: `${base}${path}`, headers: { ...common, ...headers }, ...defined({ auth }) },
      deps.deadline?.signal,
    )
  }
}

/** Sends one request with a JSON body, or a read, and returns whatever is answered. */
export type SendJson = (method: string, path: string, body?: JsonObject) => Promise<Response>

/** For requests about a repository that may write; `echoes` is that of the transport. */
export const sendingTo = (
  workspace: string,
  about: Pick<GithubSource, 'repository' | 'token' | 'apiUrl'>,
  deps: Deps,
): { readonly send: SendJson; readonly echoes: (text: string) => boolean } => {
  const { read, write, echoes } = transportTo(about, workspace, deps)
  const ask = askingAbout(about, deps)
  const send: SendJson = (method, path, body) =>
    ask(method === 'GET' ? read : write, {
      ...{ method, path, effect: method === 'GET' ? 'read' : 'write' },
      headers: { accept: json },
      ...defined({ body }),
    })
  return { send, echoes }
}

const json = 'application/vnd.github+json'

/** Encodes each part of a name with slashes separately. */
export const inPath = (text: string): string => text.split('/').map(encodeURIComponent).join('/')

export const reasonOf = (what: string, { status, headers }: Response, ref: string): string => {
  if (status >= 300 && status < 400 && status !== 304) return unread.moved(status)
  if (status === 401) return unread.token
  if (status === 429 || (status === 403 && headers['x-ratelimit-remaining'] === '0')) return unread.limited
  if (status === 404) return unread.hidden
  if (status === 422) return unread.noRef(ref)
  if (status === 409) return unread.empty
  return unread.status(what, status)
}

/** Throws `fail` with a reason, and what the transport throws. */
export const openRepository = ({ workspace, source, fail }: RepositoryOf, deps: Deps): Repository => {
  const { ref } = source
  const { read, echoes } = transportTo(source, workspace, deps)
  const searched = <Text extends string | undefined>(what: string, text: Text): Text => {
    if (text !== undefined && echoes(text)) throw fail(unread.echo(what))
    return text
  }
  const sending = askingAbout(source, deps)
  const ask = (path: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
    sending(read, { method: 'GET', path, effect: 'read', headers })
  const get = async <Shape extends z.ZodType>(what: string, path: string, shape: Shape): Promise<z.output<Shape>> => {
    const response = await ask(path, { accept: json })
    if (!isSuccess({}, response.status)) throw fail(reasonOf(what, response, ref))
    const { data, success } = shape.safeParse(response.body)
    if (!success) throw fail(unread.malformed(what))
    return data
  }
  const tree = async (what: string, sha: string, query = ''): Promise<readonly TreeEntry[]> => {
    const { tree: entries, truncated } = await get(what, `/git/trees/${sha}${query}`, treeShape)
    if (truncated) throw fail(unread.truncated)
    searched(unread.names, entries.map(({ path }) => path).join('\n'))
    return entries
  }
  return {
    head: async (etag) => {
      const what = `ref ${ref}`
      const headers = { accept: 'application/vnd.github.sha', ...defined({ 'if-none-match': etag }) }
      const response = await ask(`/commits/${inPath(ref.replace(/^refs\//, ''))}`, headers)
      if (response.status === 304 && etag !== undefined) return 'unchanged'
      if (!isSuccess({}, response.status)) throw fail(reasonOf(what, response, ref))
      const commit = typeof response.body === 'string' ? response.body.trim() : ''
      if (!/^[0-9a-f]{40}$/.test(commit)) throw fail(unread.malformed(what))
      return { commit: searched(what, commit), ...defined({ etag: searched(unread.etag, response.headers['etag']) }) }
    },
    files: async (commit, folder) => {
      let { sha } = (await get(`commit ${commit}`, `/git/commits/${commit}`, commitShape)).tree
      for (const name of folder === undefined ? [] : folder.split('/')) {
        const found = (await tree(`folder ${folder}`, sha)).find(({ path }) => path === name)
        if (found?.type !== 'tree') return undefined
        sha = found.sha
      }
      const entries = await tree(folder === undefined ? 'the files' : `folder ${folder}`, sha, '?recursive=1')
      return new Map(entries.filter(({ type }) => type !== 'tree').map((entry) => [entry.path, entry]))
    },
    bytes: async (file, { sha }) => {
      const { content } = await get(`file ${file}`, `/git/blobs/${sha}`, blobShape)
      const bytes = new Uint8Array(Buffer.from(content, 'base64'))
      if (gitBlobName(bytes) !== sha) throw fail(unread.damaged(file))
      searched(file, Buffer.from(bytes).toString())
      return bytes
    },
  }
}

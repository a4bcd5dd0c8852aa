import * as z from 'zod'
import { AppError } from '../../errors/errors.ts'
import { isSuccess, type Response } from '../../schema/command.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { GithubSource } from '../../schema/stored/source.ts'
import type { Deps } from '../deps.ts'
import { inPath, openRepository, reasonOf, type SendJson, sendingTo } from './github.ts'
import { proposals } from './words.ts'

const { parts } = proposals

/* https://docs.github.com/en/rest/git and https://docs.github.com/en/rest/pulls/pulls */

export interface Proposal {
  readonly workspace: string
  readonly about: Pick<GithubSource, 'repository' | 'token' | 'apiUrl'>
  /** The branch that the change is for; the default branch of the repository if it is absent. */
  readonly base?: string
  /** Only this branch is written. It is made again from `base` each time. */
  readonly branch: string
  /** Paths from the root of the repository. */
  readonly files: readonly { readonly path: string; readonly before: string; readonly after: string }[]
  readonly title: string
  /** Markdown. */
  readonly body: string
}

export interface Proposed {
  readonly url: string
  readonly number: number
  readonly commit: string
  readonly branch: string
  /** Whether the pull request was there, and has been brought up to date. */
  readonly updated: boolean
}

const named = z.object({ sha: z.string() })
const pull = z.object({ number: z.number(), html_url: z.string() })
const aboutRepository = z.object({ default_branch: z.string() })

/**
 * Opens a pull request with changed files, or brings the open one of the branch up to date. Refuses if a file is not, in the
 * repository, what it was changed from. Throws PULL_REQUEST_FAILED, and what the transport throws.
 */
export const proposeChange = async (proposal: Proposal, deps: Deps): Promise<Proposed> => {
  const { workspace, about, branch, files, title, body } = proposal
  const fail = (detail: string): AppError =>
    new AppError('PULL_REQUEST_FAILED', { repository: about.repository, detail })
  const api = answersOf(sendingTo(workspace, about, deps), fail)
  const base = proposal.base ?? (await api.get(parts.repository, '', aboutRepository)).default_branch
  const repository = openRepository({ workspace, source: { ...about, ref: base }, fail }, deps)
  const head = await repository.head(undefined)
  const parent = head === 'unchanged' ? '' : head.commit
  const known = await repository.files(parent, undefined)
  const tree: JsonObject[] = []
  for (const { path, before, after } of files) {
    const entry = known?.get(path)
    if (entry === undefined || !/^100/.test(entry.mode)) throw fail(proposals.noFile(path, base))
    const there = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await repository.bytes(path, entry))
    if (there !== before) throw fail(proposals.otherText(path, base))
    tree.push({ path, mode: entry.mode, type: 'blob', content: after })
  }
  const made = await api.post(parts.tree, '/git/trees', { base_tree: parent, tree }, named)
  const commit = await api.post(
    parts.commit,
    '/git/commits',
    { message: title, tree: made.sha, parents: [parent] },
    named,
  )
  await pointBranch(api, branch, commit.sha)
  const [owner = ''] = about.repository.split('/')
  const query = new URLSearchParams({ head: `${owner}:${branch}`, base, state: 'open' })
  const [open] = await api.get(parts.pulls, `/pulls?${query}`, z.array(pull))
  const found =
    open === undefined
      ? await api.post(parts.pull, '/pulls', { title, head: branch, base, body }, pull)
      : await api.patch(parts.pull, `/pulls/${open.number}`, { title, body }, pull)
  return { url: found.html_url, number: found.number, commit: commit.sha, branch, updated: open !== undefined }
}

/** The branch is made, or made again: what it had was an earlier proposal. */
const pointBranch = async (api: ReturnType<typeof answersOf>, branch: string, sha: string): Promise<void> => {
  const found = await api.find(parts.branch, `/git/ref/heads/${inPath(branch)}`)
  if (found) await api.patch(parts.branch, `/git/refs/heads/${inPath(branch)}`, { sha, force: true }, z.unknown())
  else await api.post(parts.branch, '/git/refs', { ref: `refs/heads/${branch}`, sha }, z.unknown())
}

const answersOf = ({ send, echoes }: ReturnType<typeof sendingTo>, fail: (detail: string) => AppError) => {
  const ask = async <Shape extends z.ZodType>(
    what: string,
    given: Parameters<SendJson>,
    shape: Shape,
  ): Promise<z.output<Shape>> => {
    const response = await send(...given)
    if (!isSuccess({}, response.status)) throw fail(whyRefused(what, response))
    const { data, success } = shape.safeParse(response.body)
    if (!success) throw fail(proposals.malformed(what))
    if (echoes(JSON.stringify(data) ?? '')) throw fail(proposals.echo(what))
    return data
  }
  type Ask = <Shape extends z.ZodType>(
    what: string,
    path: string,
    body: JsonObject,
    shape: Shape,
  ) => Promise<z.output<Shape>>
  const post: Ask = (what, path, body, shape) => ask(what, ['POST', path, body], shape)
  const patch: Ask = (what, path, body, shape) => ask(what, ['PATCH', path, body], shape)
  return {
    post,
    patch,
    get: <Shape extends z.ZodType>(what: string, path: string, shape: Shape) => ask(what, ['GET', path], shape),
    find: async (what: string, path: string): Promise<boolean> => {
      const response = await send('GET', path)
      if (response.status === 404) return false
      if (!isSuccess({}, response.status)) throw fail(whyRefused(what, response))
      return true
    },
  }
}

/** GitHub says what is missing in a word; the text of an answer is not repeated, because it may repeat what was sent. */
const whyRefused = (what: string, response: Response): string =>
  response.status === 403 || response.status === 422
    ? proposals.refused(what, response.status)
    : reasonOf(what, response, what)

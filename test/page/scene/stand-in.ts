import type { Page, Route } from 'playwright-core'
import type { Apply, Episode, LedgerEntry, Plan, Run, Workspace } from '../../../core/index.ts'
import { answerSchema, problemsUnder } from '../../builders/generated/answer-schema.ts'
import { everyRight } from './answers.ts'

/** What the API knows, for a state of things that a local stack does not come to by itself. */
export interface Scene {
  readonly subject?: string
  readonly rights?: readonly (typeof everyRight)[number][]
  readonly workspaces: readonly Workspace[]
  readonly run?: Run
  readonly runs?: readonly Run[]
  readonly plan?: Plan
  readonly apply?: Apply
  readonly applies?: readonly Apply[]
  readonly episodes?: readonly Episode[]
  readonly entries?: readonly LedgerEntry[]
  readonly versions?: readonly unknown[]
  readonly difference?: unknown
  /** Bodies of other answers, or a status, by the beginning of `GET /v1/me`; `undefined`: as otherwise. */
  readonly instead?: (call: string) => { readonly status: number; readonly body?: unknown } | undefined
}

const storedPlan = 'application/vnd.plumbline.plan+json'

const pageOf = <Item>(items: readonly Item[], query: URLSearchParams) => {
  const [from, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit') ?? 50)]
  const next = from + limit
  return { items: items.slice(from, next), ...(next < items.length && { next: String(next) }) }
}

/** The value of an answer by the path below `/v1`; `undefined`: there is none. */
const valueAt = (path: string, query: URLSearchParams, scene: Scene): unknown => {
  const { subject = 'mona@acme.example', rights = everyRight, workspaces, run, plan, apply } = scene
  if (path === '/me') return { subject, rights: rights.map((scope) => ({ scope, workspaces: '*' })) }
  if (path === '/workspaces') return pageOf(workspaces, query)
  const [, id = '', part = '', item, rest] =
    /^\/workspaces\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?(?:\/(.+))?$/.exec(path) ?? []
  if (part === '') return workspaces.find((workspace) => workspace.id === id)
  if (part === 'runs')
    return item === undefined ? pageOf(scene.runs ?? (run ? [run] : []), query) : rest === 'plan' ? plan : run
  if (part === 'apply') return apply
  if (part === 'applies') return item === undefined ? pageOf(scene.applies ?? (apply ? [apply] : []), query) : apply
  if (part === 'episodes') return item === undefined ? pageOf(scene.episodes ?? [], query) : scene.episodes?.[0]
  if (part === 'ledger') return pageOf(scene.entries ?? [], query)
  if (part === 'versions') return item === 'diff' ? scene.difference : pageOf(scene.versions ?? [], query)
  return undefined
}

const problem = (status: number) => ({
  type: 'urn:plumbline:error:INTERNAL',
  title: 'internal',
  status,
  code: 'INTERNAL',
  detail: `the request failed with ${status}`,
  hint: 'try again',
  instance: 'urn:plumbline:request:00000000-0000-4000-8000-000000000000',
})

/** The page talks with it instead of with the API; the sign-in stays that of the server. Returns faults of its own answers. */
export const standIn = async (page: Page, scene: () => Scene): Promise<readonly string[]> => {
  const faults: string[] = []
  const answer = async (route: Route): Promise<void> => {
    const request = route.request()
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/v1/sign-in') return route.fallback()
    const other = scene().instead?.(`${request.method()} ${pathname}`)
    const value = other?.body ?? valueAt(pathname.slice('/v1'.length), searchParams, scene())
    const status = other?.status ?? (value === undefined ? 404 : pathname.endsWith('/apply') ? 202 : 200)
    if (status >= 400) {
      const body = JSON.stringify({ ...problem(status), ...(other?.body as object | undefined) })
      return route.fulfill({ status, contentType: 'application/problem+json', body })
    }
    const isPlan = pathname.endsWith('/plan')
    const mediaType = isPlan ? storedPlan : 'application/json'
    const schema = answerSchema({ method: request.method(), path: pathname, status, mediaType })
    faults.push(...problemsUnder(schema, value).map((fault) => `${pathname}: ${fault}`))
    return route.fulfill({ status, contentType: mediaType, body: JSON.stringify(value) })
  }
  await page.route('**/v1/**', answer)
  return faults
}

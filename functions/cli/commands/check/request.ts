import { type Run as CheckRun, checkRecorded, checkWorkspace, type Page, pullSource, type Workspace } from '#core'
import { type AskedCheck, awaitRun } from '../../backend/await-run.ts'
import { type Checked, fetchChecked, type Operation, readingWithin, type Watch } from '../../backend/backend.ts'
import { pathOf } from '../../backend/http-client.ts'

interface CheckRequest {
  readonly workspace: string
  readonly watch: Watch
  /** False: no live object is read. */
  readonly refresh?: boolean
}

/** The endpoint waits no longer than this. */
const wait = '25s'

/** Reads the target and stores the result. At an endpoint, requests a check and waits for its run. */
export const requestedCheck: Operation<CheckRequest, Promise<Checked>> = {
  local: async ({ workspace, watch, refresh = true }, { deps, actor }) => {
    const check = refresh ? checkWorkspace : checkRecorded
    return readingWithin('the check', watch, deps, (own) =>
      check({ workspace, trigger: 'cli', actor, pull: pullSource }, own),
    )
  },
  remote: async ({ workspace, watch: { signal }, refresh = true }, { client, host }) => {
    const path = pathOf(workspace)
    const answer = await client.post<CheckRun | { readonly requestedAt: string }>(
      `${path}/check`,
      refresh ? { wait } : { wait, refresh: 'false' },
    )
    if ('id' in answer) return fetchChecked(client, answer)
    const { requestedAt } = answer
    const asked: AskedCheck = {
      workspace,
      requestedAt,
      findRun: async () => (await client.get<Page<CheckRun>>(`${path}/runs`, { scheduledFor: requestedAt })).items[0],
      // A run with `refresh: false` is never a pending check, so it counts as pending until its run exists.
      findPending: async () => (refresh ? (await client.get<Workspace>(path)).pendingCheck?.scheduledFor : requestedAt),
    }
    const run = await awaitRun(asked, { ...host.clock, signal })
    return fetchChecked(client, run)
  },
}

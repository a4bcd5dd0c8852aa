import { expirePreview, listWorkspaces, type Page, type Paging, removeWorkspace, type Workspace } from '#core'
import { localPaging, type Operation, paged, perform, places } from '../../backend/backend.ts'
import { pathOf } from '../../backend/http-client.ts'
import type { Context, Exit } from '../../context.ts'
import { watching } from '../../terminal/progress.ts'
import { reportCheck } from '../../terminal/report-check.ts'
import type { ChosenWorkspace } from '../../workspace/session.ts'
import { agrees, send, showPlan } from '../apply.ts'
import { requestedCheck } from '../check/request.ts'
import { countRecords } from '../state.ts'

interface PreviewsRequest extends Paging {
  readonly workspace: string
}

export const listPreviews: Operation<PreviewsRequest, Promise<Page<Workspace>>> = {
  local: async ({ workspace, ...paging }, { deps }) =>
    listWorkspaces(deps.store, { ...localPaging(paging, places.name), previewOf: workspace }),
  remote: ({ workspace, ...paging }, { client }) =>
    client.get('/v1/workspaces', { ...paged(paging), previewOf: workspace }),
}

interface LifeRequest {
  readonly workspace: string
  readonly reason: string
}

const expire: Operation<LifeRequest, Promise<Workspace>> = {
  local: (request, { deps, actor }) => expirePreview({ ...request, actor }, deps),
  remote: ({ workspace, reason }, { client }) => client.post(`${pathOf(workspace)}/expire`, {}, { body: { reason } }),
}

const remove: Operation<LifeRequest, Promise<unknown>> = {
  local: (request, { deps, actor }) => removeWorkspace({ ...request, actor }, deps),
  remote: ({ workspace, reason }, { client }) => client.delete(pathOf(workspace), { reason }),
}

export interface DestroyOptions {
  readonly branch?: string
  readonly workspace?: string
  readonly digest?: string
  readonly yes?: boolean
  readonly reason: string
}

/** Deletes what the preview created, after approval. `undefined`: there is nothing to delete. */
const deleteObjects = async (
  context: Context,
  session: ChosenWorkspace,
  options: DestroyOptions,
): Promise<Exit | undefined> => {
  const { output, host } = context
  if (options.digest !== undefined) return send(context, session, { digest: options.digest }, options)
  const checked = await watching(context, 'reading', (watch) =>
    perform(requestedCheck, { workspace: session.workspace, watch }, session.backend),
  )
  const { run, plan } = checked
  if (plan === undefined || (plan.commands.length === 0 && !plan.inSync)) return reportCheck(checked, 'text', context)
  if (plan.commands.length === 0) return undefined
  if (!options.yes && !output.interactive) {
    const exit = await reportCheck(checked, 'text', context)
    const again = `${host.invocation} preview destroy --branch ${options.branch} --digest ${plan.digests.commands}`
    output.note(`nothing was deleted yet; this deletes it and ends the preview:\n  ${again}`)
    return exit
  }
  await showPlan(plan, run.finishedAt, context)
  if (await agrees(plan, context, options)) {
    return send(context, session, { digest: plan.digests.commands }, options)
  }
  output.note('nothing was sent')
  return 2
}

export const destroyPreview = async (
  context: Context,
  session: ChosenWorkspace,
  options: DestroyOptions,
): Promise<Exit> => {
  const { backend, workspace } = session
  const { output } = context
  const { reason } = options
  await perform(expire, { workspace, reason }, backend)
  const recorded = () => perform(countRecords, workspace, backend)
  let exit = await deleteObjects(context, session, options)
  // An endpoint may answer with a check that began before the preview ended, and that had nothing to delete.
  if (exit === undefined && (await recorded()) > 0) exit = await deleteObjects(context, session, options)
  if (exit !== undefined && exit !== 0) return exit
  const left = await recorded()
  if (left > 0) {
    output.note(`${left} of its resources are still recorded; see \`plumbline state list\``)
    return 3
  }
  await perform(remove, { workspace, reason }, backend)
  if (exit === undefined) output.answer({ workspace, removed: true }, () => '')
  output.note(`the preview ${workspace} is destroyed`)
  return 0
}

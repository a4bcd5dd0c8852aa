import { resolve } from 'node:path'
import {
  AppError,
  deliverAlerts,
  pauseWorkspace,
  removeWorkspace,
  renderWorkspaces,
  resumeWorkspace,
  type Workspace,
} from '#core'
import { type Operation, type Paging, perform } from '../backend/backend.ts'
import { pathOf } from '../backend/http-client.ts'
import type { Context, Exit } from '../context.ts'
import { ask } from '../terminal/ask.ts'
import { listFiles } from '../terminal/list-files.ts'
import { notePage } from '../terminal/note-page.ts'
import { paint } from '../terminal/paint.ts'
import { readSource, type Source } from '../workspace/find-source.ts'
import { listWorkspacesOf, pushFolder, withBackend } from '../workspace/session.ts'
import { afterOption, groupOf, limitOption, type Register, type Run } from './command.ts'

const list =
  (paging: Paging): Run =>
  (context) =>
    withBackend<Exit>(context, async (backend) => {
      const { output } = context
      const page = await perform(listWorkspacesOf, paging, backend)
      output.answer(page, () => renderWorkspaces(page.items, { color: output.color }))
      notePage(page, output)
      return 0
    })

interface PushWish {
  readonly yes: boolean
  readonly claim: boolean
  readonly reuse: boolean
  readonly reason: string
}

/** What leaves this machine is shown before it does; somebody who can be asked is. */
const mayPush = async (
  { bundle }: Source,
  { endpoint, output, host }: Context,
  { yes }: PushWish,
): Promise<boolean> => {
  const where = endpoint === undefined ? 'the store of this machine' : new URL(endpoint.url).host
  output.note(`these files go to ${where}:\n${listFiles(bundle, output.paint)}`)
  if (endpoint === undefined || yes || !output.interactive) return true
  return ask('\nSend them? Only "yes" sends: ', host)
}

const push =
  (folder: string, options: PushWish): Run =>
  async (context) => {
    const { host, output } = context
    const source = await readSource(resolve(host.folder, folder))
    if (source === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: resolve(host.folder, folder) })
    if (!(await mayPush(source, context, options))) {
      output.note('nothing was sent')
      return 1
    }
    const reuse = options.reuse ? { reason: options.reason } : undefined
    const stored = await pushFolder(context, source, { takeOver: options.claim, reuse })
    const { strong, good, dim } = paint(output.color)
    output.answer(stored, () => `${good('stored')}  ${strong(stored.id)}  ${dim(stored.configurationDigest)}`)
    return 0
  }

const summary = 'store configurations, and list them'

export const registerWorkspacePush: Register = (program, run) => {
  groupOf(program, 'workspace', summary)
    .command('push')
    .summary("store a folder's configuration")
    .description(
      'Validates the configuration of a folder and stores it; from then on its schedule counts. The entry is sent, and the files that it names: they are listed with their sizes before.',
    )
    .argument('[folder]', 'with plumbline.yaml, .json or .jsonc', '.')
    .option('--claim', 'take the workspace over from the folder that it belongs to', false)
    .option('--reuse', 'begin another workspace under the name of one that was removed', false)
    .option('--reason <text>', 'why the name is used again, for the ledger', 'nobody said why')
    .option('--yes', 'send the files without asking', false)
    .action((folder: string, options: PushWish) => run(push(folder, options)))
}

export const registerWorkspaceList: Register = (program, run) => {
  groupOf(program, 'workspace', summary)
    .command('list')
    .summary('list the workspaces')
    .description('Lists the workspaces with what their last check found.')
    .addOption(limitOption())
    .addOption(afterOption())
    .action((paging: Paging) => run(list(paging)))
}

interface ChangeRequest {
  readonly workspace: string
  readonly reason: string
}
type Change = Operation<ChangeRequest, Promise<Workspace | undefined>>

const change =
  (workspace: string, reason: string, { done, work }: { readonly done: string; readonly work: Change }): Run =>
  (context) =>
    withBackend<Exit>(context, async (backend) => {
      const answer = (await perform(work, { workspace, reason }, backend)) ?? { workspace }
      const { strong, good } = paint(context.output.color)
      context.output.answer(answer, () => `${good(done)}  ${strong(workspace)}`)
      return 0
    })

/** What is done to one workspace by its name, with a reason for the ledger. */
const registerChange =
  (
    name: string,
    help: { readonly summary: string; readonly description: string; readonly done: string },
    work: Change,
  ): Register =>
  (program, run) => {
    groupOf(program, 'workspace', summary)
      .command(name)
      .summary(help.summary)
      .description(help.description)
      .argument('<workspace>', 'its name')
      .requiredOption('--reason <text>', 'why, for the ledger')
      .action((workspace: string, { reason }: { reason: string }) =>
        run(change(workspace, reason, { done: help.done, work })),
      )
  }

export const registerWorkspacePause = registerChange(
  'pause',
  {
    summary: 'end its scheduled checks until it is resumed',
    description:
      'Nothing is checked by the schedule until it is resumed. Checks and applies that somebody asks for go on.',
    done: 'paused',
  },
  {
    local: (request, { deps, actor }) => pauseWorkspace({ ...request, actor }, deps),
    remote: ({ workspace, reason }, { client }) => client.post(`${pathOf(workspace)}/pause`, {}, { body: { reason } }),
  },
)

export const registerWorkspaceResume = registerChange(
  'resume',
  {
    summary: 'check it by its schedule again',
    description: 'Checks it by its schedule again, from now on, also where it was in quarantine.',
    done: 'resumed',
  },
  {
    local: (request, { deps, actor }) => resumeWorkspace({ ...request, actor }, deps),
    remote: ({ workspace, reason }, { client }) => client.post(`${pathOf(workspace)}/resume`, {}, { body: { reason } }),
  },
)

export const registerWorkspaceRemove = registerChange(
  'remove',
  {
    summary: 'remove it; its ledger and runs stay',
    description:
      'Nothing of it is checked, alerted on or applied any more, and what was recorded of its objects is forgotten; the target is not touched. Its ledger and runs stay. Refused while an apply runs.',
    done: 'removed',
  },
  {
    local: async (request, { deps, actor }) => {
      await removeWorkspace({ ...request, actor }, deps)
      await deliverAlerts({ workspace: request.workspace }, deps)
      return undefined
    },
    remote: async ({ workspace, reason }, { client }) => {
      await client.delete(pathOf(workspace), { reason })
      return undefined
    },
  },
)

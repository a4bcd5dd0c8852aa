import { resolve } from 'node:path'
import type { Option } from 'commander'
import { AppError, type Paging, previewNames, renderPreviews } from '#core'
import type { PlanFormat } from '#render'
import { perform } from '../../backend/backend.ts'
import type { Context, Exit } from '../../context.ts'
import { answerPage } from '../../terminal/answer-page.ts'
import { watching } from '../../terminal/progress.ts'
import { reportCheck } from '../../terminal/report-check.ts'
import { readSource } from '../../workspace/find-workspace.ts'
import { withPushed, withRecords } from '../../workspace/session.ts'
import { requestedCheck } from '../check/request.ts'
import { formatOption } from '../check/view.ts'
import {
  command,
  digestArgument,
  duration,
  folderArgument,
  option,
  pagingOptions,
  reasonOption,
  refuseUnkept,
  variableOptions,
  workspaceArgument,
} from '../command.ts'
import { type DestroyOptions, destroyPreview, listPreviews } from './destroy-preview.ts'
import { mayPush } from './workspace.ts'

interface PreviewOptions {
  readonly branch?: string
  readonly overlay: string
  readonly expires?: string
  readonly claim?: boolean
  readonly yes?: boolean
  readonly format: PlanFormat
}

const branchOption = (): Option => option('--branch <name>', 'branch of the preview')

/** The parser would require a mandatory option of `preview` in `preview list`, too. */
function requireBranch(branch: string | undefined): asserts branch is string {
  if (branch === undefined || branch.trim() === '')
    throw new AppError('USAGE', { detail: 'name the branch with --branch' })
}

const preview = async (context: Context, folder: string, options: PreviewOptions): Promise<Exit> => {
  const { host, output } = context
  const { branch, overlay, expires, claim, format } = options
  refuseUnkept(context, 'preview')
  requireBranch(branch)
  const path = resolve(host.folder, folder)
  const source = await readSource(path, context, { branch, overlay })
  if (source === undefined) throw new AppError('CONFIG_NOT_FOUND', { path })
  if (context.endpoint !== undefined && !(await mayPush(source, context, options))) {
    output.note('nothing was sent')
    return 1
  }
  // The name of a destroyed preview can be used again.
  const reuse = { reason: `preview of branch ${branch}` }
  return withPushed(context, { source, takeOver: claim, reuse, expires }, async ({ backend, workspace }, stored) => {
    const checked = await watching(context, 'reading', (watch) =>
      perform(requestedCheck, { workspace, watch }, backend),
    )
    const exit = await reportCheck(checked, format, context)
    output.note(`${workspace} expires ${stored.preview?.expiresAt ?? 'never'}`)
    return exit
  })
}

export const commands = [
  command({
    name: 'preview',
    example: 'plumbline preview --branch feature/login --expires 7d',
    description:
      'Stores the configuration of a folder as a preview for a branch: a workspace of its own, with the names and inputs that its overlay says. Then checks it and shows the commands that would create it; `plumbline apply` sends them. Nothing of the workspace itself is ever written.\nExit codes: as `check`.',
    argument: [...folderArgument, '.'],
    options: [
      branchOption(),
      option('--overlay <file>', 'file with what differs, in the folder').default('plumbline.preview.yaml'),
      option('--expires <duration>', 'how long it lives from now on, such as 7d', duration),
      option('--claim', 'take the preview over from the folder that it belongs to'),
      option('--yes', 'send the files without confirmation'),
      formatOption(),
      ...variableOptions,
    ],
    run: preview,
  }),
  command({
    name: 'preview list',
    example: 'plumbline preview list acme-web',
    summary: 'list the previews of a workspace',
    description: 'Lists the previews of a workspace with their branches, and when they expire.',
    argument: workspaceArgument,
    options: pagingOptions,
    run: (context: Context, given: string | undefined, paging: Paging): Promise<Exit> =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const { host, output } = context
        const page = await perform(listPreviews, { ...paging, workspace }, backend)
        const at = host.clock.now().toISOString()
        return answerPage(page, output, (previews) => renderPreviews(previews, at, { color: output.color }))
      }),
  }),
  command({
    name: 'preview destroy',
    example: 'plumbline preview destroy --branch feature/login --reason merged',
    summary: 'delete what a preview created, and remove it',
    description:
      'Ends the life of a preview: it declares nothing any more. Shows the commands that delete what it created, and asks for confirmation; without a terminal --digest approves them. When nothing is left, its workspace is removed.\nExit codes: 0 destroyed, 1 failed, 2 not approved yet or the plan has changed, 3 something is left or could not be read.',
    options: [
      branchOption(),
      option('-w, --workspace <name>', workspaceArgument[1]),
      option('--digest <digest>', 'digest of the approved commands', digestArgument),
      reasonOption().default('destroyed from the command line'),
      option('--yes', 'delete without confirmation'),
    ],
    run: async (context: Context, _: undefined, options: DestroyOptions): Promise<Exit> => {
      const { branch, workspace: base } = options
      requireBranch(branch)
      return withRecords(context, base, ({ backend, workspace }) =>
        destroyPreview(context, { backend, workspace: previewNames(workspace, branch).id }, options),
      )
    },
  }),
]

import { InvalidArgumentError } from 'commander'
import {
  AppError,
  type DiffRequest,
  diffVersions,
  type Page,
  type Paging,
  palette,
  type RollbackRequest,
  renderVersionDiff,
  renderVersions,
  rollbackWorkspace,
  type Version,
  type VersionDiff,
  type Workspace,
  workspaceHistory,
} from '#core'
import { type ListRequest, localPaging, type Operation, paged, perform, places } from '../../backend/backend.ts'
import { pathOf } from '../../backend/http-client.ts'
import type { Context, Exit } from '../../context.ts'
import { answerPage } from '../../terminal/answer-page.ts'
import { withRecords } from '../../workspace/session.ts'
import { command, option, pagingOptions, reasonOption, wholeNumber, workspaceArgument } from '../command.ts'

const history: Operation<ListRequest, Promise<Page<Version>>> = {
  local: async (request, { deps }) => workspaceHistory(localPaging(request, places.number), deps),
  remote: ({ workspace, ...paging }, { client }) => client.get(`${pathOf(workspace)}/versions`, paged(paging)),
}

const diff: Operation<DiffRequest, Promise<VersionDiff>> = {
  local: (request, { deps }) => diffVersions(request, deps),
  remote: ({ workspace, from, to }, { client }) =>
    client.get(`${pathOf(workspace)}/versions/diff`, { from: String(from), to: String(to) }),
}

const rollback: Operation<Omit<RollbackRequest, 'actor'>, Promise<Workspace>> = {
  local: (request, { deps, actor }) => rollbackWorkspace({ ...request, actor }, deps),
  remote: ({ workspace, ...body }, { client }) => client.post(`${pathOf(workspace)}/rollback`, {}, { body }),
}

const versionIn = (text: string): number => {
  try {
    return wholeNumber(1, 999_999_999)(text)
  } catch (error) {
    if (error instanceof InvalidArgumentError)
      throw new AppError('USAGE', { detail: `"${text}" is not the number of a version` })
    throw error
  }
}

interface VersionOptions {
  readonly workspace?: string
}

const workspaceOption = option('-w, --workspace <name>', workspaceArgument[1])

export const versionCommands = [
  command({
    name: 'workspace history',
    example: 'plumbline workspace history acme-dns',
    summary: 'list the versions of a configuration',
    description:
      'Lists the versions of the stored configuration, the latest first: when, by whom, digest, and what changed.',
    argument: workspaceArgument,
    options: pagingOptions,
    run: (context: Context, given: string | undefined, paging: Paging): Promise<Exit> =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const { output } = context
        const page = await perform(history, { workspace, ...paging }, backend)
        return answerPage(page, output, (versions) => renderVersions(versions, { color: output.color }))
      }),
  }),
  command({
    name: 'workspace diff',
    example: 'plumbline workspace diff 11 12 --workspace acme-dns',
    summary: 'compare two versions of a configuration',
    description:
      'Shows the resources that were added, removed or changed between two versions, and the texts of the files as unified diffs. A value that is secret in one of the two is shown as (secret).',
    argument: ['<from>', 'number of a version'],
    second: ['<to>', 'number of another version'],
    options: [workspaceOption],
    run: (
      context: Context,
      [from, to]: readonly [string, string],
      { workspace: given }: VersionOptions,
    ): Promise<Exit> =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const { output } = context
        const found = await perform(diff, { workspace, from: versionIn(from), to: versionIn(to) }, backend)
        output.answer(found, () => renderVersionDiff(found, { color: output.color }))
        return 0
      }),
  }),
  command({
    name: 'workspace rollback',
    example: 'plumbline workspace rollback 11 --workspace acme-dns --reason "the new TTL was too short"',
    summary: 'store an earlier version of a configuration again',
    description:
      'Makes a new version with the content of an earlier one, by the rules of a push. Does not touch the target: check and apply as after every change.',
    argument: ['<version>', 'number of the version whose content is wanted'],
    options: [
      workspaceOption,
      option('--expected <version>', 'refuse if another version is the current one', wholeNumber(1, 999_999_999)),
      reasonOption('for the history').makeOptionMandatory(),
    ],
    run: (
      context: Context,
      version: string,
      { workspace: given, ...options }: VersionOptions & Pick<RollbackRequest, 'expected' | 'reason'>,
    ): Promise<Exit> =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const { output } = context
        const stored = await perform(rollback, { workspace, version: versionIn(version), ...options }, backend)
        const { bold, green } = palette(output.color)
        const { configurationVersion, origin } = stored
        output.answer(
          stored,
          () => `${green('stored')}  ${bold(stored.id)}  version ${configurationVersion}, content of ${version}`,
        )
        if (origin !== undefined)
          output.note(
            output.paint.yellow(
              `its files are kept at ${origin}: change them there too, or the next push from there undoes this`,
            ),
          )
        return 0
      }),
  }),
]

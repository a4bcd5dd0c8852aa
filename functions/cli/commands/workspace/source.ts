import {
  AppError,
  defined,
  findWorkspace,
  palette,
  removeSource,
  type Source,
  setSource,
  sourceShape,
  sourceText,
  type Workspace,
} from '#core'
import { type Operation, perform } from '../../backend/backend.ts'
import { pathOf } from '../../backend/http-client.ts'
import type { Context, Exit } from '../../context.ts'
import { withBackend } from '../../workspace/session.ts'
import { command, option } from '../command.ts'

type Stored = NonNullable<Workspace['source']>

const show: Operation<string, Promise<Stored>> = {
  local: async (workspace, { deps }) => {
    const found = await findWorkspace(deps.store, workspace)
    if (found === undefined) throw new AppError('WORKSPACE_NOT_FOUND', { workspace })
    if (found.source === undefined) throw new AppError('SOURCE_NOT_FOUND', { workspace })
    return found.source
  },
  remote: (workspace, { client }) => client.get(`${pathOf(workspace)}/source`),
}

interface SetRequest {
  readonly workspace: string
  readonly source: Source
}

const set: Operation<SetRequest, Promise<Workspace>> = {
  local: (request, { deps, actor }) => setSource({ ...request, actor }, deps),
  remote: ({ workspace, source }, { client }) => client.put(`${pathOf(workspace)}/source`, source),
}

const remove: Operation<string, Promise<unknown>> = {
  local: (workspace, { deps, actor }) => removeSource({ workspace, actor }, deps),
  remote: (workspace, { client }) => client.delete(`${pathOf(workspace)}/source`, {}),
}

interface SetOptions {
  readonly repository: string
  readonly ref: string
  readonly path?: string
  readonly tokenSecret?: string
  readonly webhookSecret?: string
  readonly apiUrl?: string
}

const sourceOf = ({ tokenSecret, webhookSecret, ...github }: SetOptions): Source => {
  const reference = (secret: string | undefined) => (secret === undefined ? undefined : { secret })
  const { data, error } = sourceShape.safeParse({
    github: { ...github, ...defined({ token: reference(tokenSecret), webhookSecret: reference(webhookSecret) }) },
  })
  if (data !== undefined) return data
  const problems = error.issues.map(({ path, message }) => `${path.slice(1).join('.')} ${message}`)
  throw new AppError('USAGE', { detail: problems.join('; ') })
}

const named = ['<workspace>', 'name of the workspace'] as const

export const commands = [
  command({
    name: 'source set',
    example: 'plumbline source set acme-dns --repository acme/infrastructure --path dns',
    summary: 'read a configuration from a Git repository',
    description:
      'From now on the configuration of the workspace is read from a repository on GitHub, before each check. Creates the workspace if it does not exist. Pushes are refused as long as it has a source.',
    argument: named,
    options: [
      option('--repository <owner/name>', 'repository on GitHub').makeOptionMandatory(),
      option('--ref <ref>', 'branch, tag or commit').default('main'),
      option('--path <folder>', 'folder of the configuration; the root when absent'),
      option(
        '--token-secret <secret>',
        'reference to a token that may read contents: ssm:/plumbline/acme-dns/github-token',
      ),
      option('--webhook-secret <secret>', 'reference to the secret of the webhook: ssm:/plumbline/acme-dns/webhook'),
      option('--api-url <url>', 'API of GitHub Enterprise Server'),
    ],
    run: (context: Context, workspace: string, options: SetOptions): Promise<Exit> =>
      withBackend(context, async (backend) => {
        const source = sourceOf(options)
        const stored = await perform(set, { workspace, source }, backend)
        const { bold, green } = palette(context.output.color)
        context.output.answer(stored, () => `${green('set')}  ${bold(workspace)}  ${sourceText(source)}`)
        return 0
      }),
  }),
  command({
    name: 'source show',
    example: 'plumbline source show acme-dns',
    summary: 'show where a configuration is read from',
    description: 'Shows the repository, the ref, the folder and the references of the secrets; never a secret.',
    argument: named,
    run: (context: Context, workspace: string): Promise<Exit> =>
      withBackend(context, async (backend) => {
        const source = await perform(show, workspace, backend)
        const { token, webhookSecret, apiUrl } = source.github
        const lines = [
          sourceText(source),
          `  token           ${token?.secret ?? 'none'}`,
          `  webhook secret  ${webhookSecret?.secret ?? 'none'}`,
          ...(apiUrl === undefined ? [] : [`  API             ${apiUrl}`]),
          `  set             ${source.at} by ${source.by.subject}`,
        ]
        context.output.answer(source, () => lines.join('\n'))
        return 0
      }),
  }),
  command({
    name: 'source remove',
    example: 'plumbline source remove acme-dns',
    summary: 'push a configuration again',
    description: 'From now on the configuration is pushed. The stored one stays.',
    argument: named,
    run: (context: Context, workspace: string): Promise<Exit> =>
      withBackend(context, async (backend) => {
        const stored = await perform(remove, workspace, backend)
        const { bold, green } = palette(context.output.color)
        context.output.answer(stored, () => `${green('removed')}  the source of ${bold(workspace)}`)
        return 0
      }),
  }),
]

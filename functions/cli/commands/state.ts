import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import {
  AppError,
  defined,
  forgetRecords,
  importState,
  isAppError,
  moveRecord,
  parseForeign,
  readDocument,
  renderBackups,
  renderState,
  renderStateChanged,
  renderStateShown,
  type StateBackup,
  type StateChanged,
  type StateDocument,
  type StateList,
  type StateShown,
  type StateSource,
  taintRecords,
  untaintRecords,
} from '#core'
import { jsonFaults } from '../../adapters/json-in.ts'
import { type Operation, perform, recordsOf } from '../backend/backend.ts'
import { pathOf } from '../backend/http-client.ts'
import type { Context, Exit } from '../context.ts'
import { noteDamaged } from '../terminal/answer-page.ts'
import { readText } from '../terminal/read-text.ts'
import { withRecords } from '../workspace/session.ts'
import { command, option, reasonOption, workspaceArgument } from './command.ts'

interface StateOptions {
  readonly workspace?: string
}

const workspaceOption = option('-w, --workspace <name>', workspaceArgument[1])

interface ListRequest {
  readonly workspace: string
  readonly glob?: string | undefined
}

const listRecords: Operation<ListRequest, Promise<StateList>> = {
  local: async ({ workspace, glob }, local) => (await recordsOf(workspace, local)).state(glob),
  remote: ({ workspace, glob }, { client }) => client.get(`${pathOf(workspace)}/state/resources`, defined({ glob })),
}

export const countRecords: Operation<string, Promise<number>> = {
  local: async (workspace, local) => listRecords.local({ workspace }, local).then(count, noState),
  remote: async (workspace, remote) => listRecords.remote({ workspace }, remote).then(count, noState),
}

const count = ({ resources }: StateList): number => resources.length

const noState = (error: unknown): number => {
  if (isAppError(error, 'STATE_NOT_FOUND')) return 0
  throw error
}

const showRecord: Operation<{ readonly workspace: string; readonly address: string }, Promise<StateShown>> = {
  local: async ({ workspace, address }, local) => (await recordsOf(workspace, local)).recordOf(address),
  remote: ({ workspace, address }, { client }) => client.get(`${pathOf(workspace)}/state/resource`, { address }),
}

interface ExportRequest {
  readonly workspace: string
  readonly backup?: string | undefined
}

const exportState: Operation<ExportRequest, Promise<StateDocument>> = {
  local: async ({ workspace, backup }, local) => (await recordsOf(workspace, local)).exportState(backup),
  remote: ({ workspace, backup }, { client }) => client.get(`${pathOf(workspace)}/state`, defined({ backup })),
}

const listBackups: Operation<string, Promise<{ readonly items: readonly StateBackup[] }>> = {
  local: async (workspace, local) => ({ items: await (await recordsOf(workspace, local)).backups() }),
  remote: (workspace, { client }) => client.get(`${pathOf(workspace)}/state/backups`),
}

interface ForgetRequest {
  readonly workspace: string
  readonly addresses: readonly string[]
  readonly reason: string
}

const forget: Operation<ForgetRequest, Promise<StateChanged>> = {
  local: (request, { deps, actor }) => forgetRecords({ ...request, actor }, deps),
  remote: ({ workspace, ...body }, { client }) => client.post(`${pathOf(workspace)}/state/forget`, {}, { body }),
}

const taint: Operation<ForgetRequest, Promise<StateChanged>> = {
  local: (request, { deps, actor }) => taintRecords({ ...request, actor }, deps),
  remote: ({ workspace, ...body }, { client }) => client.post(`${pathOf(workspace)}/state/taint`, {}, { body }),
}

const untaint: Operation<ForgetRequest, Promise<StateChanged>> = {
  local: (request, { deps, actor }) => untaintRecords({ ...request, actor }, deps),
  remote: ({ workspace, ...body }, { client }) => client.post(`${pathOf(workspace)}/state/untaint`, {}, { body }),
}

interface MoveRequest {
  readonly workspace: string
  readonly from: string
  readonly to: string
  readonly reason: string
}

const move: Operation<MoveRequest, Promise<StateChanged>> = {
  local: (request, { deps, actor }) => moveRecord({ ...request, actor }, deps),
  remote: ({ workspace, ...body }, { client }) => client.post(`${pathOf(workspace)}/state/move`, {}, { body }),
}

interface ImportRequest {
  readonly workspace: string
  readonly source: StateSource
  readonly reason: string
}

const compress = promisify(gzip)

const replace: Operation<ImportRequest, Promise<StateChanged>> = {
  local: (request, { deps, actor }) => importState({ ...request, actor }, deps),
  remote: async ({ workspace, source, reason }, { client }) => {
    const body =
      'backup' in source ? source : { gzip: (await compress(JSON.stringify(source.document))).toString('base64') }
    return client.post(`${pathOf(workspace)}/state/import`, {}, { body: { ...body, reason } })
  },
}

/** Requires either a file or a backup. A file that is not a state never leaves this machine. */
const sourceOf = async (
  file: string | undefined,
  backup: string | undefined,
  { host }: Context,
): Promise<StateSource> => {
  if (file === undefined && backup !== undefined) return { backup }
  if (file === undefined || backup !== undefined)
    throw new AppError('USAGE', { detail: 'name a file to import, or a backup with --backup' })
  const { name, text } = await readText(file, host)
  const parsed = parseForeign(text)
  if ('fault' in parsed) throw new AppError('STATE_INVALID', { detail: `${name} ${jsonFaults[parsed.fault]}` })
  return { document: readDocument(parsed.value) }
}

interface ChangeOptions extends StateOptions {
  readonly reason: string
}

const mandatoryReason = reasonOption().makeOptionMandatory()

const change = <Request extends { readonly workspace: string }>(
  { context, given }: { readonly context: Context; readonly given: string | undefined },
  operation: Operation<Request, Promise<StateChanged>>,
  request: Omit<Request, 'workspace'>,
): Promise<Exit> =>
  withRecords(context, given, async ({ backend, workspace }) => {
    const { output } = context
    const changed = await perform(operation, { ...request, workspace } as Request, backend)
    output.answer(changed, () => renderStateChanged(changed, { color: output.color }))
    return 0
  })

export const commands = [
  command({
    name: 'state list',
    example: "plumbline state list 'pdns_zone.*'",
    summary: 'list what is recorded',
    description:
      'Lists the recorded resources: their addresses, how their objects are found, and the last apply that changed each of them. Reads nothing from the target.',
    argument: ['[glob]', 'addresses to list; * stands for any text'],
    options: [workspaceOption],
    run: (context: Context, glob: string | undefined, { workspace: given }: StateOptions): Promise<Exit> =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const { output } = context
        const found = await perform(listRecords, { workspace, glob }, backend)
        output.answer(found, () => renderState(found, { color: output.color }))
        noteDamaged(found.damaged, output)
        return 0
      }),
  }),
  command({
    name: 'state show',
    example: 'plumbline state show pdns_zone.main',
    summary: 'show what is recorded of a resource',
    description:
      'Shows the recorded attributes of a resource, its ids and the last apply that changed it. A secret is shown as its seal: a keyed digest. Reads nothing from the target.',
    argument: ['<address>', 'address of the resource'],
    options: [workspaceOption],
    run: (context: Context, address: string, { workspace: given }: StateOptions): Promise<Exit> =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const { output } = context
        const shown = await perform(showRecord, { workspace, address }, backend)
        output.answer(shown, () => renderStateShown(shown, { color: output.color }))
        return 0
      }),
  }),
  command({
    name: 'state export',
    example: 'plumbline state export > state.json',
    alias: 'pull',
    summary: 'write the recorded state as one JSON document',
    description:
      'Writes the recorded state to standard output as one JSON document with its digest, for `state import`. Secrets are in it as seals only. `state pull` is the same command.',
    argument: workspaceArgument,
    options: [option('--backup <id>', 'write this backup instead')],
    run: (context: Context, given: string | undefined, { backup }: Pick<ExportRequest, 'backup'>): Promise<Exit> =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const document = await perform(exportState, { workspace, backup }, backend)
        context.output.rawJson(`${JSON.stringify(document, null, 2)}\n`)
        return 0
      }),
  }),
  command({
    name: 'state rm',
    example: 'plumbline state rm pdns_zone.lab --reason "team B has it now"',
    summary: 'forget what is recorded of resources',
    description:
      'Forgets the records of resources, of all instances, of modules or of what a pattern with * matches, without touching their objects in the target. What is still configured is found and recorded again by the next check. Refused while an apply runs. Keeps a backup.',
    argument: ['<address...>', 'addresses of resources or modules; * stands for any text'],
    options: [workspaceOption, mandatoryReason],
    run: (context: Context, addresses: readonly string[], { workspace: given, reason }: ChangeOptions): Promise<Exit> =>
      change({ context, given }, forget, { addresses, reason }),
  }),
  command({
    name: 'state mv',
    example: 'plumbline state mv pdns_zone.main pdns_zone.acme --reason renamed',
    summary: 'give a record another address',
    description:
      'Gives the record of a resource another address, or those of all its instances or of a module, without touching its object in the target. Refused if something is recorded under the new address, if the types differ and while an apply runs. Keeps a backup.',
    argument: ['<from>', 'address of the record'],
    second: ['<to>', 'its new address'],
    options: [workspaceOption, mandatoryReason],
    run: (
      context: Context,
      [from, to]: readonly [string, string],
      { workspace: given, reason }: ChangeOptions,
    ): Promise<Exit> => change({ context, given }, move, { from, to, reason }),
  }),
  command({
    name: 'state taint',
    example: 'plumbline state taint pdns_zone.main --reason "its keys are lost"',
    summary: 'have the objects of resources replaced by the next apply',
    description:
      'Marks the records of resources, of all instances, of modules or of what a pattern with * matches: each check plans the replacement of their objects, also if nothing differs, until it was applied. Touches nothing in the target. Refused while an apply runs. Keeps a backup.',
    argument: ['<address...>', 'addresses of resources or modules; * stands for any text'],
    options: [workspaceOption, mandatoryReason],
    run: (context: Context, addresses: readonly string[], { workspace: given, reason }: ChangeOptions): Promise<Exit> =>
      change({ context, given }, taint, { addresses, reason }),
  }),
  command({
    name: 'state untaint',
    example: 'plumbline state untaint pdns_zone.main --reason "it works again"',
    summary: 'take the mark of `state taint` back',
    description: 'Takes the mark back, so that nothing is replaced. Refused while an apply runs. Keeps a backup.',
    argument: ['<address...>', 'addresses of resources or modules; * stands for any text'],
    options: [workspaceOption, mandatoryReason],
    run: (context: Context, addresses: readonly string[], { workspace: given, reason }: ChangeOptions): Promise<Exit> =>
      change({ context, given }, untaint, { addresses, reason }),
  }),
  command({
    name: 'state import',
    example: 'plumbline state import --backup 01KAJ5Z0C1D2E3F4G5H6J7K8M9 --reason "the wrong one"',
    summary: 'replace the recorded state by an exported one or by a backup',
    description:
      'Replaces the recorded state, all of it or nothing, without touching the target. Refuses a state of another workspace or lineage, and an older one than the stored one, unless it is a backup. Refused while an apply runs. Keeps a backup.',
    argument: ['[file]', 'file that `state export` wrote; - for standard input'],
    options: [workspaceOption, option('--backup <id>', 'restore this backup instead'), mandatoryReason],
    run: async (
      context: Context,
      file: string | undefined,
      { workspace: given, backup, reason }: ChangeOptions & Pick<ExportRequest, 'backup'>,
    ): Promise<Exit> => change({ context, given }, replace, { source: await sourceOf(file, backup, context), reason }),
  }),
  command({
    name: 'state backups',
    example: 'plumbline state backups',
    summary: 'list the backups of the recorded state',
    description:
      'Lists the copies that were kept before a user changed the recorded state, latest first. Each is kept for 90 days, or as the settings of the deployment say.',
    argument: workspaceArgument,
    run: (context: Context, given: string | undefined): Promise<Exit> =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const { output } = context
        const backups = await perform(listBackups, workspace, backend)
        output.answer(backups, () => renderBackups(backups.items, { color: output.color }))
        return 0
      }),
  }),
]

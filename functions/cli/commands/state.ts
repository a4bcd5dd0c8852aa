import { renderState, renderStateShown, type StateDocument, type StateList, type StateShown } from '#core'
import { type Operation, perform, recordsOf } from '../backend/backend.ts'
import { pathOf } from '../backend/http-client.ts'
import type { Context, Exit } from '../context.ts'
import { withRecords } from '../workspace/session.ts'
import { command, option, workspaceArgument } from './command.ts'

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
  remote: ({ workspace, glob }, { client }) =>
    client.get(`${pathOf(workspace)}/state/resources`, glob === undefined ? {} : { glob }),
}

const showRecord: Operation<{ readonly workspace: string; readonly address: string }, Promise<StateShown>> = {
  local: async ({ workspace, address }, local) => (await recordsOf(workspace, local)).recordOf(address),
  remote: ({ workspace, address }, { client }) => client.get(`${pathOf(workspace)}/state/resource`, { address }),
}

const exportState: Operation<string, Promise<StateDocument>> = {
  local: async (workspace, local) => (await recordsOf(workspace, local)).exportState(),
  remote: (workspace, { client }) => client.get(`${pathOf(workspace)}/state`),
}

export const stateCommands = [
  command({
    name: 'state list',
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
        return 0
      }),
  }),
  command({
    name: 'state show',
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
    alias: 'pull',
    summary: 'write the recorded state as one JSON document',
    description:
      'Writes the recorded state to standard output as one JSON document with its digest, for `state import`. Secrets are in it as seals only. `state pull` is the same command.',
    argument: workspaceArgument,
    run: (context: Context, given: string | undefined): Promise<Exit> =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const document = await perform(exportState, workspace, backend)
        context.output.rawJson(`${JSON.stringify(document, null, 2)}\n`)
        return 0
      }),
  }),
]

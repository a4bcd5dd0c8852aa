import { describeGraph, type GraphFormat, graphFormats, type ResourceGraph } from '#core'
import { renderGraph } from '#render'
import { type Operation, perform } from '../backend/backend.ts'
import { pathOf } from '../backend/http-client.ts'
import type { Context } from '../context.ts'
import { withWorkspace } from '../workspace/session.ts'
import { command, option, variableOptions, workspaceArgument } from './command.ts'

interface GraphRequest {
  readonly workspace: string
  readonly run?: string | undefined
}

interface GraphOptions {
  readonly format: GraphFormat
  readonly run?: string
}

const describedGraph: Operation<GraphRequest, Promise<ResourceGraph>> = {
  local: (request, { deps }) => describeGraph(request, deps),
  remote: ({ workspace, run }, { client }) =>
    client.get(`${pathOf(workspace)}/graph`, run === undefined ? {} : { runId: run }),
}

export const commands = [
  command({
    name: 'graph',
    example: 'plumbline graph --format dot | dot -Tsvg > graph.svg',
    description:
      'Prints the resources, declared and recorded, with the actions of a check. An arrow leads to what is waited for. Reads nothing from the target.',
    argument: workspaceArgument,
    options: [
      option('--format <format>', 'language of the graph').choices(graphFormats).default('mermaid'),
      option('--run <run>', 'check whose actions are shown; the latest one by default'),
      ...variableOptions,
    ],
    run: (context: Context, given: string | undefined, { format, run }: GraphOptions) =>
      withWorkspace(context, given, async ({ backend, workspace }) => {
        const graph = await perform(describedGraph, { workspace, run }, backend)
        const { output } = context
        if (output.json) output.answer(graph, () => '')
        else output.raw(await renderGraph(graph, format))
        return 0
      }),
  }),
]

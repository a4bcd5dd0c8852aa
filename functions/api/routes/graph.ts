import * as z from 'zod'
import { defined, describeGraph, optional, resourceGraphShape } from '#core'
import { renderGraph } from '#render'
import { exampleRun } from '../route/examples.ts'
import { ok, route } from '../route/route.ts'
import { named, ofWorkspace } from '../route/shapes.ts'

const dot = 'text/vnd.graphviz'
const mermaid = 'text/vnd.mermaid'

export const getGraphRoute = route({
  id: 'getGraph',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/graph',
  scope: 'read',
  summary: 'Get the resources of a workspace, and what each of them waits for',
  description:
    'Of the stored configuration and the recorded resources, with the actions of a run. Nothing is read from the targets.',
  params: ofWorkspace,
  query: z.strictObject({
    runId: optional(
      z.string().min(1).max(200),
      'The run whose actions are shown; the latest one with a plan when absent.',
    ),
  }),
  offers: ['application/json', dot, mermaid],
  answers: {
    200: {
      description: 'The graph.',
      content: {
        'application/json': named('ResourceGraph', resourceGraphShape),
        [dot]: 'For Graphviz.',
        [mermaid]: 'For Mermaid.',
      },
      example: {
        workspace: exampleRun.workspace,
        runId: exampleRun.id,
        nodes: [
          { address: 'pdns_record.www', type: 'pdns_record', action: 'create' },
          { address: 'pdns_zone.main', type: 'pdns_zone' },
        ],
        edges: [{ from: 'pdns_record.www', to: 'pdns_zone.main' }],
      },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'CONFIG_INVALID', 'RUN_NOT_FOUND'],
  handle: async ({ params: { workspace }, query: { runId }, accepted }, deps) => {
    const graph = await describeGraph({ workspace, ...defined({ run: runId }) }, deps)
    if (accepted !== dot && accepted !== mermaid) return ok(graph)
    return { status: 200, mediaType: accepted, body: await renderGraph(graph, accepted === dot ? 'dot' : 'mermaid') }
  },
})

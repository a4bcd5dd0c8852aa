import * as z from 'zod'
import { bundleShape, type Claim, putWorkspace } from '#core'
import { route } from '../route/route.ts'
import { ofWorkspace, shapes, why } from '../route/shapes.ts'

const place = z.string().min(1).max(2_000)

/** With `origin` the workspace is bound to a place, and another one is refused. */
const pushed = z.strictObject({
  ...bundleShape.shape,
  origin: place
    .exactOptional()
    .meta({ description: 'Where the files are kept. Another place is refused from then on.' }),
  claimFrom: place
    .exactOptional()
    .meta({ description: 'Takes the workspace from this place, where it is still the one that the workspace has.' }),
})
type Pushed = z.infer<typeof pushed>

const claimOf = ({ origin, claimFrom }: Pushed): { readonly claim?: Claim } =>
  origin === undefined ? {} : { claim: { origin, mayTake: async (from) => from === claimFrom } }

const oneFile = (name: string) =>
  z
    .string()
    .min(1, 'is empty')
    .transform((text): Pushed => ({ entry: name, files: { [name]: text } }))
const yaml = oneFile('plumbline.yaml')

/** It decides what later applies make true, so it takes the scope that may make things true. */
export const putWorkspaceRoute = route({
  id: 'putWorkspace',
  method: 'PUT',
  path: '/v1/workspaces/{workspace}',
  scope: 'apply',
  summary: 'Create a workspace or replace its configuration',
  description:
    'Validated as a whole before anything is stored; the answer to an invalid one lists every problem with its place. Of the files the entry is stored, and those that it names. A workspace of one file may be sent as YAML.',
  params: ofWorkspace,
  query: z.strictObject({
    reuse: z
      .literal('true')
      .exactOptional()
      .meta({ description: 'Begins another workspace under the name of one that was removed.' }),
    reason: why.exactOptional().meta({ description: 'Why the name is used again, for the ledger.' }),
  }),
  headers: z.object({}),
  bodies: {
    'application/json': pushed,
    'application/yaml': yaml,
    'text/yaml': yaml,
  },
  maxBodyBytes: 4_000_000,
  answers: { 200: { description: 'Stored.', content: { 'application/json': shapes.Workspace } } },
  errors: [
    'CONFIG_INVALID',
    'WORKSPACE_MISMATCH',
    'WORKSPACE_CLAIMED',
    'WORKSPACE_REMOVED',
    'GRAPH_CYCLE',
    'STORE_CONFLICT',
  ],
  handle: async ({ params, query, body, actor }, deps) => {
    const bundle = { entry: body.entry, files: body.files }
    const reuse = query.reuse === undefined ? undefined : { reason: query.reason ?? 'nobody said why' }
    const stored = await putWorkspace({ bundle, actor, workspace: params.workspace, reuse, ...claimOf(body) }, deps)
    return { status: 200, body: stored }
  },
})

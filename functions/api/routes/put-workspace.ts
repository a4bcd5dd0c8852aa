import * as z from 'zod'
import { bundleShape, type Claim, defined, optional, putWorkspace, reasonText } from '#core'
import { exampleWorkspace } from '../route/examples.ts'
import { ok, route } from '../route/route.ts'
import { json, ofWorkspace, shapes } from '../route/shapes.ts'

const place = z.string().min(1).max(2_000)

/** With `origin` the workspace belongs to a place, and pushes from another one are refused. */
const pushed = z.strictObject({
  ...bundleShape.shape,
  origin: optional(place, 'Where the files are kept. From then on pushes from another place are refused.'),
  expires: optional(
    z.string().regex(/^[1-9]\d{0,5}[smhdw]$/, 'must be a duration such as 12h, 7d or 2w'),
    'How long a preview lives from now on; as its overlay says when not written.',
  ),
  claimFrom: optional(place, 'Takes the workspace over from this place, if it still belongs to it.'),
})
type Pushed = z.infer<typeof pushed>

const claimOf = ({ origin, claimFrom }: Pushed): { readonly claim?: Claim } =>
  origin === undefined ? {} : { claim: { origin, mayTake: async (from) => from === claimFrom } }

const oneFile = z
  .string()
  .min(1, 'is empty')
  .transform((text): Pushed => ({ entry: 'plumbline.yaml', files: { 'plumbline.yaml': text } }))

/** The limit of the unpacked files, in bytes: 100,000 resources have about 10 MB. */
const maxBodyBytes = 32_000_000

const yaml = 'workspace: acme-dns\nschedule: rate(15 minutes)\nproviders: {}\nresources: []\n'

/** A push decides what later applies write, so it needs their scope. */
export const putWorkspaceRoute = route({
  id: 'putWorkspace',
  method: 'PUT',
  path: '/v1/workspaces/{workspace}',
  scope: 'configure',
  summary: 'Create a workspace or replace its configuration',
  description:
    'The whole configuration is validated before anything is stored; if it is invalid, the response lists every problem with its place. Only the entry file and the files that it names are stored. A workspace of one file may be sent as YAML.',
  params: ofWorkspace,
  query: z.strictObject({
    reuse: optional(z.literal('true'), 'Starts a new workspace under the name of a removed one.'),
    reason: optional(reasonText, 'Why the name is reused, for the ledger.'),
  }),
  bodies: {
    'application/json': { shape: pushed, example: { entry: 'plumbline.yaml', files: { 'plumbline.yaml': yaml } } },
    'application/yaml': { shape: oneFile, example: yaml },
    'text/yaml': { shape: oneFile, example: yaml },
  },
  maxBodyBytes,
  answers: { 200: json('Stored.', shapes.Workspace, { example: exampleWorkspace }) },
  errors: [
    'CONFIG_INVALID',
    'WORKSPACE_MISMATCH',
    'WORKSPACE_CLAIMED',
    'WORKSPACE_REMOVED',
    'PREVIEW_REFUSED',
    'GRAPH_CYCLE',
    'STORE_CONFLICT',
  ],
  handle: async ({ params, query, body, actor }, deps) => {
    const { entry, files, variables, preview, expires } = body
    const bundle = { entry, files, ...defined({ variables, preview }) }
    const reuse = query.reuse === undefined ? undefined : { reason: query.reason ?? 'no reason given' }
    return ok(
      await putWorkspace({ bundle, actor, workspace: params.workspace, reuse, expires, ...claimOf(body) }, deps),
    )
  },
})

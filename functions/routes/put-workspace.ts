import * as z from 'zod'
import { type Bundle, bundleShape, putWorkspace } from '#core'
import { route } from './route.ts'
import { none, ofWorkspace, shapes } from './shapes.ts'

const oneFile = (name: string) =>
  z
    .string()
    .min(1, 'is empty')
    .transform((text): Bundle => ({ entry: name, files: { [name]: text } }))
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
  query: none,
  headers: z.object({}),
  bodies: {
    'application/json': z.strictObject(bundleShape.shape),
    'application/yaml': yaml,
    'text/yaml': yaml,
  },
  maxBodyBytes: 4_000_000,
  answers: { 200: { description: 'Stored.', content: { 'application/json': shapes.Workspace } } },
  errors: ['CONFIG_INVALID', 'WORKSPACE_MISMATCH', 'GRAPH_CYCLE', 'STORE_CONFLICT'],
  handle: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await putWorkspace({ bundle: body, actor, workspace: params.workspace }, deps),
  }),
})

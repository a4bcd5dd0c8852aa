import * as z from 'zod'
import { pauseWorkspace, resumeWorkspace } from '#core'
import { route } from '../route/route.ts'
import { none, ofWorkspace, shapes, why } from '../route/shapes.ts'

const shared = {
  method: 'POST',
  scope: 'apply',
  params: ofWorkspace,
  query: none,
  headers: z.object({}),
  bodies: { 'application/json': z.strictObject({ reason: why }) },
  answers: { 200: { description: 'The workspace.', content: { 'application/json': shapes.Workspace } } },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'STORE_CONFLICT'],
} as const

export const pauseWorkspaceRoute = route({
  ...shared,
  id: 'pauseWorkspace',
  path: '/v1/workspaces/{workspace}/pause',
  summary: 'End the scheduled checks until it is resumed',
  description:
    'Checks and applies that somebody asks for go on. Who, when and why stand in the ledger and in every list.',
  handle: async ({ params, body: { reason }, actor }, deps) => ({
    status: 200,
    body: await pauseWorkspace({ workspace: params.workspace, actor, reason }, deps),
  }),
})

export const resumeWorkspaceRoute = route({
  ...shared,
  id: 'resumeWorkspace',
  path: '/v1/workspaces/{workspace}/resume',
  summary: 'Check by the schedule again, from now on',
  description: 'Takes a workspace out of quarantine too.',
  handle: async ({ params, body: { reason }, actor }, deps) => ({
    status: 200,
    body: await resumeWorkspace({ workspace: params.workspace, actor, reason }, deps),
  }),
})

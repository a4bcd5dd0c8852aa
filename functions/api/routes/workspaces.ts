import * as z from 'zod'
import { describeWorkspace, listWorkspaces, pauseWorkspace, removeWorkspace, resumeWorkspace, workspaceId } from '#core'
import { pageAnswer, readCursor } from '../route/cursor.ts'
import { exampleActor, exampleWorkspace } from '../route/examples.ts'
import { route } from '../route/route.ts'
import { listOf, named, ofWorkspace, paging, shapes, why } from '../route/shapes.ts'

const list = ['workspaces']

export const listWorkspacesRoute = route({
  id: 'listWorkspaces',
  method: 'GET',
  path: '/v1/workspaces',
  scope: 'read',
  summary: 'List the workspaces that the caller may read, by name, each with its latest run',
  query: z.strictObject(paging),
  answers: {
    200: {
      description: 'A page.',
      content: { 'application/json': named('WorkspaceList', listOf(shapes.Workspace)) },
      example: { items: [exampleWorkspace] },
    },
  },
  errors: [],
  handle: async ({ query: { cursor, limit }, sees }, { store }) =>
    pageAnswer(list, await listWorkspaces(store, { limit, sees, ...readCursor(list, cursor) })),
})

export const getWorkspaceRoute = route({
  id: 'getWorkspace',
  method: 'GET',
  path: '/v1/workspaces/{workspace}',
  scope: 'read',
  summary: 'Get a workspace with its latest run',
  params: ofWorkspace,
  answers: {
    200: {
      description: 'The workspace.',
      content: { 'application/json': shapes.Workspace },
      example: exampleWorkspace,
    },
  },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED'],
  handle: async ({ params }, { store }) => ({ status: 200, body: await describeWorkspace(store, params.workspace) }),
})

const removedAt = '2026-11-21T07:00:00.000Z'

export const removeWorkspaceRoute = route({
  id: 'removeWorkspace',
  method: 'DELETE',
  path: '/v1/workspaces/{workspace}',
  scope: 'apply',
  summary: 'Remove a workspace and keep its ledger and runs',
  description:
    'Refused while an apply runs. Closes open episodes, refuses queued applies, drops a pending check and deletes the recorded state. Does not touch the target. The name stays reserved: to use it again, `PUT` with `reuse=true`.',
  params: ofWorkspace,
  query: z.strictObject({ reason: why }),
  answers: {
    200: {
      description: 'Removed.',
      content: {
        'application/json': named(
          'WorkspaceRemoved',
          z.object({ workspace: workspaceId, removedAt: z.iso.datetime() }),
        ),
      },
      example: { workspace: exampleWorkspace.id, removedAt },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'LOCKED', 'LOCK_LOST', 'STORE_CONFLICT'],
  handle: async ({ params: { workspace }, query: { reason }, actor }, deps) => {
    await removeWorkspace({ workspace, actor, reason }, deps)
    return { status: 200, body: { workspace, removedAt: deps.clock.now().toISOString() } }
  },
})

const reasonFor = (reason: string) => ({
  'application/json': { shape: z.strictObject({ reason: why }), example: { reason } },
})
const moving = 'the zone moves to another server this week'

export const pauseWorkspaceRoute = route({
  id: 'pauseWorkspace',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/pause',
  scope: 'apply',
  summary: 'Stop the scheduled checks until the workspace is resumed',
  description:
    'Requested checks and applies still run. The ledger records who paused it, when and why, and every list shows it.',
  params: ofWorkspace,
  bodies: reasonFor(moving),
  answers: {
    200: {
      description: 'The workspace.',
      content: { 'application/json': shapes.Workspace },
      example: { ...exampleWorkspace, paused: { at: removedAt, by: exampleActor, reason: moving } },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'STORE_CONFLICT'],
  handle: async ({ params, body: { reason }, actor }, deps) => ({
    status: 200,
    body: await pauseWorkspace({ workspace: params.workspace, actor, reason }, deps),
  }),
})

export const resumeWorkspaceRoute = route({
  id: 'resumeWorkspace',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/resume',
  scope: 'apply',
  summary: 'Start the scheduled checks again, from now on',
  description: 'Also takes the workspace out of quarantine.',
  params: ofWorkspace,
  bodies: reasonFor('the zone has moved'),
  answers: {
    200: {
      description: 'The workspace.',
      content: { 'application/json': shapes.Workspace },
      example: exampleWorkspace,
    },
  },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'STORE_CONFLICT'],
  handle: async ({ params, body: { reason }, actor }, deps) => ({
    status: 200,
    body: await resumeWorkspace({ workspace: params.workspace, actor, reason }, deps),
  }),
})

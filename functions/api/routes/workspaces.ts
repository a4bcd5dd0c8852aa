import * as z from 'zod'
import {
  defined,
  describeWorkspace,
  type ErrorCode,
  expirePreview,
  listWorkspaces,
  optional,
  pauseWorkspace,
  present,
  reasonText,
  removeWorkspace,
  resumeWorkspace,
  workspaceId,
} from '#core'
import { answerPage } from '../route/cursor.ts'
import { exampleActor, exampleWorkspace } from '../route/examples.ts'
import { type AnswerShape, ok, type Route, route } from '../route/route.ts'
import { json, named, ofWorkspace, page, paging, shapes } from '../route/shapes.ts'

const theWorkspace = json('The workspace.', shapes.Workspace, { example: exampleWorkspace })

export const listWorkspacesRoute = route({
  id: 'listWorkspaces',
  method: 'GET',
  path: '/v1/workspaces',
  scope: 'read',
  summary: 'List the workspaces that the caller may read, by name, each with its latest run',
  query: z.strictObject({
    ...paging,
    previewOf: optional(workspaceId, 'Only the previews of this workspace.'),
  }),
  answers: { 200: page('WorkspaceList', shapes.Workspace, exampleWorkspace) },
  errors: [],
  handle: async ({ query, sees }, { store }) =>
    answerPage(['workspaces', ...present(query.previewOf)], query, (paging) =>
      listWorkspaces(store, { ...paging, sees, ...defined({ previewOf: query.previewOf }) }),
    ),
})

export const getWorkspaceRoute = route({
  id: 'getWorkspace',
  method: 'GET',
  path: '/v1/workspaces/{workspace}',
  scope: 'read',
  summary: 'Get a workspace with its latest run',
  params: ofWorkspace,
  answers: { 200: theWorkspace },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED'],
  handle: async ({ params }, { store }) => ok(await describeWorkspace(store, params.workspace)),
})

const removedAt = '2026-11-21T07:00:00.000Z'

export const removeWorkspaceRoute = route({
  id: 'removeWorkspace',
  method: 'DELETE',
  path: '/v1/workspaces/{workspace}',
  scope: 'configure',
  summary: 'Remove a workspace and keep its ledger and runs',
  description:
    'Refused while an apply runs, and as long as it has previews. Closes open episodes, refuses queued applies, drops a pending check and deletes the recorded state. Does not touch the target. The name stays reserved: to use it again, `PUT` with `reuse=true`.',
  params: ofWorkspace,
  query: z.strictObject({ reason: reasonText }),
  answers: {
    200: json(
      'Removed.',
      named('WorkspaceRemoved', z.object({ workspace: workspaceId, removedAt: z.iso.datetime() })),
      { example: { workspace: exampleWorkspace.id, removedAt } },
    ),
  },
  errors: [
    'WORKSPACE_NOT_FOUND',
    'WORKSPACE_REMOVED',
    'WORKSPACE_HAS_PREVIEWS',
    'LOCKED',
    'LOCK_LOST',
    'STORE_CONFLICT',
  ],
  handle: async ({ params: { workspace }, query: { reason }, actor }, deps) => {
    await removeWorkspace({ workspace, actor, reason }, deps)
    return ok({ workspace, removedAt: deps.clock.now().toISOString() })
  },
})

interface ReasonedChange {
  readonly id: string
  /** The last segment of the path. */
  readonly verb: string
  readonly summary: string
  readonly description: string
  readonly reason: string
  readonly answer: AnswerShape
  readonly errors?: readonly ErrorCode[]
  readonly work: typeof pauseWorkspace
}

const changeRoute = ({ id, verb, summary, description, reason, answer, errors = [], work }: ReasonedChange): Route =>
  route({
    id,
    method: 'POST',
    path: `/v1/workspaces/{workspace}/${verb}`,
    scope: 'apply',
    summary,
    description,
    params: ofWorkspace,
    bodies: { 'application/json': { shape: z.strictObject({ reason: reasonText }), example: { reason } } },
    answers: { 200: answer },
    errors: [...errors, 'WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'STORE_CONFLICT'],
    handle: async ({ params: { workspace }, body, actor }, deps) => ok(await work({ workspace, actor, ...body }, deps)),
  })

const moving = 'the zone moves to another server this week'

export const pauseWorkspaceRoute = changeRoute({
  id: 'pauseWorkspace',
  verb: 'pause',
  summary: 'Stop the scheduled checks until the workspace is resumed',
  description:
    'Requested checks and applies still run. The ledger records who paused it, when and why, and every list shows it.',
  reason: moving,
  answer: json('The workspace.', shapes.Workspace, {
    example: { ...exampleWorkspace, paused: { at: removedAt, by: exampleActor, reason: moving } },
  }),
  work: pauseWorkspace,
})

export const resumeWorkspaceRoute = changeRoute({
  id: 'resumeWorkspace',
  verb: 'resume',
  summary: 'Start the scheduled checks again, from now on',
  description: 'Also takes the workspace out of quarantine.',
  reason: 'the zone has moved',
  answer: theWorkspace,
  work: resumeWorkspace,
})

export const expirePreviewRoute = changeRoute({
  id: 'expirePreview',
  verb: 'expire',
  summary: 'End the life of a preview',
  description:
    'From then on the preview declares nothing, and each check plans the deletion of what it created; an apply deletes it once it is approved. A check is due at once. A preview that has expired stays so until it is stored again.',
  reason: 'the branch was merged',
  answer: json('The preview.', shapes.Workspace, {
    example: {
      ...exampleWorkspace,
      id: 'acme-dns--login',
      preview: { base: 'acme-dns', branch: 'login', expiresAt: removedAt },
    },
  }),
  errors: ['PREVIEW_REFUSED'],
  work: expirePreview,
})

import * as z from 'zod'
import {
  diffVersions,
  optional,
  reasonText,
  rollbackWorkspace,
  versionDiffShape,
  versionNumber,
  versionShape,
  workspaceHistory,
} from '#core'
import { answerPage } from '../route/cursor.ts'
import { exampleDiff, exampleVersion, exampleWorkspace } from '../route/examples.ts'
import { ok, route } from '../route/route.ts'
import { json, named, ofWorkspace, page, paging, shapes } from '../route/shapes.ts'

const version = named('Version', versionShape)

export const listVersionsRoute = route({
  id: 'listVersions',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/versions',
  scope: 'read',
  summary: 'List the versions of the configuration, the latest first',
  description: 'Every version is kept until the workspace is removed.',
  params: ofWorkspace,
  query: z.strictObject(paging),
  answers: { 200: page('VersionList', version, exampleVersion) },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED'],
  handle: async ({ params: { workspace }, query }, deps) =>
    answerPage(['versions', workspace], query, (paging) => workspaceHistory({ workspace, ...paging }, deps)),
})

const inQuery = z.coerce.number<string>().pipe(versionNumber).meta({ type: 'integer', minimum: 1 })

export const diffVersionsRoute = route({
  id: 'diffVersions',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/versions/diff',
  scope: 'read',
  summary: 'Compare two versions of the configuration',
  description:
    'Resources by address, and the texts of the files as unified diffs. A value that is secret in one of the two is `(secret)` in both.',
  params: ofWorkspace,
  query: z.strictObject({ from: inQuery, to: inQuery }),
  answers: { 200: json('What differs.', named('VersionDiff', versionDiffShape), { example: exampleDiff }) },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'VERSION_NOT_FOUND'],
  handle: async ({ params: { workspace }, query }, deps) => ok(await diffVersions({ workspace, ...query }, deps)),
})

const reason = 'the new TTL was too short'

export const rollbackWorkspaceRoute = route({
  id: 'rollbackWorkspace',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/rollback',
  scope: 'configure',
  summary: 'Store the content of an earlier version as a new version',
  description:
    'By the rules of a push: the whole configuration is validated first, and the workspace is due at once. Nothing in the target is touched before an apply. The new version says who made it, why, and from which one.',
  params: ofWorkspace,
  bodies: {
    'application/json': {
      shape: z.strictObject({
        version: versionNumber.meta({ description: 'Whose content is wanted.' }),
        reason: reasonText,
        expected: optional(versionNumber, 'Refused if another version is the current one.'),
      }),
      example: { version: 11, reason, expected: 12 },
    },
  },
  answers: { 200: json('The workspace.', shapes.Workspace, { example: exampleWorkspace }) },
  errors: [
    'WORKSPACE_NOT_FOUND',
    'WORKSPACE_REMOVED',
    'WORKSPACE_CLAIMED',
    'VERSION_NOT_FOUND',
    'VERSION_CURRENT',
    'VERSION_CONFLICT',
    'CONFIG_INVALID',
    'WORKSPACE_MISMATCH',
    'STORE_CONFLICT',
  ],
  handle: async ({ params: { workspace }, body, actor }, deps) =>
    ok(await rollbackWorkspace({ workspace, actor, ...body }, deps)),
})

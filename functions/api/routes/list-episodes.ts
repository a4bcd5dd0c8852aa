import * as z from 'zod'
import { openRecords } from '#core'
import { route } from '../route/route.ts'
import { none, ofWorkspace, shapes } from '../route/shapes.ts'

export const listEpisodesRoute = route({
  id: 'listEpisodes',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/episodes',
  scope: 'read',
  summary: 'Alerts of a workspace: what is open, and what was resolved last',
  params: ofWorkspace,
  query: none,
  headers: z.object({}),
  bodies: {},
  answers: { 200: { description: 'The episodes.', content: { 'application/json': shapes.EpisodeList } } },
  errors: ['WORKSPACE_NOT_FOUND'],
  handle: async ({ params: { workspace } }, { store }) => {
    return { status: 200, body: { items: await (await openRecords(store, workspace)).episodes() } }
  },
})

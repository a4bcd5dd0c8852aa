import * as z from 'zod'
import { episodeShape, openRecords } from '#core'
import { route } from '../route/route.ts'
import { named, ofWorkspace } from '../route/shapes.ts'

export const listEpisodesRoute = route({
  id: 'listEpisodes',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/episodes',
  scope: 'read',
  summary: 'List the alert episodes of a workspace: the open ones and the last resolved ones',
  params: ofWorkspace,
  answers: {
    200: {
      description: 'The episodes.',
      content: { 'application/json': named('EpisodeList', z.object({ items: z.array(episodeShape) })) },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  handle: async ({ params: { workspace } }, { store }) => ({
    status: 200,
    body: { items: await (await openRecords(store, workspace)).episodes() },
  }),
})

import * as z from 'zod'
import { episodeShape } from '#core'
import { recordsRoute } from '../route/records-route.ts'
import { ok } from '../route/route.ts'
import { json, named } from '../route/shapes.ts'

export const listEpisodesRoute = recordsRoute({
  id: 'listEpisodes',
  path: '/episodes',
  summary: 'List the alert episodes of a workspace: the open ones and the last resolved ones',
  answers: { 200: json('The episodes.', named('EpisodeList', z.object({ items: z.array(episodeShape) }))) },
  read: async (records) => ok({ items: await records.episodes() }),
})

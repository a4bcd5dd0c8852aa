import * as z from 'zod'
import { acknowledgeEpisode, type ErrorCode, reasonText, snoozeEpisode, unsnoozeEpisode } from '#core'
import { exampleEpisode } from '../route/examples.ts'
import { recordsRoute } from '../route/records-route.ts'
import { ok, route } from '../route/route.ts'
import { instant, json, named, ofEpisode, shapes } from '../route/shapes.ts'

export const listEpisodesRoute = recordsRoute({
  id: 'listEpisodes',
  path: '/episodes',
  summary: 'List the alert episodes of a workspace: the open ones and the last resolved ones',
  answers: {
    200: json('The episodes.', named('EpisodeList', z.object({ items: z.array(shapes.Episode) })), {
      example: { items: [exampleEpisode] },
    }),
  },
  read: async (records) => ok({ items: await records.episodes() }),
})

const errors: readonly ErrorCode[] = [
  'EPISODE_NOT_FOUND',
  'EPISODE_RESOLVED',
  'WORKSPACE_NOT_FOUND',
  'WORKSPACE_REMOVED',
  'STORE_CONFLICT',
]

const theEpisode = json('The episode.', shapes.Episode, { example: exampleEpisode })

const { acknowledged, snoozed } = exampleEpisode
const reasoned = { shape: z.strictObject({ reason: reasonText }), example: { reason: acknowledged.reason } }

export const acknowledgeEpisodeRoute = route({
  id: 'acknowledgeEpisode',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/episodes/{episodeId}/acknowledge',
  scope: 'apply',
  summary: 'Tell that somebody has seen an open episode',
  description:
    'It stays open. From then on it sends no reminder, and no alert about a change, unless its severity rises above the present one; its end is told. The ledger records who acknowledged it, when and why. A second acknowledgement changes nothing.',
  params: ofEpisode,
  bodies: { 'application/json': reasoned },
  answers: { 200: theEpisode },
  errors,
  handle: async ({ params: { workspace, episodeId: episode }, body: { reason }, actor }, deps) =>
    ok(await acknowledgeEpisode({ workspace, episode, reason, actor }, deps)),
})

export const snoozeEpisodeRoute = route({
  id: 'snoozeEpisode',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/episodes/{episodeId}/snooze',
  scope: 'apply',
  summary: 'Send no alert about an open episode until a time, at most 30 days ahead',
  description:
    'The first check after that time tells it again if it is still open. Before that only two things send an alert: its end, and a check that begins to fail, which ends the snooze. The ledger records who snoozed it, when, why and until when. Another time replaces the one before.',
  params: ofEpisode,
  bodies: {
    'application/json': {
      shape: z.strictObject({ reason: reasonText, until: instant }),
      example: { reason: snoozed.reason, until: snoozed.until },
    },
  },
  answers: { 200: theEpisode },
  errors: ['SNOOZE_INVALID', ...errors],
  handle: async ({ params: { workspace, episodeId: episode }, body: { reason, until }, actor }, deps) =>
    ok(await snoozeEpisode({ workspace, episode, reason, until, actor }, deps)),
})

export const unsnoozeEpisodeRoute = route({
  id: 'unsnoozeEpisode',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/episodes/{episodeId}/unsnooze',
  scope: 'apply',
  summary: 'End the snooze of an open episode now',
  description:
    'The next check tells it again if it is still open. The ledger records it. An episode that is not snoozed is not changed.',
  params: ofEpisode,
  bodies: { 'application/json': reasoned },
  answers: { 200: theEpisode },
  errors,
  handle: async ({ params: { workspace, episodeId: episode }, body: { reason }, actor }, deps) =>
    ok(await unsnoozeEpisode({ workspace, episode, reason, actor }, deps)),
})

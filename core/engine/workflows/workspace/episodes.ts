import type { Episode } from '../../schema/stored/findings.ts'
import type { Deps } from '../deps.ts'
import type { EpisodeRequest, SnoozeRequest } from './quiet-episode.ts'

/** Few requests are about an episode, so the code for them is loaded with the first one. */
const quieting = () => import('./quiet-episode.ts')

/** As `acknowledgeEpisode` in quiet-episode.ts. */
export const acknowledgeEpisode = async (request: EpisodeRequest, deps: Deps): Promise<Episode> =>
  (await quieting()).acknowledgeEpisode(request, deps)

/** As `snoozeEpisode` in quiet-episode.ts. */
export const snoozeEpisode = async (request: SnoozeRequest, deps: Deps): Promise<Episode> =>
  (await quieting()).snoozeEpisode(request, deps)

/** As `unsnoozeEpisode` in quiet-episode.ts. */
export const unsnoozeEpisode = async (request: EpisodeRequest, deps: Deps): Promise<Episode> =>
  (await quieting()).unsnoozeEpisode(request, deps)

import {
  acknowledgeEpisode,
  type Episode,
  type EpisodeRequest,
  renderEpisodes,
  type SnoozeRequest,
  snoozeEpisode,
  unsnoozeEpisode,
} from '#core'
import { type Operation, perform, recordsOf } from '../backend/backend.ts'
import { type Client, part, pathOf } from '../backend/http-client.ts'
import type { Context, Exit } from '../context.ts'
import { withRecords } from '../workspace/session.ts'
import { type CommandDefinition, command, instant, option, reasonOption, workspaceArgument } from './command.ts'

const listEpisodes: Operation<string, Promise<{ readonly items: readonly Episode[] }>> = {
  local: async (workspace, local) => ({ items: await (await recordsOf(workspace, local)).episodes() }),
  remote: (workspace, { client }) => client.get(`${pathOf(workspace)}/episodes`),
}

type Asked<Request extends EpisodeRequest> = Omit<Request, 'actor'>
type EpisodeChange<Request extends EpisodeRequest> = Operation<Asked<Request>, Promise<Episode>>

const post = (client: Client, verb: string, { workspace, episode, ...body }: Asked<EpisodeRequest>): Promise<Episode> =>
  client.post(`${pathOf(workspace)}/episodes/${part(episode)}/${verb}`, {}, { body })

const acknowledge: EpisodeChange<EpisodeRequest> = {
  local: (request, { deps, actor }) => acknowledgeEpisode({ ...request, actor }, deps),
  remote: (request, { client }) => post(client, 'acknowledge', request),
}

const snooze: EpisodeChange<SnoozeRequest> = {
  local: (request, { deps, actor }) => snoozeEpisode({ ...request, actor }, deps),
  remote: (request, { client }) => post(client, 'snooze', request),
}

const unsnooze: EpisodeChange<EpisodeRequest> = {
  local: (request, { deps, actor }) => unsnoozeEpisode({ ...request, actor }, deps),
  remote: (request, { client }) => post(client, 'unsnooze', request),
}

interface QuietOptions {
  readonly workspace?: string
  readonly reason: string
  readonly until: string
}

const quietOptions = [option('-w, --workspace <name>', workspaceArgument[1]), reasonOption().makeOptionMandatory()]

const untilOption = option('--until <time>', 'ISO 8601 time or day, at most 30 days ahead', instant)

const changeCommand = (
  texts: Pick<CommandDefinition, 'name' | 'example' | 'summary' | 'description'>,
  work: EpisodeChange<SnoozeRequest> | EpisodeChange<EpisodeRequest>,
  more: NonNullable<CommandDefinition['options']> = [],
): CommandDefinition =>
  command({
    ...texts,
    argument: ['<episode>', 'id of the episode, as `episodes list` shows it'],
    options: [...quietOptions, ...more],
    run: (context: Context, episode: string, { workspace: given, ...wish }: QuietOptions): Promise<Exit> =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const { output } = context
        const changed = await perform(work, { workspace, episode, ...wish }, backend)
        output.answer(changed, () => renderEpisodes([changed], { color: output.color }))
        return 0
      }),
  })

export const commands = [
  command({
    name: 'episodes list',
    example: 'plumbline episodes list acme-dns',
    summary: 'list the alert episodes of a workspace',
    description:
      'Lists the latest alert episode about drift and about what is unchecked, each with its id, and says who acknowledged or snoozed it.',
    argument: workspaceArgument,
    run: (context: Context, given: string | undefined): Promise<Exit> =>
      withRecords(context, given, async ({ backend, workspace }) => {
        const { output } = context
        const found = await perform(listEpisodes, workspace, backend)
        output.answer(found, () => renderEpisodes(found.items, { color: output.color }))
        return 0
      }),
  }),
  changeCommand(
    {
      name: 'episodes acknowledge',
      example: 'plumbline episodes acknowledge 01KAJ5V4X7Q2M3N4P5R6S7T8VB --reason "I am on it"',
      summary: 'tell that somebody has seen an open episode',
      description:
        'Tells that somebody has seen an open episode: from then on it sends an alert only if its severity rises, and when it ends.',
    },
    acknowledge,
  ),
  changeCommand(
    {
      name: 'episodes snooze',
      example: 'plumbline episodes snooze 01KAJ5V4X7Q2M3N4P5R6S7T8VB --until 2026-11-24 --reason "it moves on Monday"',
      summary: 'send no alert about an open episode until a time',
      description:
        'Sends no alert about an open episode until a time. The first check after that tells it again if it is still open. Its end, and checks that begin to fail, are told before.',
    },
    snooze,
    [untilOption.makeOptionMandatory()],
  ),
  changeCommand(
    {
      name: 'episodes unsnooze',
      example: 'plumbline episodes unsnooze 01KAJ5V4X7Q2M3N4P5R6S7T8VB --reason "it has moved"',
      summary: 'end the snooze of an episode now',
      description: 'Ends the snooze of an open episode: the next check tells it again if it is still open.',
    },
    unsnooze,
  ),
]

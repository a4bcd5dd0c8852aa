import { useState } from 'preact/hooks'
import type { Episode } from '../../../../core/index.ts'
import { useReader } from '../../data/context.ts'
import type { PartProps } from '../../data/part.ts'
import { useResource } from '../../data/use-resource.ts'
import { Empty, Shown } from '../../parts/states.tsx'
import { EpisodeDialog, type EpisodeVerb } from './episode-dialog.tsx'
import { EpisodeView } from './episode-view.tsx'

/** The alert episodes: what was told, when, and who has seen it. */
export const Alerts = ({ workspace: { id } }: PartProps) => {
  const { api } = useReader()
  const path = `/workspaces/${encodeURIComponent(id)}/episodes`
  const [asking, setAsking] = useState<{ readonly episode: Episode; readonly verb: EpisodeVerb }>()
  const episodes = useResource(
    path,
    async (signal) => {
      const answered = await api.call<{ readonly items: readonly Episode[] }>(path, { signal })
      return answered.ok ? { ...answered, value: answered.value.items } : answered
    },
    { every: 10_000 },
  )
  return (
    <Shown of={episodes} what="the alerts">
      {(known) => (
        <>
          <h2>Alerts</h2>
          {known.length === 0 && (
            <Empty>
              <p>Nothing has been alerted yet.</p>
            </Empty>
          )}
          {known.map((episode) => (
            <EpisodeView key={episode.id} episode={episode} ask={(verb) => setAsking({ episode, verb })} />
          ))}
          {asking !== undefined && (
            <EpisodeDialog
              {...asking}
              close={(isDone) => {
                setAsking(undefined)
                if (isDone) episodes.reload()
              }}
            />
          )}
        </>
      )}
    </Shown>
  )
}

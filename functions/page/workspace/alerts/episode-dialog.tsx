import { useState } from 'preact/hooks'
import type { Episode } from '../../../../core/index.ts'
import { useReader } from '../../data/context.ts'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'
import { Time } from '../../parts/time.tsx'

export type EpisodeVerb = 'acknowledge' | 'snooze' | 'unsnooze'

const words: Readonly<Record<EpisodeVerb, readonly [title: string, verb: string, then: string]>> = {
  acknowledge: [
    'Acknowledge the alert',
    'Acknowledge',
    'It stays open, and sends no reminder. Its end is told, and so is a higher severity.',
  ],
  snooze: [
    'Snooze the alert',
    'Snooze',
    'Until then it sends nothing, except its end, and that checks begin to fail as a whole. If it is still open afterwards, it is told again.',
  ],
  unsnooze: ['End the snooze', 'End the snooze', 'The next check tells it again if it is still open.'],
}

const hourMs = 3_600_000
const lengths = [
  ['1 hour', hourMs],
  ['8 hours', 8 * hourMs],
  ['1 day', 24 * hourMs],
  ['7 days', 7 * 24 * hourMs],
  ['30 days', 30 * 24 * hourMs - 60_000],
] as const

interface EpisodeDialogProps {
  readonly episode: Episode
  readonly verb: EpisodeVerb
  readonly close: (isDone: boolean) => void
}

export const EpisodeDialog = ({ episode, verb, close }: EpisodeDialogProps) => {
  const { id, workspace, key, openedAt, findings } = episode
  const { api } = useReader()
  const [ms, setMs] = useState<number>(8 * hourMs)
  const [title, label, then] = words[verb]
  const path = `/workspaces/${encodeURIComponent(workspace)}/episodes/${encodeURIComponent(id)}/${verb}`
  const until = () => (verb === 'snooze' ? { until: new Date(Date.now() + ms).toISOString() } : {})
  return (
    <ReasonDialog
      title={title}
      verb={label}
      draft={`${verb}:${id}`}
      send={(reason) => api.call(path, { method: 'POST', body: { reason, ...until() } })}
      close={close}
    >
      <p>
        {key === 'drift' ? 'Drift' : 'Unchecked'} in <b>{workspace}</b>, open since <Time at={openedAt} />:{' '}
        {findings.length} {findings.length === 1 ? 'finding' : 'findings'}
      </p>
      <p class="dim">
        {then}
        {verb === 'acknowledge' &&
          (key === 'drift'
            ? ' If another resource drifts, it is told again; more drift of the same ones is not.'
            : ' More that cannot be read is not told.')}
      </p>
      {verb === 'snooze' && (
        <label class="field">
          For
          <select value={ms} onChange={({ currentTarget: { value } }) => setMs(Number(value))}>
            {lengths.map(([name, length]) => (
              <option key={name} value={length}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </ReasonDialog>
  )
}

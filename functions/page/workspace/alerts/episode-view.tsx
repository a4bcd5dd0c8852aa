import type { Episode } from '../../../../core/index.ts'
import { changerWords, visible } from '../../../../core/pages/render/draw.ts'
import { useReader } from '../../data/context.ts'
import { Dated, Time } from '../../parts/time.tsx'
import { rowProps } from '../../parts/window/row-props.ts'
import { useWindow } from '../../parts/window/use-window.ts'
import type { EpisodeVerb } from './episode-dialog.tsx'

interface EpisodeViewProps {
  readonly episode: Episode
  readonly ask: (verb: EpisodeVerb) => void
}

const keyWords: Readonly<Record<Episode['key'], string>> = { drift: 'Drift', unchecked: 'Unchecked' }

/** One episode from its first alert to its end. */
export const EpisodeView = ({ episode, ask }: EpisodeViewProps) => {
  const { key, status, openedAt, toldAt, resolvedAt, findings, acknowledged, snoozed } = episode
  const isOpen = status === 'open'
  return (
    <article class={`episode ${isOpen ? '' : 'over'}`}>
      <div class="bar">
        <h3>
          {keyWords[key]} <span class={`badge ${isOpen ? 'drifted' : ''}`}>{standingOf(episode)}</span>
        </h3>
        <span class="grow" />
        {isOpen && <Verbs episode={episode} ask={ask} />}
      </div>
      <p class="dim facts">
        <span>
          opened <Time at={openedAt} />
        </span>
        <span>
          last told <Time at={toldAt} />
        </span>
        {resolvedAt !== undefined && (
          <span>
            resolved <Time at={resolvedAt} />
          </span>
        )}
      </p>
      {acknowledged !== undefined && (
        <p>
          Acknowledged by <b>{visible(acknowledged.by.subject)}</b> <Time at={acknowledged.at} />:{' '}
          {visible(acknowledged.reason)}
        </p>
      )}
      {snoozed !== undefined && (
        <p>
          Snoozed until <Time at={snoozed.until} form="day" /> by <b>{visible(snoozed.by.subject)}</b>:{' '}
          {visible(snoozed.reason)}
        </p>
      )}
      <Findings findings={findings} isOpen={isOpen && findings.length <= 20} />
    </article>
  )
}

/** Who has taken care of it is said where others look first. */
const standingOf = ({ status, acknowledged, snoozed }: Episode): string => {
  if (status !== 'open') return 'resolved'
  if (snoozed !== undefined) return 'open, snoozed'
  return acknowledged === undefined ? 'open' : 'open, acknowledged'
}

/** What comes and goes stands before what stays, which is at the end of its line. */
const Verbs = ({ episode: { workspace, acknowledged, snoozed }, ask }: EpisodeViewProps) => {
  const { may } = useReader()
  if (!may('apply', workspace)) return null
  return (
    <>
      {snoozed !== undefined && (
        <button type="button" onClick={() => ask('unsnooze')}>
          End the snooze
        </button>
      )}
      {acknowledged === undefined && (
        <button type="button" onClick={() => ask('acknowledge')}>
          Acknowledge
        </button>
      )}
      <button type="button" onClick={() => ask('snooze')}>
        {snoozed === undefined ? 'Snooze' : 'Snooze again'}
      </button>
    </>
  )
}

/** Who changed what, and what nobody is named for. */
const whoWords = (finding: Episode['findings'][number]): string =>
  [...changerWords(finding), finding.changed?.unknown].filter((words) => words).join('; ')

/** Height of a finding, as long as none is drawn. */
const findingPx = 52

const Findings = ({ findings, isOpen }: { readonly findings: Episode['findings']; readonly isOpen: boolean }) => {
  const { list, rows } = useWindow(findings, ({ kind, address }) => `${kind} ${address}`, findingPx)
  if (findings.length === 0) return null
  return (
    <details open={isOpen}>
      <summary>
        {findings.length} {findings.length === 1 ? 'finding' : 'findings'}
      </summary>
      <dl class="list window" ref={list}>
        {rows.map(({ item: finding, ...row }) => (
          <div key={row.key} {...rowProps({ item: finding, ...row })}>
            <dt>
              <code>{visible(finding.address)}</code>
            </dt>
            <dd>
              {finding.kind}: {visible(finding.summary)}
              {finding.severity !== undefined && (
                <>
                  , <span class={`severity ${finding.severity}`}>{finding.severity} severity</span>
                </>
              )}{' '}
              <span class="dim">
                <Dated text={visible(whoWords(finding))} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

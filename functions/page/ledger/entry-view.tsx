import { useEffect, useRef, useState } from 'preact/hooks'
import type { LedgerEntry } from '../../../core/index.ts'
import { visible } from '../../../core/pages/render/draw.ts'
import { workspaceLink } from '../data/place.ts'
import { Copy } from '../parts/copy.tsx'
import { Time } from '../parts/time.tsx'

const kindWords: Readonly<Record<LedgerEntry['kind'], string>> = {
  started: 'an apply began',
  logged: 'a command was logged',
  intent: 'a command is about to be sent',
  attempt: 'a request is sent',
  waiting: 'the target works on it',
  result: 'a command has ended',
  blocked: 'a change was left out',
  refused: 'an apply was refused',
  finished: 'an apply has ended',
  paused: 'the checks were paused',
  resumed: 'the checks were resumed',
  removed: 'the workspace was removed',
  reused: 'the name was used again',
  expired: 'the preview has expired',
  source_removed: 'the source was removed',
  forgotten: 'records were forgotten',
  tainted: 'marked to be replaced',
  untainted: 'not to be replaced any more',
  moved: 'a record was moved',
  imported: 'records were imported',
  acknowledged: 'an alert was acknowledged',
  snoozed: 'an alert was snoozed',
  unsnoozed: 'a snooze was ended',
}

/** The words of a kind; a newer server may have kinds that this page does not know. */
const wordsOf = (kind: string): string => (kindWords as Readonly<Record<string, string>>)[kind] ?? kind

/** What the line says beside the kind: the command, or the outcome. */
const subjectOf = ({ command, outcome, detail }: LedgerEntry): string =>
  [
    typeof command?.['id'] === 'string' ? command['id'] : outcome?.command,
    outcome?.status,
    outcome?.httpStatus === undefined ? undefined : `HTTP ${outcome.httpStatus}`,
    detail,
  ]
    .filter((part) => part !== undefined)
    .map((part) => visible(String(part)))
    .join(' · ')

/** One entry in a line; whole where it is open. */
export const EntryView = ({ entry, isOpen }: { readonly entry: LedgerEntry; readonly isOpen: boolean }) => {
  const [open, setOpen] = useState(isOpen)
  const { seq, at, kind, actor, reason, applyId, workspace, mode } = entry
  const place = useRef<HTMLLIElement>(null)
  // The address names this entry, which may be far below.
  useEffect(() => {
    if (isOpen) place.current?.scrollIntoView({ block: 'center' })
  }, [isOpen])
  const whole = open ? JSON.stringify(entry, undefined, 2) : ''
  return (
    <li ref={place}>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="number dim">{seq}</span> <Time at={at} form="day" />{' '}
          <span>
            <b>{wordsOf(kind)}</b>
            {mode === 'check' && <span class="tag">check mode</span>} {subjectOf(entry)}{' '}
            <span class="dim">{visible(actor.subject)}</span>
          </span>
        </summary>
        {open && (
          <div class="inside">
            {reason !== undefined && <p>Reason: {visible(reason)}</p>}
            <pre>{visibleLines(whole)}</pre>
            <p class="facts">
              <Copy text={whole} what="the entry" />
              {applyId !== undefined && <a href={workspaceLink(workspace, 'applies', applyId)}>Its apply</a>}
              <a href={workspaceLink(workspace, 'ledger', String(seq))}>Link to this entry</a>
            </p>
          </div>
        )}
      </details>
    </li>
  )
}

/** Characters that are not seen, or that turn the direction of a line, are written out; line ends stay. */
const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

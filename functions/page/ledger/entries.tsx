import { useState } from 'preact/hooks'
import type { Apply, LedgerEntry } from '../../../core/index.ts'
import type { ApiPage } from '../data/api.ts'
import { useReader } from '../data/context.ts'
import { putQuery } from '../data/use-place.ts'
import { useResource } from '../data/use-resource.ts'
import { Empty, ProblemNote, Shown } from '../parts/states.tsx'
import { useAction } from '../parts/use-action.ts'
import { EntryView } from './entry-view.tsx'

const times = [
  ['from', 'From'],
  ['to', 'To'],
] as const

const texts = [
  ['actor', 'Actor', ({ actor }) => actor.subject],
  ['address', 'Address', ({ command }) => String(command?.['address'] ?? '')],
  ['apply', 'Apply', ({ applyId }) => applyId ?? ''],
] as const satisfies readonly (readonly [string, string, (entry: LedgerEntry) => string])[]

type Filter = Readonly<Partial<Record<(typeof times | typeof texts)[number][0], string>>>

const minuteMs = 60_000

/** An address in full, or what a reader remembers of it. */
const addressOf = (text: string): string => (/[.*]/.test(text) ? text : `*${text}*`)

/** A minute of the reader's zone as an instant, as a link has it: whoever opens that may be elsewhere. */
const instantOf = (minute: string): string => (Number.isNaN(Date.parse(minute)) ? '' : new Date(minute).toISOString())

const minuteOf = (instant: string): string => {
  const at = new Date(instant)
  return Number.isNaN(at.getTime())
    ? ''
    : new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
}

/** The last minute counts as a whole. */
const queryOf = ({ from, to, actor, address, apply }: Filter): Readonly<Record<string, string | undefined>> => {
  return {
    from: from || undefined,
    to: to ? new Date(Date.parse(to) + minuteMs - 1).toISOString() : undefined,
    actor: actor?.trim() || undefined,
    address: address?.trim() ? addressOf(address.trim()) : undefined,
    applyId: apply?.trim() || undefined,
  }
}

interface EntriesProps {
  readonly workspace: string
  /** The entry that the address names: it is open. */
  readonly seq: string | undefined
  readonly query: URLSearchParams
}

/** The entries, the newest first, a page at a time. */
export const Entries = ({ workspace, seq, query }: EntriesProps) => {
  const [filter, setFilter] = useState<Filter>(
    Object.fromEntries([
      ...times.map(([name]) => [name, instantOf(query.get(name) ?? '')]),
      ...texts.map(([name]) => [name, query.get(name) ?? '']),
    ]),
  )
  const change = (name: string, value: string) => {
    setFilter((former) => ({ ...former, [name]: value }))
    putQuery(name, value)
  }
  return (
    <>
      <div class="bar">
        {times.map(([name, title]) => (
          <label key={name} class="choice">
            {title}{' '}
            <input
              type="datetime-local"
              value={minuteOf(filter[name] ?? '')}
              onChange={({ currentTarget: { value } }) => change(name, instantOf(value))}
            />
          </label>
        ))}
        {texts.map(([name, title]) => (
          <label key={name} class="choice">
            {title}{' '}
            <input
              type="text"
              list={`known-${name}`}
              placeholder="then Enter"
              value={filter[name] ?? ''}
              onChange={({ currentTarget: { value } }) => change(name, value)}
            />
          </label>
        ))}
      </div>
      <Found key={JSON.stringify(filter)} workspace={workspace} filter={filter} seq={seq} />
    </>
  )
}

/** What the texts of the filter can be, as far as it is shown. */
const Known = ({ entries }: { readonly entries: readonly LedgerEntry[] }) => (
  <>
    {texts.map(([name, , of]) => (
      <datalist key={name} id={`known-${name}`}>
        {[...new Set(entries.map(of))]
          .filter((text) => text !== '')
          .slice(0, mostKnown)
          .map((text) => (
            <option key={text} value={text} />
          ))}
      </datalist>
    ))}
  </>
)

const mostKnown = 100

const Found = ({
  workspace,
  filter,
  seq,
}: {
  readonly workspace: string
  readonly filter: Filter
  readonly seq: string | undefined
}) => {
  const { api } = useReader()
  const path = `/workspaces/${encodeURIComponent(workspace)}/ledger`
  const query: Readonly<Record<string, string | undefined>> = { ...queryOf(filter), order: 'newest', limit: '100' }
  const [applyId, setApplyId] = useState<string>()
  const first = useResource(`${path} ${JSON.stringify(query)}`, async (signal) => {
    // The page shows the end of an id, which is what a reader has.
    const end = (query['applyId'] ?? '').replace(/^…/, '')
    const applies =
      end === ''
        ? undefined
        : await api.all<Apply>(`/workspaces/${encodeURIComponent(workspace)}/applies`, { signal, most: 200 })
    const found = applies?.ok ? applies.value.find(({ id }) => id.endsWith(end))?.id : undefined
    const id = found ?? (end || undefined)
    setApplyId(id)
    return api.call<ApiPage<LedgerEntry>>(path, { signal, query: { ...query, applyId: id } })
  })
  const [more, setMore] = useState<readonly ApiPage<LedgerEntry>[]>([])
  const action = useAction<ApiPage<LedgerEntry>>()
  const readMore = async (cursor: string) => {
    const found = await action.run(() => api.call<ApiPage<LedgerEntry>>(path, { query: { ...query, applyId, cursor } }))
    if (found !== undefined) setMore((former) => [...former, found])
  }
  return (
    <Shown of={first} what="the ledger">
      {(page) => {
        const pages = [page, ...more]
        const entries = pages.flatMap(({ items }) => items)
        const next = pages.at(-1)?.next
        if (entries.length === 0 && next === undefined)
          return (
            <Empty>
              <p>
                {Object.values(filter).some(Boolean)
                  ? 'No entry matches.'
                  : 'It has no entry yet: each command is written here before it is sent.'}
              </p>
            </Empty>
          )
        return (
          <>
            {seq !== undefined && !entries.some((entry) => String(entry.seq) === seq) && (
              <p class="note warn">Entry {seq} is not among those that are shown.</p>
            )}
            <Known entries={entries} />
            <ol class="entries">
              {entries.map((entry) => (
                <EntryView key={entry.seq} entry={entry} isOpen={String(entry.seq) === seq} />
              ))}
            </ol>
            {action.problem && <ProblemNote problem={action.problem} />}
            {next !== undefined && (
              <button type="button" disabled={action.isRunning} onClick={() => void readMore(next)}>
                {action.isRunning ? 'Reading …' : 'Older entries'}
              </button>
            )}
          </>
        )
      }}
    </Shown>
  )
}

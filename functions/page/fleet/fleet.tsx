import { useMemo, useState } from 'preact/hooks'
import type { Workspace } from '../../../core/index.ts'
import { useReader } from '../data/context.ts'
import { byHarm, type FleetState, stateOf, states, stateWords } from '../data/health.ts'
import { useNow } from '../data/use-now.ts'
import { putQuery } from '../data/use-place.ts'
import { useResource } from '../data/use-resource.ts'
import { hasWords } from '../parts/list-bar.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { itemProps } from '../parts/window/row-props.ts'
import { useWindow } from '../parts/window/use-window.ts'
import { FleetHead, FleetRow } from './fleet-row.tsx'

/** A large fleet takes several requests, so it is read less often. */
const freshMs = (n: number): number => (n > 200 ? 30_000 : 10_000)

/** All workspaces that the reader may see, the most harmful first. */
export const Fleet = ({ query }: { readonly query: URLSearchParams }) => {
  const { api } = useReader()
  const [every, setEvery] = useState(freshMs(0))
  const fleet = useResource(
    'fleet',
    async (signal) => {
      const answered = await api.all<Workspace>('/workspaces', { signal })
      if (answered.ok) setEvery(freshMs(answered.value.length))
      return answered
    },
    { every },
  )
  return (
    <>
      <h1>Workspaces</h1>
      <Shown of={fleet} what="the workspaces">
        {(all) => (all.length === 0 ? <NoWorkspaces /> : <FleetTable all={all} query={query} />)}
      </Shown>
    </>
  )
}

const NoWorkspaces = () => (
  <Empty>
    <p>There is no workspace that you may read.</p>
    <p>
      Write a configuration, then store it: <code>plumbline push</code>
    </p>
  </Empty>
)

const FleetTable = ({ all, query }: { readonly all: readonly Workspace[]; readonly query: URLSearchParams }) => {
  const now = useNow()
  const [text, setText] = useState(query.get('q') ?? '')
  const [state, setState] = useState<FleetState | undefined>(states.find((each) => each === query.get('state')))
  const sorted = useMemo(() => byHarm(all, now), [all, now])
  const counts = useMemo(() => Map.groupBy(all, (workspace) => stateOf(workspace, now)), [all, now])
  const found = useMemo(
    () => sorted.filter((each) => hasWords(each.id, text) && (state === undefined || stateOf(each, now) === state)),
    [sorted, text, state],
  )
  const choose = (chosen: FleetState | undefined) => {
    setState(chosen)
    putQuery('state', chosen ?? '')
  }
  return (
    <>
      <div class="bar">
        <input
          type="search"
          aria-label="Search workspaces by name"
          placeholder="Search by name"
          value={text}
          onInput={({ currentTarget: { value } }) => {
            setText(value)
            putQuery('q', value)
          }}
        />
        <fieldset class="chips">
          <legend>Show workspaces by state</legend>
          <button type="button" aria-pressed={state === undefined} onClick={() => choose(undefined)}>
            all <b>{all.length}</b>
          </button>
          {states.flatMap((each) => {
            const n = counts.get(each)?.length ?? 0
            if (n === 0 && each !== state) return []
            return (
              <button
                key={each}
                type="button"
                class={each}
                aria-pressed={each === state}
                onClick={() => choose(each === state ? undefined : each)}
              >
                {stateWords[each]} <b>{n}</b>
              </button>
            )
          })}
        </fieldset>
      </div>
      <p class="dim" role="status">
        {found.length === all.length ? '' : `${found.length} of `}
        {all.length} {all.length === 1 ? 'workspace' : 'workspaces'}
      </p>
      {found.length === 0 ? (
        <Empty>
          <p>No workspace matches.</p>
        </Empty>
      ) : (
        <>
          <FleetHead />
          <FleetRows found={found} now={now} />
        </>
      )}
    </>
  )
}

/** Height of a row in one line, as long as none is drawn. */
const rowPx = 38

const FleetRows = ({ found, now }: { readonly found: readonly Workspace[]; readonly now: number }) => {
  const { list, rows, count } = useWindow(found, ({ id }) => id, rowPx)
  return (
    <ul class="fleet window" ref={list} aria-label="Workspaces, the most harmful first">
      {rows.map((row) => (
        <FleetRow key={row.key} workspace={row.item} now={now} place={itemProps(row, count)} />
      ))}
    </ul>
  )
}

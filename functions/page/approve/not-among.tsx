import type { Run } from '../../../core/index.ts'
import { count, type Report } from '../../../core/pages/render/draw.ts'
import { workspaceLink } from '../data/place.ts'
import { ListView, type ShownList } from '../workspace/plan/report-lists.tsx'

/** What the check has found and no command here is about, with the words of the plan: what is blocked, and what could not be read. */
const listsIn = ({ sections, lists }: Report): readonly ShownList[] => [
  {
    title: 'Blocked, not sent',
    entries: sections
      .flatMap(({ blocks }) => blocks)
      .filter(({ blocked }) => blocked)
      .map(({ address, words }) => ({ what: address, words })),
  },
  ...lists.filter(({ entries }) => entries.some(({ level }) => level === 'error')),
]

/** Who approves the commands of a plan does not take them for all of it. */
export const NotAmong = ({ run: { id, workspace }, report }: { readonly run: Run; readonly report: Report }) => {
  const lists = listsIn(report).filter(({ entries }) => entries.length > 0)
  if (lists.length === 0) return null
  const words = lists.map(({ title, entries }) => `${count(entries.length, 'resource')} (${title.toLowerCase()})`)
  return (
    <details class="note warn">
      <summary>Not among these commands: {words.join(', ')}</summary>
      {lists.map((list) => (
        <ListView key={list.title} list={list} />
      ))}
      <p>
        <a href={workspaceLink(workspace, 'runs', id)}>The whole plan</a>
      </p>
    </details>
  )
}

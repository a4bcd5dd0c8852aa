import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Command, Plan } from '../../../core/index.ts'
import { type Block, count, names, type Report, thousands, visible } from '../../../core/pages/render/draw.ts'
import { ListBar, type SearchedList, useSearch } from '../parts/list-bar.tsx'
import { Empty } from '../parts/states.tsx'
import { itemProps } from '../parts/window/row-props.ts'
import { useWindow } from '../parts/window/use-window.ts'
import { CommandView } from './command-view.tsx'
import { addressesOf } from './selection.ts'

/** So few are open from the start. */
const openUpTo = 10

/** Height of a resource with one command that is closed, as long as none is drawn. */
const groupPx = 72

type Group = readonly [address: string, commands: readonly Command[]]

interface ChooserProps {
  readonly plan: Plan
  readonly report: Report
  /** What is searched first. */
  readonly text: string
  /** Addresses that are not chosen. */
  readonly left: ReadonlySet<string>
  /** What would be sent; absent while that is asked for, and where it cannot be asked for. */
  readonly sent: Plan | undefined
  readonly isAsked: boolean
  readonly choose: (left: ReadonlySet<string>) => void
}

const textOf = ([address, commands]: Group): string => JSON.stringify([address, commands])

const changesIn = ({ sections }: Report): ReadonlyMap<string, Block> => {
  const changes = sections.filter(({ kind }) => kind === 'changes')
  return new Map(changes.flatMap(({ blocks }) => blocks.map((block) => [block.address, block] as const)))
}

/** Commands in the order in which they are sent, by resource: a resource is chosen as a whole. */
export const Chooser = ({ plan, report, text, left, sent, isAsked, choose }: ChooserProps) => {
  const groups = useMemo((): readonly Group[] => [...Map.groupBy(plan.commands, ({ address }) => address)], [plan])
  const list = useSearch(groups, textOf, text)
  const found = useMemo(() => groups.filter(list.isFound), [groups, list.text])
  const going = useMemo(() => new Set(sent === undefined ? [] : addressesOf(sent.commands)), [sent])
  const along = [...going].filter((address) => left.has(address))
  const blocks = useMemo(() => changesIn(report), [report])
  const shown = found.map(([address]) => address)
  const which = found.length < groups.length ? ' shown' : ''
  const toggle = (address: string) => {
    const next = new Set(left)
    if (!next.delete(address)) next.add(address)
    choose(next)
  }
  return (
    <>
      {groups.length > 1 && <ListBar list={list} what="the commands" found={found.length} all={groups.length} />}
      <div class="bar">
        <button
          type="button"
          class="small"
          onClick={() => choose(new Set([...left].filter((address) => !shown.includes(address))))}
        >
          All{which}
        </button>
        <button type="button" class="small" onClick={() => choose(new Set([...left, ...shown]))}>
          None{which}
        </button>
        <p role="status">
          {sent === undefined
            ? `${isAsked ? '…' : 'An unknown number'} of ${count(plan.commands.length, 'command')} would be sent`
            : `${thousands(sent.commands.length)} of ${count(plan.commands.length, 'command')} would be sent`}
          {along.length > 0 && `; along with the chosen ones: ${names(along.map(visible), 3)}`}
        </p>
      </div>
      {found.length === 0 && (
        <Empty>
          <p>Nothing matches the search.</p>
        </Empty>
      )}
      <Groups key={list.key} {...{ found, blocks, left, going, toggle, list }} />
    </>
  )
}

interface GroupsProps extends Pick<ChooserProps, 'left'> {
  readonly found: readonly Group[]
  readonly blocks: ReadonlyMap<string, Block>
  readonly going: ReadonlySet<string>
  readonly toggle: (address: string) => void
  readonly list: Pick<SearchedList<Group>, 'isOpen' | 'opened'>
}

const Groups = ({ found, blocks, left, going, toggle, list: { isOpen, opened } }: GroupsProps) => {
  const { list, rows, count: all } = useWindow(found, ([address]) => address, groupPx)
  const isFew = found.reduce((sum, [, commands]) => sum + commands.length, 0) <= openUpTo
  return (
    <ol class="chooser window" ref={list}>
      {rows.map((row) => {
        const [address, commands] = row.item
        return (
          <GroupView
            key={address}
            address={address}
            place={itemProps(row, all)}
            isChosen={!left.has(address)}
            comesAlong={left.has(address) && going.has(address)}
            toggle={() => toggle(address)}
          >
            {commands.map((command) => (
              <CommandView
                key={command.id}
                command={command}
                block={blocks.get(address)}
                isOpen={isOpen ?? isFew}
                opened={opened}
              />
            ))}
          </GroupView>
        )
      })}
    </ol>
  )
}

interface GroupViewProps {
  readonly address: string
  readonly place: ReturnType<typeof itemProps>
  readonly isChosen: boolean
  /** A chosen one needs it. */
  readonly comesAlong: boolean
  readonly toggle: () => void
  readonly children: ComponentChildren
}

const GroupView = ({ address, place, isChosen, comesAlong, toggle, children }: GroupViewProps) => (
  <li class={isChosen || comesAlong ? '' : 'out'} {...place}>
    <label>
      <input type="checkbox" checked={isChosen || comesAlong} disabled={comesAlong} onChange={toggle} />{' '}
      <code class="address">{visible(address)}</code>
      {comesAlong && (
        <>
          {' '}
          <span class="tag">comes along: a chosen one needs it</span>
        </>
      )}
    </label>
    {children}
  </li>
)

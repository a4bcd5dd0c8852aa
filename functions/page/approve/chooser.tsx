import type { ComponentChildren } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { Plan } from '../../../core/index.ts'
import { type Block, count, names, reportOfPlan, thousands, visible } from '../../../core/pages/render/draw.ts'
import { itemProps } from '../parts/window/row-props.ts'
import type { OpenedRows } from '../parts/window/use-open.ts'
import { useWindow } from '../parts/window/use-window.ts'
import { CommandView } from './command-view.tsx'
import { addressesOf } from './selection.ts'

/** So few are open from the start. */
const openUpTo = 10

/** Height of a resource with one command that is closed, as long as none is drawn. */
const groupPx = 72

interface ChooserProps {
  readonly plan: Plan
  /** Addresses that are not chosen. */
  readonly left: ReadonlySet<string>
  /** What would be sent; absent while that is asked for, and where it cannot be asked for. */
  readonly sent: Plan | undefined
  readonly isAsked: boolean
  readonly choose: (left: ReadonlySet<string>) => void
}

const changesIn = (plan: Plan): ReadonlyMap<string, Block> => {
  const changes = reportOfPlan(plan, { each: true }).sections.filter(({ kind }) => kind === 'changes')
  return new Map(changes.flatMap(({ blocks }) => blocks.map((block) => [block.address, block] as const)))
}

/** Commands in the order in which they are sent, by resource: a resource is chosen as a whole. */
export const Chooser = ({ plan, left, sent, isAsked, choose }: ChooserProps) => {
  const groups = useMemo(() => [...Map.groupBy(plan.commands, ({ address }) => address)], [plan])
  const { list, rows, count: all } = useWindow(groups, ([address]) => address, groupPx)
  const opened = useRef<OpenedRows>(new Map())
  const going = useMemo(() => new Set(sent === undefined ? [] : addressesOf(sent.commands)), [sent])
  const along = [...going].filter((address) => left.has(address))
  const isOpen = plan.commands.length <= openUpTo
  const blocks = useMemo(() => changesIn(plan), [plan])
  const toggle = (address: string) => {
    const next = new Set(left)
    if (!next.delete(address)) next.add(address)
    choose(next)
  }
  return (
    <>
      <div class="bar">
        <button type="button" class="small" onClick={() => choose(new Set())}>
          All
        </button>
        <button type="button" class="small" onClick={() => choose(new Set(groups.map(([address]) => address)))}>
          None
        </button>
        <p role="status">
          {sent === undefined
            ? `${isAsked ? '…' : 'An unknown number'} of ${count(plan.commands.length, 'command')} would be sent`
            : `${thousands(sent.commands.length)} of ${count(plan.commands.length, 'command')} would be sent`}
          {along.length > 0 && `; along with the chosen ones: ${names(along.map(visible), 3)}`}
        </p>
      </div>
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
                  isOpen={isOpen}
                  opened={opened.current}
                />
              ))}
            </GroupView>
          )
        })}
      </ol>
    </>
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

import type { ComponentChildren } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { Command, Plan } from '../../../core/index.ts'
import { type Block, count, names, reportOfPlan, thousands, visible } from '../../../core/pages/render/draw.ts'
import { useGradual } from '../parts/use-gradual.ts'
import { useViews } from '../parts/use-views.ts'
import { CommandView } from './command-view.tsx'
import { addressesOf } from './selection.ts'

/** So few are open from the start. */
const openUpTo = 10

interface ChooserProps {
  readonly plan: Plan
  /** Addresses that are not chosen. */
  readonly left: ReadonlySet<string>
  /** What would be sent; absent while that is asked for, and where it cannot be asked for. */
  readonly sent: Plan | undefined
  readonly isAsked: boolean
  readonly choose: (left: ReadonlySet<string>) => void
}

type CommandGroup = readonly [address: string, commands: readonly Command[]]

const changesIn = (plan: Plan): ReadonlyMap<string, Block> => {
  const changes = reportOfPlan(plan, { each: true }).sections.filter(({ kind }) => kind === 'changes')
  return new Map(changes.flatMap(({ blocks }) => blocks.map((block) => [block.address, block] as const)))
}

/** Commands in the order in which they are sent, by resource: a resource is chosen as a whole. */
export const Chooser = ({ plan, left, sent, isAsked, choose }: ChooserProps) => {
  const groups = useMemo(() => [...Map.groupBy(plan.commands, ({ address }) => address)], [plan])
  const shown = useGradual(groups, plan.digests.commands, 50)
  const going = useMemo(() => new Set(sent === undefined ? [] : addressesOf(sent.commands)), [sent])
  const along = [...going].filter((address) => left.has(address))
  const isOpen = plan.commands.length <= openUpTo
  const blocks = useMemo(() => changesIn(plan), [plan])
  // An element that is kept for long toggles what is chosen now.
  const toggle = useRef<(address: string) => void>(() => {})
  toggle.current = (address) => {
    const next = new Set(left)
    if (!next.delete(address)) next.add(address)
    choose(next)
  }
  const stateOf = ([address]: CommandGroup) => `${left.has(address) ? 'left' : 'chosen'} ${going.has(address)}`
  const views = useViews(shown, stateOf, ([address, commands]) => (
    <GroupView
      key={address}
      address={address}
      isChosen={!left.has(address)}
      comesAlong={left.has(address) && going.has(address)}
      toggle={() => toggle.current(address)}
    >
      {commands.map((command) => (
        <CommandView key={command.id} command={command} block={blocks.get(address)} isOpen={isOpen} />
      ))}
    </GroupView>
  ))
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
      <ol class="chooser">{views}</ol>
    </>
  )
}

interface GroupViewProps {
  readonly address: string
  readonly isChosen: boolean
  /** A chosen one needs it. */
  readonly comesAlong: boolean
  readonly toggle: () => void
  readonly children: ComponentChildren
}

const GroupView = ({ address, isChosen, comesAlong, toggle, children }: GroupViewProps) => (
  <li class={isChosen || comesAlong ? '' : 'out'}>
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

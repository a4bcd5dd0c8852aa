import { pathText } from '../../../json/pointer.ts'
import { movedBesides } from '../../../plan/commands/own-writes.ts'
import { stillThere } from '../../../plan/commands/still-there.ts'
import { existence } from '../../../plan/words.ts'
import type { Left } from '../../../schema/stored/outcome.ts'
import type { Plan } from '../../../schema/stored/plan.ts'
import { defined } from '../../../values/defined.ts'
import type { Session } from '../../session/open-session.ts'
import { schemaOf, writesOf } from './judge-resource.ts'

interface Undone {
  readonly left: readonly Left[]
  /** What is as the plan of the undo shows it, and not as configured. */
  readonly asBefore: ReadonlySet<string>
}

/**
 * What an undo is about is measured by its plan, and not by the configuration, which may still say what the undone apply has
 * applied. `found`: where a new read differs from the configuration.
 */
export const judgeUndone = (
  approved: Plan,
  touched: ReadonlySet<string>,
  found: readonly Left[],
  now: Pick<Session, 'resources'>,
): Undone => {
  const unread = new Set(found.flatMap(({ address, kind }) => (kind === 'unchecked' ? [address] : [])))
  const differing = [...touched].flatMap((address): readonly Left[] => {
    const paths = unread.has(address) ? undefined : differsAt(address, approved, now)
    return paths === undefined ? [] : [{ address, kind: 'differs', touched: true, ...paths }]
  })
  const open = new Set([...unread, ...differing.map(({ address }) => address)])
  const others = found.filter(({ address, kind }) => kind === 'unchecked' || !touched.has(address))
  const back = found.flatMap(({ address }) => (touched.has(address) && !open.has(address) ? [address] : []))
  return { left: [...differing, ...others], asBefore: new Set(back) }
}

const differsAt = (
  address: string,
  { changes, commands }: Plan,
  { resources }: Pick<Session, 'resources'>,
): Pick<Left, 'paths' | 'detail'> | undefined => {
  const change = changes.find((each) => each.address === address)
  const one = resources.get(address)
  // What neither the configuration nor a record has is not read any more.
  if (change === undefined || one === undefined) return undefined
  const now = one.planned.before ?? null
  if (change.after === null || now === null) {
    if (change.after === now) return undefined
    return { paths: [], ...defined({ detail: existence[change.after === null ? 'delete' : 'create'] }) }
  }
  const schema = schemaOf(one)
  const writes = writesOf(
    schema,
    commands.filter((each) => each.address === address),
    change.after,
  )
  // What is brought back is all of what was deleted, and not only what a create can send.
  const other = movedBesides(schema, change.before ?? change.after, writes, now)
  const moved =
    change.before === null
      ? other
      : [...other, ...stillThere(schema, { before: change.before, after: change.after }, now)]
  return moved.length === 0 ? undefined : { paths: [...new Set(moved.map(pathText))] }
}

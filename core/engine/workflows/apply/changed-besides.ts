import { pathText } from '../../json/pointer.ts'
import { movedBesides } from '../../plan/commands/own-writes.ts'
import type { Address } from '../../schema/resource.ts'
import type { Plan } from '../../schema/stored/plan.ts'
import type { Session } from '../session/open-session.ts'
import { schemaOf, writesOf } from './undo/judge-resource.ts'

/**
 * What a new read shows otherwise than the approved plan saw it, although no command was about it, by resource. A server may
 * reset what a request does not have; who else wrote in between cannot be told from that.
 */
export const changedBesides = (
  { changes, commands }: Plan,
  done: ReadonlySet<string>,
  { resources }: Pick<Session, 'resources'>,
): ReadonlyMap<Address, readonly string[]> => {
  const sent = Map.groupBy(
    commands.filter(({ id }) => done.has(id)),
    ({ address }) => address,
  )
  return new Map(
    changes.flatMap(({ address, action, before, after }) => {
      const [own, one] = [sent.get(address), resources.get(address)]
      const now = one?.planned.before
      if (own === undefined || !one || !now || action !== 'update' || before === null || after === null) return []
      const schema = schemaOf(one)
      const writes = writesOf(schema, own, after)
      // A key or a reference that differs has the new name of another object, which the same apply may have renamed.
      const isOurs = (name: string): boolean => {
        const { identity, refersTo } = schema.attributes[name] ?? {}
        return writes.whole.has(name) || writes.elements.has(name) || identity === true || refersTo !== undefined
      }
      const isUnread = (name: string): boolean => one.planned.unread?.includes(name) === true
      const paths = movedBesides(schema, before, writes, now).filter(
        ([name]) => !isOurs(String(name)) && !isUnread(String(name)),
      )
      return paths.length === 0 ? [] : [[address, [...new Set(paths.map(pathText))].toSorted()] as const]
    }),
  )
}

import type { Path } from '../../../schema/json.ts'
import type { Problem } from '../../provider.ts'
import { allEntries } from '../document/attributes.ts'
import { isKept, type RestResource } from '../document/document.ts'
import { problem } from '../document/problem.ts'
import { toldIds } from '../document/server-ids.ts'
import { variablesOf } from '../document/template.ts'
import type { IdPlace } from '../document/words.ts'

/** Path variables that only a write gives: `{el.id}` where an element is written alone, `{desired.zone}` in a change. */
export const isGivenByWrite = (resource: RestResource, operation: string, [first, second]: Path): boolean => {
  if (['el', 'key', 'changed', 'position', 'to'].includes(String(first)))
    return elementOperations(resource).has(operation)
  if (first !== 'desired' && first !== 'before') return false
  return Object.hasOwn(allEntries(resource), String(second)) && changeOperations(resource).has(operation)
}

const elementOperations = ({ parts }: RestResource): ReadonlySet<string | undefined> =>
  new Set(
    parts.flatMap(({ collection }) =>
      collection?.write !== undefined && 'each' in collection.write ? Object.values(collection.write.each) : [],
    ),
  )

const changeOperations = ({ parts, actions = {} }: RestResource): ReadonlySet<string | undefined> =>
  new Set([
    ...parts.flatMap(({ write }) => [write?.op, write?.create, write?.remove]),
    ...Object.values(actions).map(({ op }) => op),
  ])

/** Ids that only a header tells: somebody must tell them, and nothing may depend on a list that shows them. */
export const checkToldIds = (resource: RestResource): readonly Problem[] => [
  ...toldIds(resource).flatMap((id) => checkTold(resource, id)),
  ...checkPaths(resource.serverId, ['serverId']),
  ...Object.entries(resource.operations).flatMap(([name, { produces }]) =>
    checkPaths(produces, ['operations', name, 'produces']),
  ),
]

const checkTold = (resource: RestResource, id: string): readonly Problem[] => {
  const { identity, lookup, operations } = resource
  const at: Path = ['serverId', id]
  const isLed = 'list' in lookup && lookup.follow !== undefined && lookup.ids?.[id] === undefined
  const create = isKept(resource) ? undefined : operations['create']
  const isAnswered = 'retrieve' in lookup || create === undefined || create.produces?.[id] !== undefined
  return [
    ...(identity.ids === 'stable'
      ? []
      : [problem(at, `no read compares ${id}, and another object may get it`, 'use it with stable ids only')]),
    ...(isLed ? [problem(at, `no item of the list tells ${id}`, 'say where items have it: lookup.ids')] : []),
    ...(isAnswered
      ? []
      : [problem(at, `nothing tells ${id} of what is created`, `add ${id} to produces of the create`)]),
  ]
}

const checkPaths = (places: Readonly<Record<string, IdPlace>> = {}, at: Path): readonly Problem[] =>
  Object.entries(places).flatMap(([id, place]) => {
    if (typeof place === 'string' || place.path === undefined) return []
    const segments = place.path.split('/').slice(1)
    const isOne = segments.filter((each) => each === `{${id}}`).length === 1 && variablesOf(place.path).length === 1
    return isOne && !segments.includes('')
      ? []
      : [problem([...at, id, 'path'], `it is not clear which segment is ${id}`, `write one of them as {${id}}`)]
  })

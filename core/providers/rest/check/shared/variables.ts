import type { JsonObject, Path } from '../../../../engine/schema/json.ts'
import { present } from '../../../../engine/values/defined.ts'
import { pick } from '../../../../engine/values/members.ts'
import { allEntries } from '../../document/attributes.ts'
import { type RestDocument, type RestResource, readOp } from '../../document/document.ts'
import { callOf } from '../../document/lifecycle.ts'
import type { WaiterEntry } from '../../document/operation/wait.ts'
import { choiceMark, choicesIn, variablesOf } from '../../document/shared/template.ts'
import { type Findings, problem } from './problem.ts'

const ofElements = ['key', 'el', 'changed', 'position', 'to']

/** Path variables that only a write gives: `{el.id}` where an element is written alone, `{desired.zone}` in a change. */
export const isGivenByWrite = (
  { parts, actions = {}, lifecycle, ...resource }: RestResource,
  operation: string,
  [first = '', second = '']: readonly string[],
): boolean => {
  if (ofElements.includes(first)) {
    return parts.some(
      ({ collection: { write } = {} }) =>
        write !== undefined && 'each' in write && [...Object.values(write.each), write.instead?.op].includes(operation),
    )
  }
  if (first !== 'desired' && first !== 'before') return false
  const deleting = [...(lifecycle?.beforeDelete ?? []), ...(lifecycle?.delete?.instead ?? [])]
  const isDelete = first === 'before' && deleting.some((call) => callOf(call).op === operation)
  const isAsked = first === 'desired' && parts.some((part) => readOp(part) === operation)
  const isCalled =
    isAsked ||
    isDelete ||
    parts.some(({ write }) => [write?.op, write?.create, write?.remove].includes(operation)) ||
    Object.values(actions).some(({ op }) => op === operation) ||
    lifecycle?.create?.some(({ op }) => op === operation) === true
  return isCalled && Object.hasOwn(allEntries({ ...resource, parts }), second)
}

/** A path variable that the answer before a poll gives. */
export const isGivenByWait = (resource: RestResource, operation: string, variable: string): boolean =>
  waitersOf(resource).some(
    ({ waiter: { poll } }) =>
      typeof poll === 'object' && 'op' in poll && poll.op === operation && Object.hasOwn(poll.from ?? {}, variable),
  )

interface PlacedWaiter {
  readonly waiter: WaiterEntry
  readonly path: Path
}

export const waitersOf = ({ wait, operations }: RestResource): readonly PlacedWaiter[] =>
  [
    { wait, path: ['wait'] },
    ...Object.entries(operations).map(([name, operation]) => ({
      wait: operation.wait,
      path: ['operations', name, 'wait'],
    })),
  ].flatMap(({ wait: held, path }): PlacedWaiter[] => {
    if (held === undefined || held === 'none') return []
    return Array.isArray(held)
      ? held.map((waiter, index) => ({ waiter, path: [...path, index] }))
      : [{ waiter: held, path }]
  })

/** A name in a template must be able to have a value: otherwise a part of a body or a query would be left out silently. */
export const checkTemplates = ({ provider }: RestDocument, resource: RestResource): Findings => {
  const attributes = Object.keys(allEntries(resource))
  const alone = new Set([
    ...[...ofElements, 'fields', 'changes', 'upserts', 'removes', 'all'],
    ...[...attributes, ...Object.keys(resource.serverId ?? {}), ...Object.keys(provider.params ?? {})],
    ...present(resource.audit !== undefined && 'after'),
    ...waitersOf(resource).flatMap(({ waiter: { poll } }) =>
      typeof poll === 'object' && 'from' in poll ? Object.keys(poll.from ?? {}) : [],
    ),
  ])
  // Where the document says who the caller is, an attribute of that name is none of `{me.id}`.
  if (provider.me !== undefined) alone.delete('me')
  const inside: Readonly<Record<string, readonly string[]>> = {
    with: Object.keys(provider.with ?? {}),
    ...(provider.me && { me: Object.keys(provider.me.as) }),
    desired: attributes,
    before: attributes,
    refs: attributes,
  }
  return templatesOf(resource).map(({ path, template }) => [
    variablesOf(template)
      .filter(([first, second]) => !alone.has(String(first)) && !inside[String(first)]?.includes(String(second)))
      .map((variable) => problem(path, 'noValue', variable.join('.'))),
    choicesIn(template).map((choice) => checkChoice(provider, choice, path)),
  ])
}

/** A choice has a member for each value of a setting, and no other. */
const checkChoice = ({ with: given = {} }: RestDocument['provider'], choice: JsonObject, path: Path): Findings => {
  const { [choiceMark]: by = null, ...members } = choice
  const names = Object.keys(members)
  const [[first, name = '', ...rest] = []] = variablesOf(by)
  const values = first === 'with' && rest.length === 0 ? given[String(name)]?.values : undefined
  const isWhole = by === `{with.${name}}` && values?.length === names.length
  return isWhole && values.every((value) => names.includes(String(value)))
    ? []
    : [problem(path, 'noChoice', String(by), names)]
}

/** What holds templates, and where it is. */
type Holder = readonly [path: Path, holder: object | undefined]

const templateKeys = ['query', 'body', 'upsert', 'remove', 'ignore', 'where', 'whereNot']

const templatesOf = ({ operations, parts, actions = {}, lookup, discover, audit }: RestResource) => {
  const each = (members: object, ...path: Path): readonly Holder[] =>
    Object.entries(members).map(([name, member]) => [[...path, name], member])
  const holders: readonly Holder[] = [
    ...each(operations, 'operations'),
    ...each('list' in lookup ? { list: lookup.list } : {}, 'lookup'),
    [['lookup'], lookup],
    [['discover'], discover],
    [['audit', 'list'], audit?.list],
    ...each(actions, 'actions'),
    ...parts.flatMap(({ attributes = {}, write, collection }, index): readonly Holder[] => [
      ...each(attributes, 'parts', index, 'attributes'),
      ...each({ write, collection }, 'parts', index),
      [['parts', index, 'collection', 'write'], collection?.write],
    ]),
  ]
  return holders.flatMap(([path, holder = {}]) =>
    Object.entries(pick(holder as JsonObject, templateKeys)).map(([key, template]) => ({
      path: [...path, key],
      template,
    })),
  )
}

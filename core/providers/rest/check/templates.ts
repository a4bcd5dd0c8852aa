import type { Json, Path } from '../../../schema/json.ts'
import type { Problem } from '../../provider.ts'
import { allEntries } from '../document/attributes.ts'
import type { RestDocument, RestResource } from '../document/document.ts'
import { problem } from '../document/problem.ts'
import { variablesOf } from '../document/template.ts'

/** What has no value is left out of a body or a query in silence, so that a name must be one that can have a value. */
export const checkTemplates = ({ provider }: RestDocument, resource: RestResource): readonly Problem[] => {
  const attributes = Object.keys(allEntries(resource))
  const alone = new Set([
    ...['fields', 'changes', 'upserts', 'removes', 'all', 'el'],
    ...[...attributes, ...Object.keys(resource.serverId ?? {}), ...Object.keys(provider.params ?? {})],
    ...waitedFor(resource),
  ])
  const inside: Readonly<Record<string, ReadonlySet<string>>> = {
    with: new Set(Object.keys(provider.with ?? {})),
    desired: new Set(attributes),
    before: new Set(attributes),
    refs: new Set(attributes),
  }
  const isKnown = ([first, second]: Path): boolean =>
    alone.has(String(first)) ||
    ['key', 'changed', 'position', 'to'].includes(String(first)) ||
    inside[String(first)]?.has(String(second)) === true
  return templatesOf(resource).flatMap(({ at, template }) =>
    variablesOf(template)
      .filter((variable) => !isKnown(variable))
      .map((variable) =>
        problem(
          at,
          `nothing gives {${variable.join('.')}} a value`,
          'use an attribute, a serverId, a name of provider.params or provider.with; "{{" is a brace',
        ),
      ),
  )
}

/** Names that the waiters of a resource take from answers. */
const waitedFor = ({ wait, operations }: RestResource): readonly string[] =>
  [wait, ...Object.values(operations).map((operation) => operation.wait)]
    .flat()
    .flatMap((waiter) =>
      typeof waiter === 'object' && typeof waiter.poll === 'object' && 'from' in waiter.poll
        ? Object.keys(waiter.poll.from ?? {})
        : [],
    )

const templatesOf = (resource: RestResource): readonly { readonly at: Path; readonly template: Json }[] => {
  const { operations, parts, actions = {}, lookup, discover } = resource
  const found: readonly (readonly [Path, Json | undefined])[] = [
    ...Object.entries(operations).flatMap(([name, { body, query }]): [Path, Json | undefined][] => [
      [['operations', name, 'body'], body],
      [['operations', name, 'query'], query],
    ]),
    [['lookup', 'list', 'query'], 'list' in lookup ? lookup.list.query : undefined],
    [['discover', 'query'], discover?.query],
    ...Object.entries(actions).map(([name, { body }]): [Path, Json | undefined] => [['actions', name, 'body'], body]),
    ...parts.flatMap(({ attributes = {} }, index) =>
      Object.entries(attributes).map(([name, { ignore }]): [Path, Json | undefined] => [
        ['parts', index, 'attributes', name, 'ignore'],
        ignore,
      ]),
    ),
    ...parts.flatMap(({ write, collection }, index): [Path, Json | undefined][] => {
      const whole = collection?.write
      const own = whole !== undefined && 'body' in whole ? whole : undefined
      const at = (key: string): Path => ['parts', index, 'collection', 'write', key]
      return [
        [['parts', index, 'write', 'body'], write?.body],
        [['parts', index, 'collection', 'ignore'], collection?.ignore],
        [at('body'), own?.body],
        [at('upsert'), own?.upsert],
        [at('remove'), own?.remove],
      ]
    }),
  ]
  return found.flatMap(([at, template]) => (template === undefined ? [] : [{ at, template }]))
}

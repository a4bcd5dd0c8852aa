import type { Path } from '../../../schema/json.ts'
import type { Problem } from '../../provider.ts'
import { allEntries } from '../document/attributes.ts'
import { deleteOf, isKept, type RestResource } from '../document/document.ts'
import { problem } from '../document/problem.ts'
import { checkWrite } from './operation.ts'

/** What the life of a resource needs: a create, and a delete unless deletes are prevented. */
export const checkLife = (resource: RestResource): readonly Problem[] => [
  ...checkKeys(resource),
  ...(isKept(resource) ? checkKept(resource) : checkMade(resource)),
]

const checkKeys = ({ identity, lifecycle }: RestResource): readonly Problem[] =>
  identity.keys.length === 0 && lifecycle?.single !== true
    ? [
        problem(
          ['identity'],
          'nothing tells one object from another',
          'add identity.keys, or say lifecycle.single: true',
        ),
      ]
    : []

const checkMade = (resource: RestResource): readonly Problem[] => {
  const { operations, lifecycle } = resource
  const path: Path = ['operations']
  const remove = deleteOf(resource)
  const canDelete = operations[remove] !== undefined
  const { gone } = lifecycle?.delete ?? {}
  return [
    ...(operations['create'] === undefined
      ? [problem(path, 'there is no operation "create"', 'declare it')]
      : checkWrite(resource, 'create', [...path, 'create'])),
    ...(canDelete ? checkWrite(resource, remove, [...path, remove]) : []),
    ...(!canDelete && lifecycle?.preventDelete !== true
      ? [problem(path, `there is no operation "${remove}"`, 'declare it, or set lifecycle.preventDelete: true')]
      : []),
    ...(!canDelete && lifecycle?.onImmutable === 'replace'
      ? [
          problem(
            ['lifecycle', 'onImmutable'],
            `a replacement needs an operation "${remove}"`,
            'declare it, or report instead',
          ),
        ]
      : []),
    ...(gone !== undefined && Object.keys(gone.where).length === 0
      ? [problem(['lifecycle', 'delete', 'gone'], 'every object would count as gone', 'say which values mean it')]
      : []),
    ...checkRevive(resource),
    ...(lifecycle?.beforeDelete ?? []).flatMap((op, index) =>
      checkWrite(resource, op, ['lifecycle', 'beforeDelete', index]),
    ),
  ]
}

const checkRevive = (resource: RestResource): readonly Problem[] => {
  const { revive, adopt, delete: remove } = resource.lifecycle ?? {}
  if (revive === undefined) return []
  return [
    ...checkWrite(resource, revive, ['lifecycle', 'revive']),
    ...(remove?.gone === undefined
      ? [problem(['lifecycle', 'revive'], 'nothing says which objects are archived', 'say it: lifecycle.delete.gone')]
      : []),
    ...(adopt === false
      ? [
          problem(
            ['lifecycle', 'revive'],
            'what was archived is no more recorded by anybody, and with adopt: false nothing else is taken over',
            'remove one of the two',
          ),
        ]
      : []),
  ]
}

const neverUsed = ['delete', 'beforeDelete', 'revive', 'adopt', 'replace'] as const

/** Settings that are always there, and objects that are only referred to. */
const checkKept = (resource: RestResource): readonly Problem[] => {
  const { lifecycle = {}, parts, identity } = resource
  const what = lifecycle.single === true ? 'settings are' : 'what is only referred to is'
  const settable = Object.entries(allEntries(resource)).filter(
    ([name, { computed }]) => !computed && !identity.keys.includes(name),
  )
  return [
    ...neverUsed
      .filter((key) => lifecycle[key] !== undefined)
      .map((key) => problem(['lifecycle', key], `${what} never created and never deleted`, 'remove it')),
    ...(lifecycle.onImmutable === 'replace'
      ? [problem(['lifecycle', 'onImmutable'], `${what} never replaced`, 'report instead')]
      : []),
    ...(lifecycle.mode !== 'reference' ? [] : parts)
      .filter(({ write }) => write !== undefined)
      .map((part) => problem(['parts', parts.indexOf(part), 'write'], `${what} never written`, 'remove it')),
    ...(lifecycle.mode !== 'reference' ? [] : settable).map(([name]) =>
      problem(['parts'], `"${name}" could differ, and ${what} never written`, 'say computed: true'),
    ),
  ]
}

import type { Path } from '../../../schema/json.ts'
import type { Problem } from '../../provider.ts'
import type { BodyRuleEntry } from '../document/answers.ts'
import type { RestResource } from '../document/document.ts'
import { isRead } from '../document/operation.ts'
import { problem } from '../document/problem.ts'

/** Where a read names an operation. */
export const checkRead = (resource: RestResource, op: string, path: Path): readonly Problem[] => {
  const operation = resource.operations[op]
  if (operation === undefined) return [problem(path, `there is no operation "${op}"`, 'declare it under operations')]
  if (isRead(operation)) return []
  return [problem(path, `the operation "${op}" may write`, 'use a GET, or say effect: read where the API only reads')]
}

/** Where a write names one. */
export const checkWrite = (resource: RestResource, op: string, path: Path): readonly Problem[] => {
  const operation = resource.operations[op]
  if (operation === undefined) return [problem(path, `there is no operation "${op}"`, 'declare it under operations')]
  return isRead(operation) ? [problem(path, `the operation "${op}" only reads`, 'name one that writes')] : []
}

/** A rule that asks nothing holds of every answer. */
export const checkRule = ({ exists, is, not }: BodyRuleEntry, path: Path): readonly Problem[] =>
  exists === undefined && is === undefined && not === undefined
    ? [problem(path, 'the rule says nothing about the value', 'add exists, is or not')]
    : []

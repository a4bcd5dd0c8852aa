import type { Call } from './calls.ts'

/* Policies as IAM judges them, as far as those of the stack go: whatever else they hold is an error here, never a permission. */

export interface Statement {
  readonly Effect: 'Allow' | 'Deny'
  readonly Action: string | readonly string[]
  readonly Resource: string | readonly string[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>
}

/** `*` matches any text, `?` one character. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html */
const isLike = (pattern: string, text: string): boolean => {
  const [first = '', ...rest] = pattern.split('*').map((part) => part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${[first, ...rest].join('.*').replaceAll('?', '.')}$`, 's').test(text)
}

const listed = (value: string | readonly string[]): readonly string[] => [value].flat()
const someLike = (patterns: string | readonly string[], text: string): boolean =>
  listed(patterns).some((pattern) => isLike(pattern, text))

/** A condition on all values holds where a request has none; so a scan passes it, and only the list of actions forbids that. */
const holds = ({ Condition = {} }: Statement, call: Call): boolean =>
  Object.entries(Condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, patterns]) => {
      if (operator !== 'ForAllValues:StringLike' || key !== 'dynamodb:LeadingKeys')
        throw new Error(`the judge does not know the condition ${operator} of ${key}`)
      return (call.leadingKeys ?? []).every((value) => someLike(patterns, value))
    }),
  )

const matches = (statement: Statement, call: Call): boolean =>
  someLike(statement.Action, call.action) && someLike(statement.Resource, call.resource) && holds(statement, call)

/** The statements that allow a call; none where another one denies it. */
export const allowing = (statements: readonly Statement[], call: Call): readonly Statement[] => {
  const matching = statements.filter((statement) => matches(statement, call))
  return matching.some(({ Effect }) => Effect === 'Deny') ? [] : matching
}

/** A right in its smallest parts: an action on a resource, on one pattern of partitions. */
export const rightsOf = (statement: Statement): readonly string[] =>
  listed(statement.Action).flatMap((action) => {
    const keys = statement.Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']
    return keys === undefined ? [action] : listed(keys).map((key) => `${action} ${key}`)
  })

/** The right that a call uses, in the same words. */
export const usedBy = (statement: Statement, call: Call): readonly string[] =>
  rightsOf({ ...statement, Action: listed(statement.Action).filter((action) => isLike(action, call.action)) }).filter(
    (right) => {
      const [, key] = right.split(' ')
      return key === undefined || (call.leadingKeys ?? []).some((value) => isLike(key, value))
    },
  )

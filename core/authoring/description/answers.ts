import type { Answer, DescribedOperation, Schema } from './description.ts'

/** Responses to a success; `default` where the description has none. `statuses`: only these. */
export const successesOf = ({ answers }: DescribedOperation, statuses?: readonly number[]): readonly Answer[] => {
  const isWanted = ({ status }: Answer): boolean =>
    status.startsWith('2') &&
    (statuses === undefined || statuses.some((one) => status === String(one) || status === '2XX'))
  const own = answers.filter(isWanted)
  return own.length > 0 ? own : answers.filter(({ status }) => status === 'default')
}

/** The schema of a success in JSON: the lowest status first. */
export const answerOf = (operation: DescribedOperation, statuses?: readonly number[]): Schema | undefined =>
  successesOf(operation, statuses)
    .toSorted((left, right) => (left.status < right.status ? -1 : 1))
    .find(({ content }) => content?.isJson && content.schema !== undefined)?.content?.schema

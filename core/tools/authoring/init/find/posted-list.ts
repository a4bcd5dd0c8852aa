import { plainWord } from '../../../../engine/values/texts/name-words.ts'
import type { DescribedOperation, DescribedPath, Schema } from '../../description/description.ts'
import { withoutSlash } from '../../description/find-operation.ts'
import { answerOf, schemaAt } from '../../description/look-into.ts'
import { envelopeOf, itemsPath } from './envelope.ts'

/** Last steps of a path that name a question, the surest first. */
const questionWords = ['filter', 'search', 'query', 'list']

/** What is listed: the path above the objects, the words for one of them, and the answers that show one. */
interface ListedObjects {
  readonly above: string
  readonly words: readonly string[]
  readonly shown: readonly (Schema | undefined)[]
}

/**
 * A list that is asked for by POST, with filters in the body: `POST /variables/filter`. Its name says that it only reads, and its
 * answer is a list of the same schema as one object; what needs a filter is no list of all.
 */
export const postedList = (
  paths: Iterable<DescribedPath>,
  { above, words, shown }: ListedObjects,
): { readonly path: string; readonly operation: DescribedOperation } | undefined => {
  const [object] = shown.flatMap((one) => schemaAt(one, envelopeOf(one, words)) ?? [])
  const found = [...paths].flatMap(({ path, operations }) => {
    const bare = withoutSlash(path)
    const operation = operations.get('POST')
    const rank = questionWords.indexOf(plainWord(bare.slice(above.length + 1)))
    const isThere = bare.startsWith(`${above}/`) && rank >= 0
    if (!isThere || operation === undefined || needsFilter(operation)) return []
    const answer = answerOf(operation)
    const item = schemaAt(answer, itemsPath(answer, words) ?? [])?.items()
    return isAlike(item, object) ? [{ path, operation, rank }] : []
  })
  const [first] = found.toSorted((left, right) => left.rank - right.rank)
  return first && { path: first.path, operation: first.operation }
}

/** Schemas without a name are the same only if they are one. */
const isAlike = (item: Schema | undefined, object: Schema | undefined): boolean =>
  item !== undefined &&
  object !== undefined &&
  (item.pointer === object.pointer || (item.name !== undefined && item.name === object.name))

const needsFilter = ({ body }: DescribedOperation): boolean => {
  if (body === undefined) return false
  const { schema } = body
  if (!body.isJson || schema === undefined) return true
  return [...schema.required].some((name) => schema.properties().get(name)?.default === undefined)
}

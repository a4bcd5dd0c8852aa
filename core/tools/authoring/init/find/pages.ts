import { isObject, type Json } from '../../../../engine/schema/json.ts'
import { plainWord, wordList } from '../../../../engine/values/texts/name-words.ts'
import type { DescribedOperation, Parameter, Schema } from '../../description/description.ts'
import { answerOf, isScalar } from '../../description/look-into.ts'
import { questions } from '../words.ts'
import { placeText } from './names.ts'

export interface Pages {
  /** Absent where the list seems to come in pages, and nothing says how they are asked for. */
  readonly pagination?: Json
  readonly comments: readonly string[]
}

const words = (text: string): ReadonlySet<string> => new Set(wordList(text))

const parameters = {
  page: words('page pagenumber pageno pageindex currentpage p'),
  size: words('perpage pagesize limit size count maxresults pagelimit top first max itemsperpage'),
  offset: words('offset skip start startindex startat from'),
  cursor: words(
    'cursor after pagetoken startingafter continue marker nexttoken next pagecursor continuationtoken startafter',
  ),
}

const members = {
  total: words('total totalcount totalitems totalresults totalrecords totalsize count'),
  pages: words('totalpages pagecount pages lastpage numpages pagestotal'),
  more: words('hasmore hasmoreitems hasnext hasnextpage more moreavailable istruncated truncated incompleteresults'),
  next: words(
    'nextcursor nextpagetoken nexttoken next cursor continue nextmarker endcursor continuationtoken nextpage',
  ),
}

type PageParameter = Pick<Parameter, 'name' | 'schema'>

export const guessPages = (operation: DescribedOperation): Pages => {
  const inQuery = operation.parameters.filter((one) => one.in === 'query')
  const inBody = operation.method === 'POST' ? [...(operation.body?.schema?.properties() ?? [])] : []
  const found = guessBy(operation, inQuery, {})
  return isOnePage(found) && inBody.length > 0
    ? guessBy(
        operation,
        inBody.map(([name, schema]) => ({ name, schema })),
        { in: 'body' },
      )
    : found
}

const isOnePage = ({ pagination, comments }: Pages): boolean =>
  pagination === undefined || (isObject(pagination) && pagination['style'] === 'none' && comments.length === 0)

/** `place`: where the parameters are, if not in the query. */
const guessBy = (
  operation: DescribedOperation,
  asked: readonly PageParameter[],
  place: { readonly in?: 'body' },
): Pages => {
  const parameter = (names: ReadonlySet<string>) => asked.find((one) => names.has(plainWord(one.name)))
  const [page, size] = [parameter(parameters.page), parameter(parameters.size)]
  const [offset, cursor] = [parameter(parameters.offset), parameter(parameters.cursor)]
  const answer = answerOf(operation)
  const comments = size === undefined ? [] : [questions.pageSize(size.name)]
  const isLinked = operation.answers.some(({ status, headers }) => /^2/.test(status) && headers.includes('link'))
  if (isLinked) return { pagination: { style: 'link' }, comments }
  if (page !== undefined) {
    const first = page.schema.default === 0 ? { first: 0 } : {}
    const counted = { style: 'page', ...place, param: page.name, ...first, ...memberNamed('pages', answer) }
    return { pagination: counted, comments }
  }
  if (offset !== undefined)
    return { pagination: { style: 'offset', ...place, param: offset.name, ...memberNamed('total', answer) }, comments }
  const next = memberNamed('next', answer)
  if (cursor !== undefined && 'next' in next)
    return { pagination: { style: 'cursor', ...place, param: cursor.name, ...next }, comments }
  if (cursor !== undefined) return { comments: [questions.cursor(cursor.name)] }
  const sign = signOf(operation, answer) ?? size?.name
  return sign === undefined ? { pagination: { style: 'none' }, comments: [] } : { comments: [questions.pages(sign)] }
}

const signHeader = /^(x-)?([a-z-]+-)?(total(-count|-pages)?|next-(page|cursor|token)|continuation(-token)?)$/

/** What an answer has only where it may be a part of the list. */
const signOf = ({ answers }: DescribedOperation, answer: Schema | undefined): string | undefined => {
  const shown = (['total', 'pages', 'next', 'more'] as const).flatMap((key) => Object.values(memberNamed(key, answer)))
  const headers = answers.filter(({ status }) => /^2/.test(status)).flatMap((each) => each.headers)
  return [...shown, ...headers.filter((name) => signHeader.test(name))][0]
}

export const totalPlace = (answer: Schema | undefined): string | undefined => memberNamed('total', answer)['total']

/** Finds a scalar with such a name, at the top of a response or one level below. */
const memberNamed = (key: keyof typeof members, answer: Schema | undefined): { readonly [key: string]: string } => {
  const top = [...(answer?.properties() ?? [])].map(([name, schema]) => ({ path: [name], schema }))
  const below = top.flatMap(({ path, schema }) =>
    [...schema.properties()].map(([name, inner]) => ({ path: [...path, name], schema: inner })),
  )
  const found = [...top, ...below].find(
    ({ path, schema }) => members[key].has(plainWord(path.at(-1) ?? '')) && (key === 'more' || isScalar(schema)),
  )
  return found === undefined ? {} : { [key]: placeText(found.path) }
}

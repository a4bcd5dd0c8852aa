import type { Json } from '../../../schema/json.ts'
import { toPointer } from '../../../schema/json.ts'
import type { DescribedOperation, Parameter, Schema } from '../../description/description.ts'
import { plainWord } from './names.ts'
import { answered } from './resources.ts'

export interface Pages {
  readonly pagination: Json
  readonly comments: readonly string[]
}

const pageWords = new Set(['page', 'pagenumber', 'pageno', 'pageindex', 'currentpage', 'p'])
const sizeWords = new Set(
  'perpage pagesize limit size count maxresults pagelimit top first max itemsperpage'.split(' '),
)
const offsetWords = new Set(['offset', 'skip', 'start', 'startindex', 'startat', 'from'])
const cursorWords = new Set(
  'cursor after pagetoken startingafter continue marker nexttoken next pagecursor continuationtoken startafter'.split(
    ' ',
  ),
)
const totalWords = new Set(['total', 'totalcount', 'totalitems', 'totalresults', 'totalrecords', 'totalsize', 'count'])
const pagesWords = new Set(['totalpages', 'pagecount', 'pages', 'lastpage', 'numpages', 'pagestotal'])
const nextWords = new Set(
  'nextcursor nextpagetoken nexttoken next cursor continue nextmarker endcursor continuationtoken nextpage'.split(' '),
)

/** How a list comes in pages, as far as its query parameters and its answer tell. */
export const guessPages = (operation: DescribedOperation): Pages => {
  const query = operation.parameters.filter((one) => one.in === 'query')
  const of = (words: ReadonlySet<string>) => query.find(({ name }) => words.has(plainWord(name)))
  const [page, size, offset, cursor] = [of(pageWords), of(sizeWords), of(offsetWords), of(cursorWords)]
  const larger = size === undefined ? [] : [`decide: \`size: { param: ${size.name}, value: ... }\` for larger pages`]
  const answer = answered({ path: '', operation })
  if (operation.answers.some(({ status, headers }) => /^2/.test(status) && headers.includes('link'))) {
    return { pagination: { style: 'link' }, comments: larger }
  }
  if (page !== undefined) {
    const first = page.schema.default === 0 ? { first: 0 } : {}
    return {
      pagination: { style: 'page', param: page.name, ...first, ...spot('pages', answer, pagesWords) },
      comments: larger,
    }
  }
  if (offset !== undefined) {
    return {
      pagination: { style: 'offset', param: offset.name, ...spot('total', answer, totalWords) },
      comments: larger,
    }
  }
  return cursor === undefined ? { pagination: { style: 'none' }, comments: [] } : cursorPages(cursor, answer, larger)
}

const cursorPages = (cursor: Parameter, answer: Schema | undefined, comments: readonly string[]): Pages => {
  const next = spot('next', answer, nextWords)
  if ('next' in next) return { pagination: { style: 'cursor', param: cursor.name, ...next }, comments }
  const doubt = `decide: the list takes "${cursor.name}" and may come in parts (style: cursor); what it leaves out seems absent`
  return { pagination: { style: 'none' }, comments: [doubt] }
}

/** Where the answer of a list tells how many items there are. */
export const totalPlace = (answer: Schema | undefined): string | undefined => spot('total', answer, totalWords)['total']

/** The place of a scalar with such a name, at the top of an answer or one level below. */
const spot = (
  key: string,
  answer: Schema | undefined,
  words: ReadonlySet<string>,
): { readonly [key: string]: string } => {
  const top = [...(answer?.properties() ?? [])]
  const below = top.flatMap(([name, inner]) =>
    [...inner.properties()].map(([member, one]) => [[name, member], one] as const),
  )
  const all = [...top.map(([name, one]) => [[name], one] as const), ...below]
  const found = all.find(([path, one]) => words.has(plainWord(path.at(-1) ?? '')) && isScalar(one))
  if (found === undefined) return {}
  const [path] = found
  return { [key]: path.some((name) => name.includes('.')) ? toPointer(path) : path.join('.') }
}

const isScalar = ({ types }: Schema): boolean =>
  types.length > 0 && types.every((type) => type === 'string' || type === 'integer' || type === 'number')

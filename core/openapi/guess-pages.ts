import type { Json } from '../schema/json.ts'
import type { DescribedOperation } from './description.ts'
import { plainWord } from './words.ts'

export interface Pages {
  readonly pagination: Json
  readonly comments: readonly string[]
}

const pageWords = new Set(['page', 'pagenumber', 'pageno', 'pageindex', 'currentpage', 'p'])
const sizeWords = new Set([
  'perpage',
  'pagesize',
  'limit',
  'size',
  'count',
  'maxresults',
  'pagelimit',
  'top',
  'first',
  'max',
  'itemsperpage',
])
const offsetWords = new Set(['offset', 'skip', 'start', 'startindex', 'startat', 'from'])
const cursorWords = new Set([
  'cursor',
  'after',
  'pagetoken',
  'startingafter',
  'continue',
  'marker',
  'nexttoken',
  'next',
  'pagecursor',
  'continuationtoken',
  'startafter',
])

/** How a list comes in pages, as far as its query parameters tell. */
export const guessPages = ({ parameters, answers }: DescribedOperation): Pages => {
  const query = parameters.filter((one) => one.in === 'query')
  const of = (words: ReadonlySet<string>) => query.find(({ name }) => words.has(plainWord(name)))
  const [page, size, offset, cursor] = [of(pageWords), of(sizeWords), of(offsetWords), of(cursorWords)]
  const larger = size === undefined ? [] : [`decide: \`query: { ${size.name}: ... }\` for larger pages`]
  if (answers.some(({ status, headers }) => /^2/.test(status) && headers.includes('link'))) {
    return { pagination: { style: 'link' }, comments: larger }
  }
  if (page !== undefined) {
    const first = page.schema.default === 0 ? { first: 0 } : {}
    return { pagination: { style: 'page', param: page.name, ...first }, comments: larger }
  }
  const other = cursor ?? offset
  const comments =
    other === undefined
      ? []
      : [`decide: the list takes "${other.name}", so it may come in parts; a list that is not whole hides objects`]
  return { pagination: { style: 'none' }, comments }
}

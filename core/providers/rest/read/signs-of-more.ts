import { valueAt } from '../../../engine/json/pointer.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import { plainWord } from '../../../engine/values/texts/name-words.ts'
import { shorten } from '../../../engine/values/texts/shorten.ts'
import { parseLinks } from './link-header.ts'
import type { Page } from './pages.ts'
import { signs } from './words.ts'

/*
 * Signs that an answer is not the whole list, by which APIs say it, whatever a document describes. Nobody may conclude from such an
 * answer that what it lacks does not exist.
 */

/** Members that hold the way to the next page: a URL, a token, a number. */
const nextWords = new Set([
  ...['next', 'nexturl', 'nextlink', 'nexthref', 'nextpage', 'nextpageurl', 'nextpagetoken', 'nextcursor', 'nexttoken'],
  ...[
    'nextmarker',
    'nextoffset',
    'odatanextlink',
    'continuationtoken',
    'cursornext',
    'nextstartkey',
    'lastevaluatedkey',
  ],
])
/** Members that are true where more is to come. */
const moreWords = new Set([
  'hasmore',
  'hasnext',
  'hasnextpage',
  'more',
  'moreavailable',
  'istruncated',
  'truncated',
  'incompleteresults',
])
const totalWords = new Set([
  'total',
  'totalcount',
  'totalitems',
  'totalresults',
  'totalelements',
  'totalsize',
  'count',
  'odatacount',
])
const limitWords = new Set([
  'limit',
  'perpage',
  'pagesize',
  'itemsperpage',
  'pagelimit',
  'maxitems',
  'maxresults',
  'maxpagesize',
])
const totalHeaders = [
  'x-total-count',
  'x-total',
  'x-result-count',
  'x-pagination-total',
  'total-count',
  'pagination-count',
]
/** Members of an answer that describe its pages. */
const aroundWords = new Set([
  ...[
    'meta',
    'metadata',
    'pagination',
    'paging',
    'page',
    'pages',
    'pageinfo',
    'links',
    'resultinfo',
    'responsemetadata',
    'cursor',
  ],
])

const pageWords = new Set(['totalpages', 'pagecount', 'lastpage', 'numpages', 'pages'])

export interface Sign {
  /** As people find it in the answer. */
  readonly text: string
  /** It says it outright. A number could count something else: a document that describes the pages decides. */
  readonly isSure: boolean
}

/**
 * `place`: where the answer has the list. `isInObject`: the list is a part of an object, whose own members may have such names.
 */
export const signOfMore = (page: Page, place: Path, isInObject: boolean): Sign | undefined =>
  signInHeaders(page) ?? signInBody(page, place, isInObject)

const signInHeaders = ({ response: { headers }, collected }: Page): Sign | undefined => {
  const links = parseLinks(headers['link'] ?? '') ?? []
  if (links.some(({ relations, anchor }) => relations.includes('next') && anchor === undefined))
    return { text: signs.linked, isSure: true }
  const [, all = ''] = /^(?!bytes)\S+\s+\d+-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  if (Number(all) > collected) return { text: signs.header('Content-Range', all), isSure: true }
  const counted = totalHeaders.find((name) => /^\d+$/.test(headers[name] ?? '') && Number(headers[name]) > collected)
  return counted === undefined ? undefined : { text: signs.header(counted, headers[counted] ?? ''), isSure: false }
}

/** Looks at what stands beside the list and around it, never into its items. */
const signInBody = (page: Page, place: Path, isInObject: boolean): Sign | undefined => {
  const around = place.map((_, depth) => place.slice(0, depth)).toReversed()
  for (const path of around) {
    const object = valueAt(page.response.body, path)
    if (!isObject(object)) continue
    const beside = Object.keys(object).filter((name) => aroundWords.has(plainWord(name)))
    for (const inner of isInObject ? beside.map((name) => [name]) : [[], ...beside.map((name) => [name])]) {
      const each = valueAt(object, inner)
      const found = isObject(each) ? signIn(each, [...path, ...inner], page) : undefined
      if (found !== undefined) return found
    }
  }
  return undefined
}

const signIn = (object: JsonObject, path: Path, page: Page): Sign | undefined => {
  // `@odata.nextLink`, `next_page_token` and `nextPageToken` are one word each.
  const members = Object.entries(object).map(([name, value]) => ({ name, word: plainWord(name), value }))
  const sign = (isSure: boolean, found: (typeof members)[number] | undefined): Sign | undefined =>
    found && { text: `"${[...path, found.name].join('.')}" ${textOf(found.value)}`, isSure }
  const numbers = (words: ReadonlySet<string>) =>
    members.filter(({ word, value }) => words.has(word) && typeof value === 'number')
  const totals = numbers(totalWords)
  const limits = totals.length > 0 || page.items.length === 0 ? [] : numbers(limitWords)
  // Some name a next page even at the end, and say in a word that there is none.
  const isOver = members.some(({ word, value }) => moreWords.has(word) && value === false)
  const found = [
    sign(true, isOver ? undefined : members.find(({ word, value }) => nextWords.has(word) && leadsOn(value))),
    sign(
      true,
      members.find(({ word, value }) => moreWords.has(word) && value === true),
    ),
    sign(
      false,
      totals.find(({ value }) => Number(value) > page.collected),
    ),
    sign(
      false,
      numbers(pageWords).find(({ value }) => Number(value) > page.number),
    ),
    sign(false, isOver ? undefined : limits.find(({ value }) => value === page.items.length)),
  ]
  return found.find((each) => each !== undefined)
}

const shownLength = 80
const textOf = (value: Json): string => shorten(JSON.stringify(value), shownLength)

const leadsOn = (value: Json): boolean => {
  if (typeof value === 'string') return value !== ''
  if (typeof value === 'number') return value > 0
  return isObject(value) && typeof value['href'] === 'string' && value['href'] !== ''
}

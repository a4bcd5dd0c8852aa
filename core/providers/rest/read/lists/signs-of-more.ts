import { toPointer, valueAt } from '../../../../engine/json/pointer.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../../../engine/schema/json.ts'
import { plainWord } from '../../../../engine/values/texts/name-words.ts'
import { shorten } from '../../../../engine/values/texts/shorten.ts'
import { described, signs } from '../shared/words.ts'
import { parseLinks } from './link-header.ts'
import type { Page } from './pages.ts'

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
  /** What a document may write under `pagination`, with words in angle brackets for what no answer shows. */
  readonly pages: string
}

/**
 * `place`: where the answer has the list. `isInObject`: the list is a part of an object, whose own members may have such names.
 */
export const signOfMore = (page: Page, place: Path, isInObject: boolean): Sign | undefined =>
  signInHeaders(page) ?? signInBody(page, place, isInObject)

const signInHeaders = ({ response: { headers }, collected }: Page): Sign | undefined => {
  const links = parseLinks(headers['link'] ?? '') ?? []
  if (links.some(({ relations, anchor }) => relations.includes('next') && anchor === undefined))
    return { text: signs.linked, isSure: true, pages: described.linked }
  const [, all = ''] = /^(?!bytes)\S+\s+\d+-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  if (Number(all) > collected)
    return { text: signs.header('Content-Range', all), isSure: true, pages: described.counted() }
  const counted = totalHeaders.find((name) => /^\d+$/.test(headers[name] ?? '') && Number(headers[name]) > collected)
  if (counted === undefined) return undefined
  const pages = described.counted(`total: { header: ${counted} }`)
  return { text: signs.header(counted, headers[counted] ?? ''), isSure: false, pages }
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
  const sign = (
    isSure: boolean,
    found: (typeof members)[number] | undefined,
    pages: (place: string, value: Json) => string,
  ): Sign | undefined =>
    found && {
      text: `"${[...path, found.name].join('.')}" ${textOf(found.value)}`,
      isSure,
      pages: pages(placeText([...path, found.name]), found.value),
    }
  const numbers = (words: ReadonlySet<string>) =>
    members.filter(({ word, value }) => words.has(word) && typeof value === 'number')
  const totals = numbers(totalWords)
  const limits = totals.length > 0 || page.items.length === 0 ? [] : numbers(limitWords)
  // Some name a next page even at the end, and say in a word that there is none.
  const isOver = members.some(({ word, value }) => moreWords.has(word) && value === false)
  const next = members.find(({ word, value }) => nextWords.has(word) && leadsOn(value))
  const more = members.find(({ word, value }) => moreWords.has(word) && value === true)
  const total = totals.find(({ value }) => Number(value) > page.collected)
  const count = numbers(pageWords).find(({ value }) => Number(value) > page.number)
  const full = limits.find(({ value }) => value === page.items.length)
  const found = [
    sign(true, isOver ? undefined : next, described.next),
    sign(true, more, described.more),
    sign(false, total, (place) => described.counted(`total: ${place}`)),
    sign(false, count, (place) => described.counted(`pages: ${place}`)),
    sign(false, isOver ? undefined : full, () => described.counted()),
  ]
  return found.find((each) => each !== undefined)
}

/** As a document writes it: a pointer where a name has a dot, in quotes where YAML needs them. */
const placeText = (path: Path): string => {
  const names = path.map(String)
  const text = names.some((name) => name.includes('.')) ? toPointer(path) : names.join('.')
  return /^[A-Za-z_][\w.-]*$/.test(text) ? text : JSON.stringify(text)
}

const shownLength = 80
const textOf = (value: Json): string => shorten(JSON.stringify(value), shownLength)

const leadsOn = (value: Json): boolean => {
  if (typeof value === 'string') return value !== ''
  if (typeof value === 'number') return value > 0
  return isObject(value) && typeof value['href'] === 'string' && value['href'] !== ''
}

import { toPointer, valueAt } from '../../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../../engine/schema/json.ts'
import { plainWord } from '../../../../engine/values/texts/name-words.ts'
import { shorten } from '../../../../engine/values/texts/shorten.ts'
import type { Pagination } from '../../document/operation/pages.ts'
import { pathOf } from '../../document/shared/template.ts'
import { described, listFaults, signs } from '../shared/words.ts'
import { parseLinks } from './link-header.ts'
import type { Page } from './pages.ts'
import {
  aroundWords,
  askedWords,
  countWords,
  cursorWords,
  doneWords,
  lastWords,
  limitHeaders,
  limitWords,
  moreWords,
  nextHeaders,
  nextWords,
  pageHeaders,
  pageWords,
  restWords,
  totalHeaders,
  totalWords,
} from './sign-words.ts'

/*
 * Signs that an answer is not the whole list, by which APIs say it, whatever a document describes. Nobody may conclude from such an
 * answer that what it lacks does not exist.
 */

interface Sign {
  /** As people find it in the answer. */
  readonly text: string
  /** Where the body has it. */
  readonly at?: Path
  /**
   * `said`: the answer says it outright. `total`: a number of all items, larger than what came. `number`: what could mean
   * something else.
   */
  readonly grade: 'said' | 'total' | 'number'
  /** What a document may write under `pagination`, with words in angle brackets for what no answer shows. */
  readonly pages: string
}

interface EndedList {
  /** Where the answer has the list. */
  readonly place: Path
  /** The list is a part of an object, whose own members may have such names. */
  readonly isInObject: boolean
  readonly pagination: Pagination
  readonly isDescribed: boolean
}

/** What is wrong with a list that ends with this page, although the answer says that more is to come. */
export const faultBySigns = (page: Page, { place, isInObject, pagination, isDescribed }: EndedList) => {
  const said = signsOfMore(page, place, isInObject).filter((sign) => !isDecided(pagination, sign))
  if (!isDescribed) return said[0] && faultOf(said[0])
  const sign = said.find(({ grade }) => grade === 'said' || (grade === 'total' && mayCount(pagination)))
  return sign && (sign.grade === 'said' ? faultOf(sign) : listFaults.endsBefore(sign.text))
}

const faultOf = ({ text, grade, pages, at }: Sign): string => {
  if (grade !== 'said') return listFaults.mayGoOn(text, pages)
  return at === undefined ? listFaults.goesOn(text, pages) : listFaults.sounds(text, pages, String(at.at(-1)))
}

/** A document that says what a total counts, or that this is all, is believed. */
const mayCount = (pagination: Pagination): boolean => pagination.style !== 'none' && pagination.total === undefined

/** A cursor that is left over is no sign: the document says what it means, as it does of other members. */
const isDecided = (pagination: Pagination, { at }: Sign): boolean => {
  if (at !== undefined && pagination.despite?.includes(String(at.at(-1)))) return true
  if (pagination.style !== 'cursor' || at === undefined) return false
  if (pagination.more !== undefined) return true
  const own = typeof pagination.next === 'string' ? pathOf(pagination.next).join('.') : undefined
  return own !== undefined && (`${at.join('.')}.`.startsWith(`${own}.`) || `${own}.`.startsWith(`${at.join('.')}.`))
}

/** All signs, those that say it outright first. */
const signsOfMore = (page: Page, place: Path, isInObject: boolean): readonly Sign[] => {
  const found = [...signsInHeaders(page), ...signsInBody(page, place, isInObject), ...signsInRequest(page)]
  return grades.flatMap((grade) => found.filter((sign) => sign.grade === grade))
}

const grades = ['said', 'total', 'number'] as const

const signsInHeaders = ({ response: { headers }, items, collected, number }: Page): readonly Sign[] => {
  const links = parseLinks(headers['link'] ?? '') ?? []
  const isLinked = links.some(({ relations, anchor }) => relations.includes('next') && anchor === undefined)
  const [, all = ''] = /^(?!bytes)\S+\s+\d+-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
  const over = (grade: Sign['grade'], names: readonly string[], isOver: (value: number) => boolean, end = '') =>
    names.flatMap((name): readonly Sign[] => {
      const text = headers[name] ?? ''
      if (!/^\d+$/.test(text) || !isOver(Number(text))) return []
      return [{ text: signs.header(name, text), grade, pages: described.counted(end && `${end}: { header: ${name} }`) }]
    })
  return [
    ...(isLinked ? [{ text: signs.linked, grade: 'said' as const, pages: described.linked }] : []),
    ...nextHeaders.flatMap((name): readonly Sign[] =>
      (headers[name] ?? '') === ''
        ? []
        : [{ text: signs.headerNext(name), grade: 'said', pages: described.nextHeader(name) }],
    ),
    ...(Number(all) > collected
      ? [{ text: signs.header('Content-Range', all), grade: 'said' as const, pages: described.counted() }]
      : []),
    // A part of what nobody counted, or all of it.
    ...(all === '*'
      ? [{ text: signs.header('Content-Range', '*'), grade: 'number' as const, pages: described.counted() }]
      : []),
    ...over('total', totalHeaders, (value) => value > collected, 'total'),
    ...over('number', pageHeaders, (value) => value > number, 'pages'),
    ...over('number', limitHeaders, (value) => items.length > 0 && value === items.length),
  ]
}

/** A list that is as long as the request allows may have been cut there. */
const signsInRequest = ({ request, items, number }: Page): readonly Sign[] => {
  if (items.length === 0 || number > 1) return []
  const [, query = ''] = request.url.split('?')
  return [...new URLSearchParams(query)].flatMap(([name, value]): readonly Sign[] =>
    askedWords.has(plainWord(name)) && value === String(items.length)
      ? [{ text: signs.asked(name, value), grade: 'number', pages: described.counted() }]
      : [],
  )
}

/** Looks at what stands beside the list and around it, never into its items. */
const signsInBody = (page: Page, place: Path, isInObject: boolean): readonly Sign[] => {
  const around = place.map((_, depth) => place.slice(0, depth)).toReversed()
  return around.flatMap((path) => {
    const object = valueAt(page.response.body, path)
    if (!isObject(object)) return []
    return [...(isInObject ? [] : signsIn(object, path, page)), ...signsBeside(object, path, page)]
  })
}

/** In the members that describe pages, at any depth. */
const signsBeside = (object: JsonObject, path: Path, page: Page): readonly Sign[] =>
  Object.entries(object).flatMap(([name, inner]) => {
    if (!aroundWords.has(plainWord(name))) return []
    const at = [...path, name]
    if (isArray(inner)) return linksIn(inner, at)
    return isObject(inner) ? [...signsIn(inner, at, page), ...signsBeside(inner, at, page)] : []
  })

/** Links as a list of objects with a relation each. */
const linksIn = (links: readonly Json[], path: Path): readonly Sign[] =>
  links.flatMap((link, index): readonly Sign[] => {
    if (!isObject(link) || link['rel'] !== 'next' || !leadsOn(link)) return []
    const at = [...path, index, 'href']
    return [
      { ...signAt(at, link['href'] ?? ''), grade: 'said', pages: described.next(placeText(at), link['href'] ?? '') },
    ]
  })

const signsIn = (object: JsonObject, path: Path, page: Page): readonly Sign[] => {
  const members = Object.entries(object).map(([name, value]) => ({ at: [...path, name], word: plainWord(name), value }))
  type Fits = (value: Json) => boolean
  const find = (
    grade: Sign['grade'],
    words: ReadonlySet<string>,
    fits: Fits,
    pages: (at: string, value: Json) => string,
  ) =>
    members
      .filter(({ word, value }) => words.has(word) && fits(value))
      .map(({ at, value }): Sign => ({ ...signAt(at, value), grade, pages: pages(placeText(at), value) }))
  const has = (words: ReadonlySet<string>, fits: Fits) =>
    members.some(({ word, value }) => words.has(word) && fits(value))
  const over =
    (limit: number): Fits =>
    (value) =>
      numberOf(value) > limit
  // Some name a next page even at the end, and say in a word that there is none.
  const isOver = has(moreWords, (value) => value === false) || has(lastWords, (value) => value === true)
  const isCounted = has(totalWords, over(-1)) || has(countWords, over(-1))
  const isFull: Fits = (value) => page.items.length > 0 && numberOf(value) === page.items.length
  return [
    ...(isOver ? [] : find('said', nextWords, leadsOn, described.next)),
    ...find('said', moreWords, (value) => value === true, described.more),
    ...find(
      'said',
      lastWords,
      (value) => value === false,
      () => described.counted(),
    ),
    ...find('total', restWords, over(0), () => described.counted()),
    ...find('total', totalWords, over(page.collected), (at) => described.counted(`total: ${at}`)),
    ...find('number', countWords, over(page.collected), (at) => described.counted(`total: ${at}`)),
    ...find('number', pageWords, over(page.number), (at) => described.counted(`pages: ${at}`)),
    ...find(
      'number',
      doneWords,
      (value) => value === false,
      () => described.counted(),
    ),
    ...(isOver || isCounted ? [] : find('number', cursorWords, leadsOn, described.next)),
    ...(isOver || isCounted ? [] : find('number', limitWords, isFull, () => described.counted())),
  ]
}

/** Some write numbers as text. */
const numberOf = (value: Json): number => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : Number.NaN
}

const signAt = (at: Path, value: Json): Pick<Sign, 'text' | 'at'> => ({
  text: `"${at.join('.')}" ${textOf(value)}`,
  at,
})

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

/* How APIs name what says that a list goes on. `plainWord` makes one word of `@odata.nextLink`, `next_page_token` and `nextPageToken`. */

/** Members that hold the way to the next page: a URL, a token, a number. */
export const nextWords = new Set([
  'next',
  'nexturl',
  'nextlink',
  'nexthref',
  'nextpage',
  'nextpageurl',
  'nextpagetoken',
  'nextcursor',
  'nexttoken',
  'nextmarker',
  'nextoffset',
  'nextrecordsurl',
  'odatanextlink',
  'continuationtoken',
  'continue',
  'cursornext',
  'nextstartkey',
  'lastevaluatedkey',
])

/** The place of this page, or of the next one: its name does not tell. */
export const cursorWords = new Set(['cursor', 'pagetoken', 'marker', 'bookmark', 'scrollid'])

/** Members that are true where more is to come. */
export const moreWords = new Set([
  'hasmore',
  'hasmoreitems',
  'hasmoreresults',
  'hasnext',
  'hasnextpage',
  'more',
  'moreavailable',
  'moreresults',
  'istruncated',
  'truncated',
  'incompleteresults',
  'partial',
  'ispartial',
  'incomplete',
])

/** Members that are false where more is to come. */
export const lastWords = new Set(['last', 'islast', 'islastpage', 'lastpage', 'endoflist'])

/** The same, where something else could be meant. */
export const doneWords = new Set(['done', 'complete', 'iscomplete', 'finished'])

export const totalWords = new Set([
  'total',
  'totalcount',
  'totalitems',
  'totalresults',
  'totalelements',
  'totalsize',
  'totalrecords',
  'totalrows',
  'totalhits',
  'odatacount',
  'recordcount',
])

/** More than none of these are left. */
export const restWords = new Set(['remaining', 'remainingitemcount', 'remainingcount', 'remainingitems'])

/** A number of items, of which one cannot tell whether all are meant. */
export const countWords = new Set(['count'])

export const limitWords = new Set([
  'limit',
  'perpage',
  'pagesize',
  'itemsperpage',
  'pagelimit',
  'maxitems',
  'maxresults',
  'maxpagesize',
])

/** Parameters of a request by which it asks for no more than so many items. */
export const askedWords = new Set([...limitWords, 'top', 'first', 'take', 'rows', 'size', 'count', 'num'])

export const pageWords = new Set(['totalpages', 'pagecount', 'lastpage', 'numpages', 'pages', 'pagestotal'])

/** Members of an answer that describe its pages. */
export const aroundWords = new Set([
  'meta',
  'metadata',
  'listmeta',
  'pagination',
  'paging',
  'paginator',
  'page',
  'pages',
  'pageinfo',
  'pageable',
  'links',
  'resultinfo',
  'responsemetadata',
  'cursor',
  'cursors',
  'info',
  'navigation',
  'range',
])

export const nextHeaders = ['x-next-page', 'x-next-cursor', 'x-next-token', 'x-continuation-token', 'x-ms-continuation']

export const totalHeaders = [
  ...['x-total-count', 'x-total', 'x-result-count', 'x-pagination-total', 'x-pagination-total-count', 'total-count'],
  ...['pagination-count', 'x-wp-total'],
]

export const pageHeaders = ['x-total-pages', 'x-pagination-page-count', 'x-wp-totalpages', 'x-page-count']

export const limitHeaders = ['x-per-page', 'x-page-size', 'x-limit', 'x-pagination-limit']

import * as z from 'zod'
import { AppError } from '#core'
import { type Answer, route } from '../route/route.ts'

/** Names carry a hash of the content, so what was fetched once is never asked for again. */
const forever = 'public, max-age=31536000, immutable'

const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' } as const
const fileName = /^[\w-]{1,80}\.(js|css|svg)$/

export const getPageRoute = route({
  id: 'getPage',
  method: 'GET',
  path: '/',
  scope: null,
  summary: 'Get the web page',
  description: 'For a browser. It uses this API, as everybody does, after its reader has signed in.',
  // The issuer sends people back to it, with a code.
  query: z.looseObject({}),
  answers: { 200: { description: 'The page.', content: { 'text/html': 'One document.' } } },
  errors: ['ROUTE_NOT_FOUND'],
  offers: ['text/html'],
  handle: async ({ page, signIn }): Promise<Answer> => {
    const body = await page?.('index.html')
    if (body === undefined) throw new AppError('ROUTE_NOT_FOUND', { method: 'GET', path: '/' })
    const { pageHeaders } = await import('./page-headers.ts')
    return { status: 200, mediaType: 'text/html', headers: pageHeaders(signIn), body }
  },
})

export const getAssetRoute = route({
  id: 'getAsset',
  method: 'GET',
  path: '/assets/{name}',
  scope: null,
  summary: 'Get a file of the web page',
  params: z.strictObject({ name: z.string().regex(fileName).meta({ description: 'Name of a file.' }) }),
  answers: {
    200: {
      description: 'The file.',
      content: { 'text/javascript': 'A script.', 'text/css': 'A style sheet.', 'image/svg+xml': 'A picture.' },
    },
  },
  errors: ['ROUTE_NOT_FOUND'],
  offers: Object.values(types),
  handle: async ({ params: { name }, page }): Promise<Answer> => {
    const body = await page?.(name)
    if (body === undefined) throw new AppError('ROUTE_NOT_FOUND', { method: 'GET', path: `/assets/${name}` })
    const ending = name.slice(name.lastIndexOf('.') + 1) as keyof typeof types
    return { status: 200, mediaType: types[ending], headers: { 'cache-control': forever }, body }
  },
})

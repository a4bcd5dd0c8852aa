import type { Form } from '../../binding/other-workspace.ts'
import { digestOfText } from '../../json/digest.ts'
import type { ResourceType } from '../../provider/provider.ts'
import type { PlaceAmong } from '../../provider/references.ts'
import type { Alike } from '../../schema/stored/holdings.ts'
import { defined } from '../../values/defined.ts'
import { siteAt, type UrlSite } from '../../values/url.ts'
import type { BoundResource } from './plan/observation.ts'

/** Enough of a digest that two objects of one server never share it by chance. */
const digestLength = 16
const shortened = (text: string): string => digestOfText(text).slice('sha256:'.length).slice(0, digestLength)
export const allShortened = (texts: Iterable<string>): readonly string[] =>
  [...new Set([...texts].map(shortened))].sort()

export const urlAt = ({ server, path }: UrlSite): string => `${server}${path}`

type PlaceOfMany = Omit<PlaceAmong, 'url'> & { readonly site: UrlSite }

/** The places of many in which an object was recorded and seen. */
export const placesOf = ({ refs }: BoundResource, type: ResourceType, forms: readonly Form[]): readonly PlaceOfMany[] =>
  forms.flatMap(({ attributes, ids }) =>
    (type.among?.({ attributes, ...defined({ ids, refs }) }) ?? []).flatMap(({ url, ...rest }) => {
      const site = siteAt(url)
      return site === undefined ? [] : [{ ...rest, site }]
    }),
  )

/** A name is spelled as the URL would be that has it, because other documents may have it there. */
export const alikeIn = (places: readonly PlaceOfMany[]): Alike => {
  const texts = places.flatMap(({ site, ids, keys }) => {
    const single = [...Object.values(ids), ...(keys.length === 1 ? keys : [])]
    const several = keys.length > 1 ? [`${urlAt(site)} ${JSON.stringify([...keys].sort())}`] : []
    return [...single.map((name) => urlAt(below(site, name))), ...several]
  })
  const ids = places.flatMap(({ site, ids: own }) =>
    Object.entries(own).map(([name, value]) => [shortened(JSON.stringify([urlAt(site), name])), value] as const),
  )
  const byName = Map.groupBy(ids, ([name]) => name)
  return {
    texts: allShortened(texts),
    ids: Object.fromEntries([...byName].map(([name, all]) => [name, allShortened(all.map(([, value]) => value))])),
  }
}

const below = ({ server, path }: UrlSite, name: string): UrlSite => ({
  server,
  path: `${path}/${encodeURIComponent(name)}`,
})

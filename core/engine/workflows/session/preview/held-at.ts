import { unclear } from '../../../binding/words.ts'
import { defined, present } from '../../../values/defined.ts'
import { urlParts } from '../../../values/url.ts'
import type { HeldAt } from '../plan/build-commands.ts'
import type { BoundResource } from '../plan/observation.ts'
import type { Base } from './base.ts'

/** Removes the query and a final slash, which distinguish no objects. */
const plain = (url: string): string => url.replace(/[?#].*$/s, '').replace(/\/+$/, '')

const urlsOf = ({
  type,
  desired,
  desiredAttributes,
  recorded,
  observed: { result },
  refs,
}: BoundResource): readonly string[] => {
  if (type?.siteOf === undefined || type.identity?.isShared) return []
  const configured = desiredAttributes ?? desired?.attributes
  const forms = [
    configured && { attributes: configured, refs, ids: recorded?.ids },
    recorded,
    result.kind === 'present' ? { attributes: result.attributes, refs, ids: result.ids } : undefined,
  ]
  return forms.flatMap((form) => {
    if (form === undefined) return []
    const { attributes, refs: known, ids } = form
    const { urls = [], deleted } = type.siteOf?.({ attributes, ...defined({ refs: known, ids }) }) ?? {}
    return [...urls, ...present(deleted)]
  })
}

/**
 * Finds whether a URL is that of an object of the base, or of something in such an object. Only the part of the URL
 * before its first unknown value is compared.
 */
export const heldAt = (base: Base, read: readonly BoundResource[]): HeldAt => {
  const owners = new Map(read.flatMap((each) => urlsOf(each).map((url) => [plain(url), each.address] as const)))
  return ({ url, socket = '' }) => {
    const [known] = urlParts(url)
    const path = typeof known === 'string' ? plain(known) : ''
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const owner = owners.get(`${socket} ${path.slice(0, end)}`)
      if (owner !== undefined) return unclear.heldAt(base.name, owner, path)
    }
    return undefined
  }
}

import type { Command, PlannedRequest } from '../../../schema/command.ts'
import { isObject, type Json, type JsonObject } from '../../../schema/json.ts'
import type { Address } from '../../../schema/resource.ts'
import { splitPlace } from '../../../values/addresses/address.ts'
import { defined, present } from '../../../values/defined.ts'
import { partsOf } from '../../../values/marks/marks.ts'
import { urlParts } from '../../../values/url.ts'
import type { ResourcePlan } from '../../session/plan/observation.ts'
import { fillValue } from '../approved/fill-known.ts'
import type { Claims } from './schedule.ts'

export interface Claimed {
  readonly resources: ReadonlyMap<Address, ResourcePlan>
  readonly commands: readonly Command[]
  /** The target of a resource. The types of one provider have the same target. */
  readonly targetOf: (address: Address) => string
}

/**
 * How a command touches a thing. Several commands may touch a thing at the same time in the same way, but not `alone`.
 */
type ClaimKind = 'alone' | 'using' | 'within' | 'moving' | 'keeping' | 'deleting'

/**
 * The claims of each command. Nothing else decides them. Two commands never run at the same time if
 *
 * - they are about one resource, or one names, needs or needed the resource of the other, even through unchanged ones;
 * - the URL of one is that of the other's object, or of something in it: a version or an answer may be about the whole;
 * - one of them finds its object in a list of several pages, and the other one writes where that list may be;
 * - one of them carries a version that any write to the target may change;
 * - one belongs to a resource that is only deleted, and the other one does not.
 */
export const claimsIn = ({ resources, commands, targetOf }: Claimed): ((command: Command) => Claims) => {
  const byAddress = Map.groupBy(commands, ({ address }) => address)
  const goes = (address: Address): boolean =>
    byAddress.get(address)?.every(({ action }) => action === 'delete') === true
  const isMade = (address: Address): boolean =>
    byAddress.get(address)?.some(({ action }) => action === 'create') === true
  const needs = nearestChanged(resources, (address) => byAddress.has(address))
  return (command) => {
    const { address, action, request, wait = [] } = command
    const one = resources.get(address)
    const claims = new Map<string, ClaimKind>()
    const claim = (thing: string, way: ClaimKind): void => {
      const known = claims.get(thing)
      claims.set(thing, known === undefined || known === way ? way : 'alone')
    }
    claim('order', goes(address) ? 'deleting' : 'keeping')
    for (const own of present(address, one?.previousAddress)) claim(`resource ${own}`, 'alone')
    const requests = [request, ...wait.map((waiter) => waiter.request)]
    const named = new Set([
      ...needs(address),
      ...requests.flatMap(namedIn),
      ...(one === undefined ? [] : readWith(one)),
    ])
    for (const other of named)
      if (other !== address && other !== one?.previousAddress) claim(`resource ${other}`, 'using')
    const sites = one === undefined ? [] : sitesOf(one)
    const url = urlText(request)
    // If the URL of a new object is unknown, its create may be about any object that has this URL.
    const isIntoList = action === 'create' && sites.length > 0 && !sites.includes(url)
    const objects = new Set(isIntoList ? sites : [...sites, url])
    for (const site of objects) claim(`url ${site}`, 'alone')
    for (const within of new Set([...(isIntoList ? [url] : []), ...[...objects, url].flatMap(above)])) {
      if (!objects.has(within)) claim(`url ${within}`, 'within')
    }
    if (one === undefined) return claims
    const { type, place } = one
    const lists = [`${place} ${type?.name}`, ...new Set([url, ...objects].flatMap((each) => [each, parentOf(each)]))]
    const way = readsPages(one, action, isMade(address)) ? 'alone' : 'moving'
    for (const list of lists) claim(`list ${list}`, way)
    claim(`target ${targetOf(address)}`, type?.contention?.version === undefined ? 'within' : 'alone')
    return claims
  }
}

/** Whether the read before or after a command looks for its object in a list of several pages. */
const readsPages = ({ type, target, observed }: ResourcePlan, action: Command['action'], isMade: boolean): boolean => {
  const { contention, identity, idNames = [] } = type ?? {}
  if (identity?.ids === 'position') return true
  if (contention?.pages === undefined) return false
  if (contention.pages === 'always' || action === 'create' || isMade) return true
  const ids = { ...target.ids, ...(observed.result.kind === 'present' ? observed.result.ids : undefined) }
  return !idNames.every((name) => Object.hasOwn(ids, name))
}

/** The nearest resources with commands that a resource needs or needed, found through resources without commands. */
const nearestChanged = (
  resources: ReadonlyMap<Address, ResourcePlan>,
  isChanged: (address: Address) => boolean,
): ((address: Address) => ReadonlySet<Address>) => {
  const needed = (address: Address): readonly Address[] => {
    const { desired, recorded } = resources.get(address) ?? {}
    return [...(desired?.dependsOn ?? []), ...(recorded?.dependsOn ?? [])]
  }
  return (address) => {
    const found = new Set<Address>()
    const seen = new Set(needed(address))
    for (const each of seen) {
      if (isChanged(each)) found.add(each)
      else for (const next of needed(each)) seen.add(next)
    }
    return found
  }
}

const namedIn = ({ url, body = null }: PlannedRequest): readonly Address[] => addressesIn([...urlParts(url), body])

const readWith = ({ target, refs = {} }: ResourcePlan): readonly Address[] =>
  addressesIn([target.attributes, target.refs ?? {}, refs])

const addressesIn = (value: Json): readonly Address[] =>
  partsOf(value).flatMap((part) => {
    if (!isObject(part)) return []
    const { $after, $ref, $live } = part
    const place = typeof $live === 'string' ? splitPlace($live)[0] : undefined
    return present($after, $ref, place).filter((each) => typeof each === 'string')
  })

/**
 * The URLs of the object of a resource, as it is and as desired. A value that is not known yet is replaced by a name.
 */
const sitesOf = ({ address, type, target, observed, desiredAttributes, refs }: ResourcePlan): readonly string[] => {
  if (type?.siteOf === undefined || type.identity?.isShared) return []
  const observedIds = observed.result.kind === 'present' ? observed.result.ids : undefined
  const open = Object.fromEntries((type.idNames ?? []).map((name) => [name, `{${address}}`]))
  const ids = { ...open, ...target.ids, ...observedIds }
  const forms = present(
    { attributes: target.attributes, refs: target.refs },
    desiredAttributes && { attributes: desiredAttributes, refs: refs ?? target.refs },
  )
  const sites = forms.flatMap((form) => {
    const site = type.siteOf?.({
      attributes: named(form.attributes),
      ids,
      ...defined({ refs: form.refs && named(form.refs) }),
    })
    return present(...(site?.urls ?? []), site?.deleted)
  })
  return [...new Set(sites.map(plain))]
}

const nameOf = ({ $after }: { readonly $after: Address }): string => `{${$after}}`

const named = (value: JsonObject): JsonObject => {
  const filled = fillValue(value, nameOf)
  return isObject(filled) ? filled : value
}

const urlText = ({ url, socket = '' }: PlannedRequest): string =>
  plain(
    `${socket} ${urlParts(url)
      .map((part) => (typeof part === 'string' ? part : nameOf(part)))
      .join('')}`,
  )

/**
 * One spelling for the URLs of one object: without the query, which distinguishes no objects here, in lower case and
 * decoded.
 */
const plain = (url: string): string => {
  const path = url.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  try {
    return decodeURIComponent(path).toLowerCase()
  } catch {
    return path.toLowerCase()
  }
}

const parentOf = (url: string): string => url.slice(0, Math.max(0, url.lastIndexOf('/')))

const above = (url: string): readonly string[] => {
  const parent = parentOf(url)
  return /:\/\/[^/]/.test(parent) ? [parent, ...above(parent)] : []
}

import type { Diagnostic } from '../../../schema/issue.ts'
import type { Position } from '../../../schema/resource.ts'
import type { IdleRule } from '../../../schema/stored/plan.ts'
import { uncoded as said } from '../../../values/diagnose.ts'
import { suggest } from '../../../values/texts/nearest-word.ts'
import { oneOf } from '../../../values/words.ts'

/* All sentences of loading, reading and planning a workspace, except the messages of error codes. */

export const reading = 'reading this workspace'

/** `dns_zone.main (line 5)`; with the file if it differs from that of the first resource. */
const placed = (
  { address, file, line }: Partial<Position> & { readonly address: string },
  index: number,
  circle: readonly Partial<Position>[],
): string => {
  if (line === undefined || index === circle.length - 1) return address
  return file === circle[0]?.file ? `${address} (line ${line})` : `${address} (${file}:${line})`
}

export const refusals = {
  /** The first address is also the last one. */
  circle: (circle: readonly (Partial<Position> & { readonly address: string })[]) =>
    said(
      `these resources wait for each other in a circle: ${circle.map(placed).join(' -> ')}`,
      'remove one of these references, or the dependsOn',
    ),
  unlistedRule: (address: string, type: string) =>
    said(`${address}: no list has all objects of the type ${type}`, 'declare its objects one by one'),
  unaskable: (address: string, type: string, needed: readonly string[]) =>
    said(
      `${address}: objects of the type ${type} cannot be asked for like this`,
      needed.length === 0
        ? 'name attributes of that type'
        : `name its ${needed.join(' and ')}, and other attributes that it has`,
    ),
  takenByRules: (address: string) =>
    said(`${address} would be the address of the objects that rules cover`, 'give it another name'),
  ofPackages: (alias: string) =>
    said(
      `provider ${alias} is no package, and has "integrity" or "baseUrls"`,
      'remove them: they belong to `source: npm:...`',
    ),
  noSource: (alias: string, source: string, known: readonly string[]) =>
    said(
      `provider ${alias} has an unknown source`,
      /\.(ya?ml|json)$/.test(source) ? `write source: rest, and definition: ${source}` : oneOf(known),
    ),
}

export const idleRules: Readonly<
  Record<IdleRule['why'], (rule: IdleRule, addresses: readonly string[]) => Required<Omit<Diagnostic, 'code'>>>
> = {
  expired: ({ expires = '' }) => ({
    ...said('this ignore rule is void: its day has come', 'remove it, or give it a later day'),
    value: expires,
  }),
  no_resource: ({ address }, addresses) => ({
    ...said('this ignore rule names no declared resource', suggest(address, addresses, 'remove it')),
    value: address,
  }),
  deleted: ({ address }) => ({
    ...said('this ignore rule covers no delete', 'add includeDeletes: true to keep the object, or remove the rule'),
    value: address,
  }),
  no_attribute: ({ path = '' }) => ({
    ...said(
      'this ignore rule names no attribute of the resources that it means',
      'write the path as the plan shows it, or remove the rule',
    ),
    value: path,
  }),
}

export const lacking = (provider: string, type: string, name: string) =>
  said(`provider "${provider}" has no attribute ${name} of ${type}: it is not checked`, 'nothing, or check it by hand')

export const unreachable = (provider: string, types: readonly (readonly [type: string, names: readonly string[]])[]) =>
  said(
    `the API of "${provider}" cannot read or write ${types.map(([type, names]) => `${names.join(', ')} of ${type}`).join('; ')}: not checked`,
    'nothing; look at them by hand',
  )

export const unknowns = {
  noType: (provider: string) =>
    `the configuration has no provider "${provider}" with this type any more; put it back to delete this`,
  otherPlace: (provider: string, from: string, to: string) =>
    `it was recorded at ${from}, and ${provider} leads to ${to} now: where the target is the same, write moved: [{ provider: ${provider}, from: "${from}", to: "${to}" }]; where it is another one, take the record out of the state (plumbline state rm ADDRESS; many at once: '*')`,
  madeAgain: (address: string) =>
    `${address} is another object than the recorded one, and so nothing is known of what was in it; nothing is sent there; it is checked again once ${address} is taken over: under import:, or under gone: where that has no id or is in another object itself`,
  lostParent:
    'what it was in does not exist any more, and its name leads to another one now; nothing is sent there; if that is meant, list this resource under gone:',
  noTypeYet: (provider: string, type: string) => `provider "${provider}" has no type ${type}`,
  noValue: (address: string) => `it refers to ${address}, of which that value is not known`,
  misfit: (attribute: string, problem: string) => `${attribute} refers to a value that does not fit: ${problem}`,
  repeatsSecret: (what: 'reference' | 'caller') =>
    `${what === 'caller' ? 'who the caller is' : 'what it refers to'} repeats a secret, which cannot be part of a request`,
  halfCharacter: (pointer: string) => `${pointer} contains half of a surrogate pair, which is not a character`,
  secretName: (place: SecretPlace) => `the target returns a secret as ${secretPlaces[place]}, which cannot be stored`,
}

const secretPlaces = { id: 'an id', version: 'a version', member: 'the name of a member' } as const

export type SecretPlace = keyof typeof secretPlaces

export const ruled = {
  notShown: (names: readonly string[]) =>
    `the list of all objects does not show ${names.join(', ')}, by which its rule chooses`,
  notListed: (names: readonly string[]) =>
    `which objects have ${names.join(', ')} as the rule says could not be listed completely`,
  noMore: 'no rule is about it any more',
}

export const unlisted = {
  noList: 'the provider does not describe how to list this type',
  noneDeclared: 'nothing of this type is declared',
  around: (parents: readonly string[]) =>
    `only what is beside the declared ones, within the same ${parents.join(' and ')}`,
  incomplete: (where: string) => `${where.replace(/\.$/, '')}, so what else exists is not known`,
}

export const staleValues = {
  noObject: 'it does not exist',
  object: 'it changed since the plan, at a place that no attribute shows',
  secret: 'it is not what it was when the command was planned',
}

export const noProvider = (alias: string): string => `no provider ${alias}`

export const leftOut = {
  now: ({ chosen, of, checks }: { readonly chosen: number; readonly of: number; readonly checks: number }) =>
    `${chosen.toLocaleString('en')} of ${of.toLocaleString('en')} resources are checked with the requests that are left; all within ${checks} checks`,
  before: 'the latest check had no requests left for it',
}

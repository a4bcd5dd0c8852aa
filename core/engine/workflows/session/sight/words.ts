import type { Vanished } from '../../../binding/vanished.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { parseAddress } from '../../../values/addresses/address.ts'
import { spellCaller } from '../../../values/spell-value.ts'
import { firstOf } from '../../../values/texts/shorten.ts'

const ofMany = (address: string): string =>
  `many at once: '${[parseAddress(address)?.type ?? [], '*'].flat().join('.')}'`

export const sightFaults = {
  blind: (alias: string, detail: string) => `${alias} does not show what it must show: ${detail}`,
  /** `where`: the alias of a provider, or a place in it. */
  vanished: (where: string, { gone, of }: Vanished) =>
    `${gone} of ${of} recorded objects of ${where} are gone at once, as they are where its credentials may not see them any more; list those that were deleted under gone:`,
  emptied: (places: readonly string[]) =>
    `${firstOf(places, 5)} lost all that was recorded in them at once, as places do where its credentials lost a role; list what was deleted under gone:`,
  inside: (parent: string) => `it is in ${parent}, which is not seen; list it under gone: if it was deleted`,
  otherCaller: (alias: string, then: JsonObject, now: JsonObject) =>
    `it was recorded as ${spellCaller(then)} sees it, and ${alias} is ${spellCaller(now)} now, who may not see it; check with the credentials of the former, or list it under gone: if it was deleted`,
  nameAlone: (alias: string, address: string, then: JsonObject, now: JsonObject | undefined) =>
    `it was recorded as ${spellCaller(then)} sees it, and ${now === undefined ? `who ${alias} is now is not known` : `${alias} is ${spellCaller(now)} now`}, to whom its name may be that of another object; check with the credentials of the former, or forget the record with plumbline state rm '${address}' (${ofMany(address)}), and it is found by its name as if for the first time`,
  otherServer: (alias: string, address: string, { gone, of }: Vanished) =>
    `${gone} of ${of} recorded objects of ${alias} that have ids are others now, or gone, as they are where its base URL leads to another server or to a restored backup, where a name alone proves nothing; where it is the same server, take over what was made again first (import:, or gone:), or forget the record with plumbline state rm '${address}' (${ofMany(address)})`,
  unknownCaller: (alias: string, then: JsonObject | undefined, detail: string) =>
    `${then === undefined ? 'nobody could tell as whom it was recorded' : `it was recorded as ${spellCaller(then)} sees it`}, and who the caller of ${alias} is now is not known (${detail}); list it under gone: if it was deleted`,
}

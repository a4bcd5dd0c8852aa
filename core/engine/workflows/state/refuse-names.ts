import { name } from '../../config/shape/basics.ts'
import { shown } from '../../config/shared/words.ts'
import { AppError } from '../../errors/errors.ts'
import { toPointer } from '../../json/pointer.ts'
import { typeName } from '../../schema/described.ts'
import type { Address, RecordedResource } from '../../schema/resource.ts'
import type { StateDocument } from '../../schema/stored/state.ts'
import { stateFlaws } from '../../state/store/words.ts'
import { canonicalAddress, moduleSteps, parseAddress } from '../../values/addresses/address.ts'
import { isDeclarable } from '../../values/addresses/declarable.ts'
import { successorTo } from '../../values/addresses/successor.ts'

/** A place in a record, and why what is there is refused. */
type Flaw = readonly [place: readonly (string | number)[], why: string]

/**
 * Refuses a document with a name that no configuration could give, as a file that was written by hand may have. Throws
 * STATE_INVALID with the place and the value.
 */
export const refuseNames = ({ resources }: StateDocument): void => {
  for (const [index, record] of resources.entries()) {
    const flaw = flawOf(record)
    if (flaw === undefined) continue
    const place = toPointer(['resources', index, ...flaw[0]].map(String))
    throw new AppError('STATE_INVALID', { detail: stateFlaws.member(place, flaw[1]) })
  }
}

const flawOf = (record: RecordedResource): Flaw | undefined =>
  flawOfAddress(record.address, ['address']) ?? flawOfNeeds(record) ?? flawOfShape(record) ?? flawOfParts(record)

const flawOfAddress = (address: Address, place: Flaw[0]): Flaw | undefined => {
  const owner = successorTo(address)
  const isPlain = isDeclarable(owner) && canonicalAddress(owner) === owner
  return isPlain ? undefined : [place, stateFlaws.notDeclarable(address)]
}

const flawOfNeeds = ({ dependsOn }: RecordedResource): Flaw | undefined => {
  for (const [index, address] of dependsOn.entries()) {
    const flaw = flawOfAddress(address, ['dependsOn', index])
    if (flaw !== undefined) return flaw
  }
  return undefined
}

/** The module of a record is what its address says, of which each name is checked. */
const shapes = { type: typeName, name, provider: name }

const flawOfShape = (record: RecordedResource): Flaw | undefined => {
  for (const member of ['type', 'name', 'provider'] as const) {
    const issue = shapes[member].safeParse(record[member]).error?.issues[0]
    if (issue !== undefined) return [[member], stateFlaws.value(shown(record[member]), issue.message)]
  }
  return undefined
}

/** A record whose members disagree would be one resource where it is found, and another one where it is shown or sent. */
const flawOfParts = (record: RecordedResource): Flaw | undefined => {
  const owner = successorTo(record.address)
  const parsed = parseAddress(owner)
  const said = { type: parsed?.type, name: parsed?.name, module: moduleSteps(owner).join('.') || undefined }
  for (const member of ['type', 'name', 'module'] as const)
    if (record[member] !== said[member])
      return [[member], stateFlaws.value(shown(record[member]), stateFlaws.otherPart(record.address))]
  return undefined
}

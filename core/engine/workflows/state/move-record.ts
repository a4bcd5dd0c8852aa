import { AppError } from '../../errors/errors.ts'
import { readdress } from '../../plan/record/readdress.ts'
import type { Address, RecordedResource } from '../../schema/resource.ts'
import type { StateChanged } from '../../schema/stored/state.ts'
import { canonicalAddress, isAddressPattern, moduleSteps, parseAddress } from '../../values/addresses/address.ts'
import { isDeclarable } from '../../values/addresses/declarable.ts'
import { movedWith, successorTo } from '../../values/addresses/successor.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { moveRefusals } from '../words.ts'
import type { WorkspaceRequest } from '../workspace/manage-workspace.ts'
import { changeState, type StateEdit } from './change-state.ts'
import { meantBy } from './meant-by.ts'

/**
 * Gives a record another address, or all instances of a resource, or all that is recorded in a module, with the records
 * of successors and the places where other records name them. The objects are not touched. Throws RECORD_NOT_FOUND, MOVE_REFUSED, and what `changeState` throws.
 */
export const moveRecord = (
  { from, to, ...request }: WorkspaceRequest & { readonly from: Address; readonly to: Address },
  deps: Deps,
): Promise<StateChanged> =>
  changeState(
    'moved',
    request,
    ({ workspace, resources }) =>
      move({ workspace, from: canonicalAddress(from), to: canonicalAddress(to) }, resources),
    deps,
  )

interface MoveRequest {
  readonly workspace: string
  readonly from: Address
  readonly to: Address
}

const move = ({ workspace, from, to }: MoveRequest, all: readonly RecordedResource[]): StateEdit => {
  if (isAddressPattern(from)) throw new AppError('RECORD_NOT_FOUND', { workspace, address: from })
  const recorded = all.map(({ address }) => address)
  const owners = new Set(meantBy(from, recorded, workspace).map(successorTo))
  const taken = new Set(recorded.map(successorTo))
  const next = (address: Address): Address | undefined =>
    movedWith(address, (owner) => (owners.has(owner) ? `${to}${owner.slice(from.length)}` : undefined))
  const put = all.flatMap((record) => {
    const address = next(record.address)
    const dependsOn = record.dependsOn.map((each) => next(each) ?? each)
    if (address !== undefined)
      return [
        {
          ...readdress(record, {
            ...nameAt(record, next(successorTo(record.address)) ?? to, taken),
            address,
            provider: record.provider,
          }),
          dependsOn,
        },
      ]
    return record.dependsOn.some((each) => next(each) !== undefined) ? [{ ...record, dependsOn }] : []
  })
  const remove = recorded.filter((address) => next(address) !== undefined)
  return { addresses: [from, to], change: { put, remove } }
}

/** The name and the module in the new address. Throws MOVE_REFUSED. */
const nameAt = (
  { address: from, type }: RecordedResource,
  to: Address,
  taken: ReadonlySet<Address>,
): Pick<RecordedResource, 'name' | 'module'> => {
  const refused = (detail: string): AppError => new AppError('MOVE_REFUSED', { from, to, detail })
  const parsed = parseAddress(to)
  if (parsed === undefined) throw refused(moveRefusals.noAddress)
  if (parsed.type !== type) throw refused(moveRefusals.otherType(type, parsed.type))
  if (!isDeclarable(to)) throw refused(moveRefusals.notDeclarable)
  if (taken.has(to)) throw refused(moveRefusals.taken)
  const module = moduleSteps(to).join('.')
  return { name: parsed.name, ...defined({ module: module === '' ? undefined : module }) }
}

import { AppError } from '../../errors/errors.ts'
import { readdress } from '../../plan/record/readdress.ts'
import type { Address, RecordedResource } from '../../schema/resource.ts'
import type { StateChanged } from '../../schema/stored/state.ts'
import { canonicalAddress, moduleSteps, parseAddress } from '../../values/addresses/address.ts'
import { successorTo } from '../../values/addresses/successor.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { moveRefusals } from '../words.ts'
import type { WorkspaceRequest } from '../workspace/manage-workspace.ts'
import { changeState, type StateEdit } from './change-state.ts'

/**
 * Gives a record another address, with the records of its successors and the places where other records name it. The
 * object is not touched. Throws RECORD_NOT_FOUND, MOVE_REFUSED, and what `changeState` throws.
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
  const found = all.find(({ address }) => address === from)
  if (found === undefined) throw new AppError('RECORD_NOT_FOUND', { workspace, address: from })
  const name = nameAt(found, to, all)
  const moved = new Map(all.filter(isOf(from)).map(({ address }) => [address, `${to}${address.slice(from.length)}`]))
  const put = all.flatMap((record) => {
    const address = moved.get(record.address)
    const dependsOn = record.dependsOn.map((each) => moved.get(each) ?? each)
    if (address !== undefined)
      return [{ ...readdress(record, { ...name, address, provider: record.provider }), dependsOn }]
    return record.dependsOn.some((each) => moved.has(each)) ? [{ ...record, dependsOn }] : []
  })
  return { addresses: [from, to], change: { put, remove: [...moved.keys()] } }
}

/** Also matches the records of successors of the resource. */
const isOf =
  (resource: Address) =>
  ({ address }: RecordedResource): boolean =>
    address === resource || successorTo(address) === resource

/** The name and the module in the new address. Throws MOVE_REFUSED. */
const nameAt = (
  { address: from, type }: RecordedResource,
  to: Address,
  all: readonly RecordedResource[],
): Pick<RecordedResource, 'name' | 'module'> => {
  const refused = (detail: string): AppError => new AppError('MOVE_REFUSED', { from, to, detail })
  const parsed = parseAddress(to)
  if (parsed === undefined) throw refused(moveRefusals.noAddress)
  if (parsed.type !== type) throw refused(moveRefusals.otherType(type, parsed.type))
  if (all.some(isOf(to))) throw refused(moveRefusals.taken)
  const module = moduleSteps(to).join('.')
  return { name: parsed.name, ...defined({ module: module === '' ? undefined : module }) }
}

import { refersTo } from '../../binding/find-strayed.ts'
import type { Address, RecordedResource } from '../../schema/resource.ts'
import type { StateChanged } from '../../schema/stored/state.ts'
import { canonicalAddress } from '../../values/addresses/address.ts'
import { successorTo } from '../../values/addresses/successor.ts'
import { defined } from '../../values/defined.ts'
import { unlessEmpty } from '../../values/members.ts'
import type { Deps } from '../deps.ts'
import type { WorkspaceRequest } from '../workspace/manage-workspace.ts'
import { changeState, type StateEdit } from './change-state.ts'
import { meantBy } from './meant-by.ts'

/**
 * Deletes the records of resources, of all instances or of modules, with those of their successors. The objects are not
 * touched. Throws RECORD_NOT_FOUND, and what `changeState` throws.
 */
export const forgetRecords = (
  { addresses, ...request }: WorkspaceRequest & { readonly addresses: readonly Address[] },
  deps: Deps,
): Promise<StateChanged> =>
  changeState(
    'forgotten',
    request,
    ({ resources }) => forget(request.workspace, addresses.map(canonicalAddress), resources),
    deps,
  )

const forget = (workspace: string, addresses: readonly Address[], all: readonly RecordedResource[]): StateEdit => {
  const known = all.map(({ address }) => address)
  const named = new Set(addresses.flatMap((address) => meantBy(address, known, workspace)))
  const isForgotten = ({ address }: RecordedResource): boolean => named.has(address) || named.has(successorTo(address))
  const gone = all.filter(isForgotten)
  const put = all.filter((each) => !isForgotten(each) && each.doubted === undefined && gone.some(isParentOf(each)))
  return {
    addresses: gone.map(({ address }) => address),
    change: {
      // Without the record of the parent, nobody can tell whether the parent is still the same object.
      put: put.map((each) => ({ ...each, doubted: 'strayed' })),
      remove: gone.map(({ address }) => address),
    },
    ...defined({ doubted: unlessEmpty(put.map(({ address }) => address)) }),
  }
}

const isParentOf =
  (child: RecordedResource) =>
  (parent: RecordedResource): boolean =>
    child.dependsOn.includes(parent.address) && refersTo(child, parent)

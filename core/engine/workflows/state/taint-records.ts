import type { Address, RecordedResource } from '../../schema/resource.ts'
import type { StateChanged } from '../../schema/stored/state.ts'
import { canonicalAddress } from '../../values/addresses/address.ts'
import type { Deps } from '../deps.ts'
import type { WorkspaceRequest } from '../workspace/manage-workspace.ts'
import { changeState, type StateEdit } from './change-state.ts'
import { meantBy } from './meant-by.ts'

type TaintRequest = WorkspaceRequest & { readonly addresses: readonly Address[] }

/**
 * Marks resources, all instances of one, or modules: their objects are replaced by the next apply. The objects are not
 * touched before. Throws RECORD_NOT_FOUND, and what `changeState` throws.
 */
export const taintRecords = (request: TaintRequest, deps: Deps): Promise<StateChanged> => {
  const { actor: by, reason = '' } = request
  const tainted = { reason, by, at: deps.clock.now().toISOString() }
  return changeState(
    'tainted',
    request,
    editing(request, (record) => ({ ...record, tainted })),
    deps,
  )
}

/** Takes the mark back. Throws RECORD_NOT_FOUND, and what `changeState` throws. */
export const untaintRecords = (request: TaintRequest, deps: Deps): Promise<StateChanged> =>
  changeState(
    'untainted',
    request,
    editing(request, ({ tainted: _, ...record }) => record),
    deps,
  )

const editing =
  ({ workspace, addresses }: TaintRequest, edit: (record: RecordedResource) => RecordedResource) =>
  ({ resources }: { readonly resources: readonly RecordedResource[] }): StateEdit => {
    const known = resources.map(({ address }) => address)
    const meant = new Set(addresses.flatMap((each) => meantBy(canonicalAddress(each), known, workspace)))
    const put = resources.filter(({ address }) => meant.has(address)).map(edit)
    return { addresses: put.map(({ address }) => address), change: { put, remove: [] } }
  }

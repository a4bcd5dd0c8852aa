import type { forgetRecords as Forget } from './forget-records.ts'
import type { importState as Import } from './import-state.ts'
import type { moveRecord as Move } from './move-record.ts'
import type { taintRecords as TaintThem, untaintRecords as UntaintThem } from './taint-records.ts'

/* Records are corrected now and then, so the code for it is loaded with the first correction. */

/** As in forget-records.ts. */
export const forgetRecords: typeof Forget = async (request, deps) =>
  (await import('./forget-records.ts')).forgetRecords(request, deps)

/** As in import-state.ts. */
export const importState: typeof Import = async (request, deps) =>
  (await import('./import-state.ts')).importState(request, deps)

/** As in move-record.ts. */
export const moveRecord: typeof Move = async (request, deps) =>
  (await import('./move-record.ts')).moveRecord(request, deps)

/** As in taint-records.ts. */
export const taintRecords: typeof TaintThem = async (request, deps) =>
  (await import('./taint-records.ts')).taintRecords(request, deps)

/** As in taint-records.ts. */
export const untaintRecords: typeof UntaintThem = async (request, deps) =>
  (await import('./taint-records.ts')).untaintRecords(request, deps)

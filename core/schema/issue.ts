export type { Issue } from './diagnostic.ts'

/** Who can do something about it. `user`: the caller. `remote`: the target or AWS. `ours`: a defect. */
export type Fault = 'user' | 'remote' | 'ours'

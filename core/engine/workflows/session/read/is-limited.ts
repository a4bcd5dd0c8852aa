import type { ReadHistory } from '../../../state/runs/reads.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'

export interface ForeseenReads {
  readonly history: ReadHistory
  /** An apply reads what the latest check read, because its commands were approved from that. */
  readonly isApply: boolean
}

/** Whether anything limits the requests of a check, so that its reads are remembered and forecast. */
export const isLimited = ({ configuration, providers }: LoadedWorkspace): boolean =>
  configuration.limits.requests !== undefined ||
  [...providers.values()].some(({ limits }) => limits?.quota?.headers !== undefined)

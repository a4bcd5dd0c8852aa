import type { Configuration } from '../../config/shared/configuration.ts'
import { AppError } from '../../errors/errors.ts'
import type { WorkspacePreview } from '../../schema/stored/preview.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import { findWorkspace } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { previewRefusals } from '../words.ts'

interface PreviewInput {
  readonly now: Date
  /** The workspace that is stored under the name of the preview. */
  readonly current: Workspace | undefined
  readonly expires: string | undefined
}

/** What makes the record a preview; `undefined` for every other workspace. Throws PREVIEW_REFUSED. */
export const previewOf = async (
  { workspace, preview }: Configuration,
  { now, current, expires }: PreviewInput,
  { store }: Deps,
): Promise<WorkspacePreview | undefined> => {
  const refuse = (detail: string): AppError => new AppError('PREVIEW_REFUSED', { preview: workspace, detail })
  if (preview === undefined) {
    if (current?.preview === undefined) return undefined
    throw refuse(previewRefusals.otherKind(previewRefusals.otherBranch(current.preview.branch)))
  }
  const { base, branch, expiresMs } = preview
  const stored = await findWorkspace(store, base)
  if (stored === undefined) throw refuse(previewRefusals.noBase(base))
  if (stored.preview !== undefined) throw refuse(previewRefusals.ofPreview(base))
  if (current !== undefined && current.preview?.branch !== branch) {
    const found = current.preview && previewRefusals.otherBranch(current.preview.branch)
    throw refuse(previewRefusals.otherKind(found ?? previewRefusals.ordinary))
  }
  const life = expires === undefined ? expiresMs : ((await durations()).parseDuration(expires) ?? expiresMs)
  return { base, branch, expiresAt: new Date(now.getTime() + life).toISOString() }
}

/** The calendar is loaded on demand: most functions never need it. */
const durations = () => import('../../config/schedule/schedule.ts')

/** A preview without a schedule is checked once, when it expires, so that somebody is told. */
export const timesOf = (
  { schedule, timezone, blackout }: Pick<Configuration, 'schedule' | 'timezone' | 'blackout'>,
  preview: WorkspacePreview | undefined,
): Pick<Workspace, 'schedule' | 'timezone' | 'blackout'> =>
  preview !== undefined && schedule === undefined
    ? { schedule: `at(${atSecond(preview.expiresAt)})`, timezone: 'UTC', blackout: [] }
    : { ...defined({ schedule }), ...defined({ timezone }), blackout: [...blackout] }

/** Rounded up to a whole second, so that the preview has expired at that time. */
const atSecond = (time: string): string =>
  new Date(Math.ceil(Date.parse(time) / 1_000) * 1_000).toISOString().slice(0, 19)

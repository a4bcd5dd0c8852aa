import { selectTargets } from '../apply/select-targets.ts'
import { AppError } from '../errors.ts'
import type { Actor, Apply } from '../schema/records.ts'
import { createApply } from '../state/applies.ts'
import { getPlan, getRunByCommands } from '../state/runs.ts'
import { requireWorkspace } from '../state/workspaces.ts'
import type { Deps } from './deps.ts'

export interface ApplyRequest {
  readonly workspace: string
  readonly mode: Apply['mode']
  /** Of the command list that was seen. */
  readonly digest: string
  /** Addresses; all when empty. */
  readonly targets?: readonly string[]
  readonly reason: string
  readonly actor: Actor
  readonly idempotencyKey?: string
}

/**
 * Takes an approval down and queues the work. The digest must be one that a check of this workspace has planned. Throws
 * WORKSPACE_NOT_FOUND, PLAN_NOT_FOUND, TARGET_UNKNOWN, IDEMPOTENCY_REUSED; the same key and request answer the same apply.
 */
export const requestApply = async (input: ApplyRequest, deps: Deps): Promise<Apply> => {
  const { workspace, mode, digest, targets = [], reason, actor } = input
  await requireWorkspace(deps.store, workspace)
  const run = await approvedRun(workspace, digest, deps)
  selectTargets(run.commands, targets)
  const apply: Apply = {
    id: deps.ids.ulid(),
    workspace,
    mode,
    status: 'queued',
    digest,
    run: run.id,
    ...(targets.length === 0 ? {} : { targets: [...targets] }),
    reason,
    actor,
    requestedAt: deps.clock.now().toISOString(),
    outcomes: [],
  }
  const stored = await createApply(deps.store, apply, input.idempotencyKey)
  // Queued again for a repeated request too: the first may have died before it got here, and the worker runs it once.
  await deps.queue.apply({ workspace, apply: stored.id })
  return stored
}

const approvedRun = async (workspace: string, digest: string, { store }: Deps) => {
  const run = await getRunByCommands(store, workspace, digest)
  const plan = await getPlan(store, workspace, run.id)
  if (plan === undefined) throw new AppError('PLAN_NOT_FOUND', { digest })
  return { id: run.id, commands: plan.commands }
}

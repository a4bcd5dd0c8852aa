import { AppError } from '../../errors/errors.ts'
import type { Actor } from '../../schema/actor.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import type { Source } from '../../schema/stored/source.ts'
import { appendLedger } from '../../state/ledger.ts'
import { againOnConflict } from '../../state/store/commit.ts'
import { withNextCheck } from '../../state/workspaces/pending-check.ts'
import { editWorkspace, findStored, getWorkspace, rewrites } from '../../state/workspaces/workspaces.ts'
import { sourceText } from '../../values/source-text.ts'
import type { Deps } from '../deps.ts'
import { lifeEntry } from '../workspace/manage-workspace.ts'
import { putWorkspace } from '../workspace/put-workspace.ts'
import { whyNoSecret, whyNoWebhook } from '../workspace/webhook-secret.ts'
import { secretProblem } from './words.ts'

const secretProblems = (workspace: string, { github }: Source, { secretRules: rules }: Deps): readonly string[] =>
  (['token', 'webhookSecret'] as const).flatMap((member) => {
    const source = github[member]?.secret
    if (source === undefined) return []
    const why =
      member === 'webhookSecret' ? whyNoWebhook(workspace, source, rules) : whyNoSecret(workspace, source, rules)
    return why === undefined ? [] : [secretProblem(member, why)]
  })

const firstBundle = (workspace: string) => ({
  entry: 'plumbline.yaml',
  files: {
    'plumbline.yaml': `workspace: ${workspace}\nschedule: rate(5 minutes)\nproviders: {}\nresources: []\n`,
  },
})

export interface SourceRequest {
  readonly workspace: string
  readonly source: Source
  readonly actor: Actor
}

/**
 * From now on the configuration is read from a source, before each check. The workspace is created if it does not
 * exist, and is due at once, unless it is paused. Throws REQUEST_INVALID for secrets that the workspace may not read,
 * WORKSPACE_REMOVED.
 */
export const setSource = async ({ workspace, source, actor }: SourceRequest, deps: Deps): Promise<Workspace> => {
  const problems = secretProblems(workspace, source, deps)
  if (problems.length > 0) throw new AppError('REQUEST_INVALID', { problems })
  const at = deps.clock.now().toISOString()
  const stored = { ...source, at, by: actor }
  const found = await editWorkspace(deps.store, workspace, ({ origin: _, ...current }) => ({
    ...(current.paused === undefined ? withNextCheck(current, at) : current),
    source: stored,
  }))
  if (found !== 'absent') return found.workspace
  return putWorkspace({ bundle: firstBundle(workspace), actor, workspace, source: stored }, deps)
}

/**
 * From now on the configuration is pushed; the stored one stays. The ledger says who removed which source. Throws
 * WORKSPACE_NOT_FOUND, SOURCE_NOT_FOUND.
 */
export const removeSource = async (
  { workspace, actor }: Pick<SourceRequest, 'workspace' | 'actor'>,
  { store, clock }: Deps,
): Promise<Workspace> =>
  againOnConflict(async () => {
    const stored = await findStored(store, workspace)
    if (stored === undefined) return getWorkspace(store, workspace)
    const { source, ...rest } = stored.workspace
    if (source === undefined) throw new AppError('SOURCE_NOT_FOUND', { workspace })
    const request = { workspace, actor, reason: sourceText(source) }
    const entry = lifeEntry('source_removed', request, clock.now().toISOString())
    await appendLedger(store, workspace, [entry], rewrites(stored, rest, { anew: true }))
    return rest
  })

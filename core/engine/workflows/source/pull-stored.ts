import { AppError, asAppError, isAppError } from '../../errors/errors.ts'
import { digest } from '../../json/digest.ts'
import type { Actor } from '../../schema/actor.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import { engineVersion } from '../../schema/stored/saved-plan.ts'
import { keys } from '../../state/store/keys.ts'
import { currentVersion } from '../../state/workspaces/versions.ts'
import { defined } from '../../values/defined.ts'
import { placeText } from '../../values/diagnose.ts'
import { pathIn } from '../../values/file-path.ts'
import { sourceText } from '../../values/source-text.ts'
import type { Deps } from '../deps.ts'
import { putWorkspace } from '../workspace/put-workspace.ts'
import { type Head, openRepository } from './github.ts'
import { readCommit } from './read-commit.ts'
import { flaws, keptVersion } from './words.ts'

/** The commit that was last read completely, for one source and one version of the engine. */
interface LastPull extends Head {
  readonly source: string
  /** What is wrong with the commit. Later pulls report the same, without reading its files again. */
  readonly flaw?: string
}

type Sourced = Workspace & Required<Pick<Workspace, 'source'>>

const shownIssues = 5

/** `file:line:column: message; fix` with paths from the root of the repository. */
const issuesText = (error: AppError, path: string | undefined): string => {
  if (!isAppError(error, 'CONFIG_INVALID')) return error.message
  const { issues } = error.payload
  const lines = issues
    .slice(0, shownIssues)
    .map(
      (issue) =>
        `${placeText({ ...issue, file: pathIn(path ?? '', issue.file) ?? issue.file })}: ${issue.message}; ${issue.fix}`,
    )
  return [...lines, ...(issues.length > shownIssues ? [flaws.more(issues.length - shownIssues)] : [])].join('\n  ')
}

const isAboutContent = (error: AppError): boolean => ['CONFIG_INVALID', 'GRAPH_CYCLE'].includes(error.code)

const aboutSource = (workspace: Sourced) => ({
  source: sourceText(workspace.source),
  kept: keptVersion(currentVersion(workspace)),
})

const pullChanged = async (workspace: Sourced, deps: Deps): Promise<void> => {
  const { id, source } = workspace
  const { github } = source
  const about = aboutSource(workspace)
  const key = keys.source(id)
  const identity = digest({ github, engineVersion })
  const seen = (await deps.store.get(key))?.['seen'] as unknown as LastPull | undefined
  const isSeen = seen?.source === identity && (seen.flaw !== undefined || seen.commit === workspace.commit)
  const fail = (detail: string): AppError => new AppError('SOURCE_UNREADABLE', { ...about, detail })
  const repository = openRepository({ workspace: id, source: github, fail }, deps)
  const head = await repository.head(isSeen ? seen.etag : undefined)
  const invalid = (commit: string, detail: string): AppError =>
    new AppError('SOURCE_INVALID', { ...about, commit, detail })
  if (isSeen && (head === 'unchanged' || head.commit === seen.commit)) {
    if (seen.flaw !== undefined) throw invalid(seen.commit, seen.flaw)
    return
  }
  if (head === 'unchanged') return
  const { commit } = head
  const keep = async (flaw?: string): Promise<void> => {
    const next: LastPull = { source: identity, ...head, ...defined({ flaw }) }
    await deps.store.write([{ kind: 'put', item: { ...key, seen: { ...next } } }])
  }
  const refuse = async (flaw: string): Promise<never> => {
    await keep(flaw)
    throw invalid(commit, flaw)
  }
  const bundle = await readCommit({ repository, commit, folder: github.path }, deps)
  if ('flaw' in bundle) return refuse(bundle.flaw)
  const actor: Actor = { subject: about.source, via: 'schedule' }
  try {
    await putWorkspace({ bundle, actor, workspace: id, note: { commit }, isPulled: true }, deps)
  } catch (cause) {
    const error = asAppError(cause)
    if (isAppError(error, 'WORKSPACE_MISMATCH')) return refuse(flaws.otherName(error.payload.found, id))
    if (isAboutContent(error)) return refuse(issuesText(error, github.path))
    throw error
  }
  await keep()
}

/**
 * Turns a failed request into an error about the source. Errors of the store are not about the source, and stay as they
 * are.
 */
const unreadable = (cause: unknown, workspace: Sourced): AppError => {
  const error = asAppError(cause)
  const isAboutSource = /^(REQUEST|RESPONSE|HOST|ADDRESS|SECRET|SIGN|BUDGET)_/.test(error.code)
  return isAboutSource
    ? new AppError('SOURCE_UNREADABLE', { ...aboutSource(workspace), detail: error.message }, { cause: error })
    : error
}

/**
 * Called before a check: asks the source for its commit, and stores a new version if the commit is another one. A
 * commit is stored only if it was read completely and is valid. Throws SOURCE_UNREADABLE, SOURCE_INVALID.
 */
export const pullStored = async (workspace: Sourced, deps: Deps): Promise<void> => {
  try {
    await pullChanged(workspace, deps)
  } catch (cause) {
    throw unreadable(cause, workspace)
  }
}

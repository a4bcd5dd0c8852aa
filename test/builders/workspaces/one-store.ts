import { defined } from '../../../core/engine/values/defined.ts'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { putWorkspace } from '../../../core/engine/workflows/workspace/put-workspace.ts'
import { storeSource } from '../../../functions/adapters/store-source.ts'
import { actor, testDeps } from './workspace.ts'

interface PutInput {
  readonly document: string
  readonly given: Readonly<Record<string, string>>
  readonly resources: string
  readonly more?: string
  readonly preview?: NonNullable<Parameters<typeof putWorkspace>[0]['bundle']['preview']>
  /** More files. */
  readonly files?: Readonly<Record<string, string>>
}

/** Several workspaces of one store, each with a document of its own. */
export const oneStore = () => {
  const given = testDeps({})
  const deps = { ...given.deps, config: storeSource(given.deps.store) }
  const put = (workspace: string, { document, given: settings, resources, more = '', preview, files }: PutInput) =>
    putWorkspace(
      {
        bundle: {
          entry: 'plumbline.yaml',
          files: {
            'plumbline.yaml': `workspace: ${workspace}\nproviders: { e: { source: rest, definition: ./api.provider.yaml, with: ${JSON.stringify(settings)} } }\nresources: [${resources}]\n${more}`,
            'api.provider.yaml': document,
            ...files,
          },
          ...defined({ preview }),
        },
        actor,
      },
      deps,
    )
  const check = async (workspace: string) => {
    const { plan, run } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
    return {
      changes: plan?.changes.map(({ action, address, blocked }) => `${blocked?.reason ?? action} ${address}`) ?? [],
      details: plan?.changes.map(({ blocked }) => blocked?.detail) ?? [],
      notes: plan?.notes?.map(({ message }) => message) ?? [],
      digest: run.digests?.commands ?? '',
      error: run.error,
    }
  }
  const apply = async (workspace: string): Promise<void> => {
    const { digest } = await check(workspace)
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'test', actor }, deps)
    await runApply({ workspace, applyId: id }, deps)
  }
  return { ...given, deps, put, check, apply }
}

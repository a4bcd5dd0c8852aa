import type { SourcedBundle } from '../../config/files/source.ts'
import { unifiedDiff } from '../../diff/texts/unified-diff.ts'
import { asAppError, isAppError } from '../../errors/errors.ts'
import { canonicalJson } from '../../json/canonical.ts'
import type { DesiredResource } from '../../schema/resource.ts'
import type { Bundle } from '../../schema/stored/bundle.ts'
import type { ChangeKind, Tally, VersionChanges, VersionDiff } from '../../schema/stored/versions.ts'
import { createRedactor } from '../../transport/redaction/redact.ts'
import { defined } from '../../values/defined.ts'
import { pathOfStored } from '../../values/file-path.ts'
import { unlessEmpty } from '../../values/members.ts'
import { type LoadingDeps, loadWorkspaceLater } from '../session/load/load-later.ts'
import { withSpec } from '../session/shared/loaded-workspace.ts'
import { type LoadedVersion, secretTexts } from './secret-texts.ts'

/**
 * A version, with its configuration or the reason why it cannot be loaded now: a later release or other rules may
 * refuse it.
 */
export type ReadVersion = { readonly bundle: Bundle } & (
  | (LoadedVersion & { readonly problem?: never })
  | { readonly loaded?: never; readonly problem: string }
)

export const readVersion = async (bundle: SourcedBundle, { providers, sources }: LoadingDeps): Promise<ReadVersion> => {
  try {
    return { bundle, loaded: await loadWorkspaceLater(bundle, { providers, sources }) }
  } catch (error) {
    if (!isAppError(error, 'CONFIG_INVALID')) throw error
    return { bundle, problem: asAppError(error).message }
  }
}

/** Stands for the state before the first version: it can be compared, and has no resources. */
export const nothing: ReadVersion = { bundle: { entry: '', files: {} }, problem: '' }

interface ChangedMember {
  readonly name: string
  readonly kind: ChangeKind
}

const differences = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly ChangedMember[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name): readonly ChangedMember[] => {
    if (!Object.hasOwn(before, name)) return [{ name, kind: 'added' }]
    if (!Object.hasOwn(after, name)) return [{ name, kind: 'removed' }]
    return canonicalJson(before[name]) === canonicalJson(after[name]) ? [] : [{ name, kind: 'changed' }]
  })

const resourcesOf = (version: ReadVersion): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    (version.loaded === undefined ? [] : withSpec(version.loaded)).map(
      ({ position: _, ...resource }: DesiredResource) => [resource.address, resource],
    ),
  )

const tallyOf = (found: readonly ChangedMember[]): Tally => {
  const of = (kind: ChangeKind): number => found.filter((one) => one.kind === kind).length
  return { added: of('added'), removed: of('removed'), changed: of('changed') }
}

const canCompare = (version: ReadVersion): boolean => version.loaded !== undefined || version === nothing

export const countChanges = (before: ReadVersion, after: ReadVersion): VersionChanges => ({
  ...(canCompare(before) && canCompare(after)
    ? { resources: tallyOf(differences(resourcesOf(before), resourcesOf(after))) }
    : {}),
  files: tallyOf(differences(before.bundle.files, after.bundle.files)),
})

/** Hides the values that are secret in one of the two versions. */
const textDiffs = (before: LoadedVersion, after: LoadedVersion): ((file: string) => string) => {
  const redactor = createRedactor()
  for (const text of [...secretTexts(before, after), ...secretTexts(after, before)]) redactor.learn(text)
  const textOf = ({ bundle: { files } }: LoadedVersion, file: string): string =>
    redactor.text(Object.hasOwn(files, file) ? (files[file] ?? '') : '')
  return (file) => unifiedDiff(pathOfStored(file), textOf(before, file), textOf(after, file))
}

type ComparedParts = Pick<VersionDiff, 'resources' | 'variables' | 'files' | 'unreadable'>

/** The differences, for people. Contains no texts if one of the two versions is not valid any more. */
export const compareVersions = (
  before: ReadVersion & { readonly version: number },
  after: ReadVersion & { readonly version: number },
): ComparedParts => {
  const isValid = before.loaded !== undefined && after.loaded !== undefined
  const diffOf = isValid ? textDiffs(before, after) : () => undefined
  const unreadable = [before, after].flatMap(({ version, problem: detail }) =>
    detail === undefined ? [] : [{ version, detail }],
  )
  const resources = isValid ? differences(resourcesOf(before), resourcesOf(after)) : []
  return {
    resources: resources.map(({ name: address, kind }) => ({ address, kind })),
    variables: [...differences(before.bundle.variables ?? {}, after.bundle.variables ?? {})],
    files: differences(before.bundle.files, after.bundle.files).map(({ name: file, kind }) => ({
      file: pathOfStored(file),
      kind,
      ...defined({ diff: diffOf(file) }),
    })),
    ...defined({ unreadable: unlessEmpty(unreadable) }),
  }
}

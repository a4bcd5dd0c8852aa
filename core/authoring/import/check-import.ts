import type { SourcedBundle } from '../../config/files/source.ts'
import { parseDocument } from '../../config/syntax/parse-document.ts'
import { isAppError } from '../../errors.ts'
import { pathText } from '../../json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { ImportReport } from '../../schema/reports/import-report.ts'
import { changedPaths } from '../../values/changed-paths.ts'
import type { Deps } from '../../workflows/deps.ts'
import { openSession } from '../../workflows/session/open-session.ts'

type ImportCheck = Pick<ImportReport, 'differing' | 'unchecked' | 'issues'>

/** What a plan says of what was written: all is read again, so that a value that moves by itself shows. Nothing is stored. */
export const checkImport = async (
  workspace: string,
  { text, resources }: Pick<ImportReport, 'text' | 'resources'>,
  deps: Deps,
): Promise<ImportCheck> => {
  const bundle = withResources(await deps.config.load(workspace), text)
  const own = new Set(resources.map(({ address }) => address))
  try {
    const { plan } = await openSession(workspace, { ...deps, config: { load: async () => bundle } })
    return {
      differing: plan.changes
        .filter(({ address }) => own.has(address))
        .map(({ address, diff }) => ({ address, paths: changedPaths(diff).map(pathText) })),
      unchecked: plan.unchecked
        .filter(({ address }) => own.has(address))
        .map(({ address, detail }) => ({ address, detail })),
      issues: [],
    }
  } catch (error) {
    if (isAppError(error, 'CONFIG_INVALID')) return { differing: [], unchecked: [], issues: error.payload.issues }
    throw error
  }
}

const resourcesIn = (value: Json | undefined): readonly Json[] => {
  const resources = isObject(value) ? value['resources'] : undefined
  return isArray(resources) ? resources : []
}

const parsed = (file: string, text: string): Json | undefined => parseDocument(file, text).value

/** The workspace as it would be. */
const withResources = ({ entry, files, ...rest }: SourcedBundle, text: string): SourcedBundle => {
  const { [entry]: written = '', ...others } = files
  const before = parsed(entry, written)
  const added = parsed('imported.yaml', text)
  const whole: JsonObject = {
    ...(isObject(before) ? before : {}),
    resources: [...resourcesIn(before), ...resourcesIn(added)],
  }
  return { ...rest, entry: 'plumbline.json', files: { ...others, 'plumbline.json': JSON.stringify(whole, null, 1) } }
}

import type { ForeignModule } from '../../../core/engine/config/modules/foreign.ts'
import { toPointer } from '../../../core/engine/json/pointer.ts'
import type { Diagnostic } from '../../../core/engine/schema/issue.ts'
import type { Json, JsonObject, Path } from '../../../core/engine/schema/json.ts'
import { otterdog } from '../../../core/sources/otterdog/index.ts'

export interface ReadFile {
  /** `undefined` if there are problems. */
  readonly module: ForeignModule | undefined
  readonly problems: readonly (Diagnostic & { readonly at: string })[]
}

/** An organisation file as its module reads it. */
export const readFile = (value: Json, given: JsonObject = {}): ReadFile => {
  const problems: (Diagnostic & { readonly at: string })[] = []
  const report = (path: Path, diagnostic: Diagnostic): undefined => {
    problems.push({ at: toPointer(path), ...diagnostic })
  }
  const module = otterdog.call({ file: 'acme.json', ...given }, report)?.read(value, report, () => [])
  return { module, problems }
}

/** The spec of one resource. */
export const specOf = ({ module }: ReadFile, type: string, name: string, key?: string): JsonObject | undefined =>
  module?.resources.find((each) => each.type === type && each.name === name && each.key === key)?.spec

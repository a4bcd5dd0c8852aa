import type { ProviderDocument } from '../../../../engine/provider/provider.ts'
import type { Issue, Problem } from '../../../../engine/schema/issue.ts'
import { isArray, isObject, type Json, type Path } from '../../../../engine/schema/json.ts'
import { diagnostics } from '../../../../engine/values/diagnose.ts'
import { shorten } from '../../../../engine/values/texts/shorten.ts'
import { type Code, sentences } from './words.ts'

const say = diagnostics(sentences)

/** A problem of a provider document, with the path of the invalid value. `facts`: the values in the sentences of the code. */
export const problem = <C extends Code>(path: Path, code: C, ...facts: Parameters<(typeof sentences)[C]>): Problem => ({
  path,
  ...say(code, ...facts),
})

/** The result of a rule: one problem, several, or none. */
export type Findings = Problem | false | undefined | readonly Findings[]

/** All problems below a place of the document. */
export const found = (path: Path, ...findings: readonly Findings[]): readonly Problem[] =>
  findings.flatMap((each) => {
    if (each === false || each === undefined) return []
    return 'path' in each ? [{ ...each, path: [...path, ...each.path] }] : found(path, ...each)
  })

export const issueAt = (document: ProviderDocument, { path, ...diagnostic }: Problem): Issue => ({
  ...document.locate(path),
  ...diagnostic,
})

export const valueText = (value: Json): string => {
  if (isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return shorten(JSON.stringify(value), 60)
}

import type { Issue } from '../../../schema/issue.ts'
import { isArray, isObject, type Json, type Path } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import { shorten } from '../../../values/shorten.ts'
import type { Problem, ProviderDocument } from '../../provider.ts'
import { type Code, sentences } from './words.ts'

/** A problem of a provider document, by the path of what is wrong. */
export interface DocumentProblem extends Problem {
  readonly code: Code
  readonly value?: Json
}

/** `facts`: what the sentences of the code are made of. */
export const problem = <C extends Code>(
  path: Path,
  code: C,
  ...facts: Parameters<(typeof sentences)[C]>
): DocumentProblem => {
  const say = sentences[code] as (...all: typeof facts) => readonly [string, string]
  const [message, fix] = say(...facts)
  return { code, path, message, fix }
}

/** What a rule answers: a problem, several, or none. */
export type Findings = DocumentProblem | false | undefined | readonly Findings[]

/** All that rules found below a place of the document. */
export const found = (path: Path, ...findings: readonly Findings[]): readonly DocumentProblem[] =>
  findings.flatMap((each) => {
    if (each === false || each === undefined) return []
    return 'path' in each ? [{ ...each, path: [...path, ...each.path] }] : found(path, ...each)
  })

export const issueAt = (document: ProviderDocument, { path, message, fix, value }: DocumentProblem): Issue => ({
  ...document.locate(path),
  message,
  fix,
  ...defined({ value: value === undefined ? undefined : valueText(value) }),
})

const valueText = (value: Json): string => {
  if (isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return shorten(JSON.stringify(value), 60)
}

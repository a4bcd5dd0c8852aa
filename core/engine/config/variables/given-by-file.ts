import type { Issue } from '../../schema/issue.ts'
import { isObject, type Path } from '../../schema/json.ts'
import { say } from '../shape/words.ts'
import { parseDocument, reporter } from '../syntax/parse-document.ts'
import type { GivenValue } from './given-value.ts'

export const givenByFile = (
  file: string,
  text: string,
): { readonly values: readonly GivenValue[]; readonly issues: readonly Issue[] } => {
  const document = parseDocument(file, text)
  const issues = [...document.issues]
  const { value } = document
  if (value !== undefined && !isObject(value)) reporter(document, issues)([], say('noMappingOfValues'))
  if (!isObject(value) || issues.length > 0) return { values: [], issues }
  const values = Object.entries(value).map(([name, each]) => ({
    name,
    given: { value: each },
    locate: (path: Path) => document.locate([name, ...path], path.length === 0 ? 'key' : 'value'),
  }))
  return { values, issues }
}

import type { Issue } from '../../../schema/issue.ts'
import { isArray, isObject, type Json, type Path } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import type { Problem, ProviderDocument } from '../../provider.ts'

/** A problem of a provider document, by the path of what is wrong. */
export interface DocumentProblem extends Problem {
  readonly value?: Json
}

export const issueAt = (document: ProviderDocument, { path, message, fix, value }: DocumentProblem): Issue => ({
  ...document.locate(path),
  message,
  fix,
  ...defined({ value: value === undefined ? undefined : shorten(value) }),
})

const shorten = (value: Json): string => {
  if (isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

/** What keeps a provider from being configured. */
export interface Wrong {
  readonly message: string
  readonly fix: string
}

export const problem = (path: Path, message: string, fix: string): Problem => ({ path, message, fix })

import type * as z from 'zod'
import type { Issue } from '../../schema/issue.ts'
import type { Json, Path } from '../../schema/json.ts'
import { valueAt } from '../../schema/json.ts'
import type { ProviderDocument } from '../provider.ts'
import { checkDocument } from './check-document.ts'
import { type RestDocument, restDocument } from './document.ts'
import { type DocumentProblem, issueAt } from './problem.ts'

export type ParsedDocument =
  | { readonly ok: true; readonly document: RestDocument }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/** Shape first; what keys demand of each other only where the shape holds. */
export const parseDocument = (source: ProviderDocument): ParsedDocument => {
  const parsed = restDocument.safeParse(source.value)
  const problems = parsed.success
    ? checkDocument(parsed.data)
    : parsed.error.issues.flatMap((issue) => problemsOf(issue, [], source.value))
  if (parsed.success && problems.length === 0) return { ok: true, document: parsed.data }
  return { ok: false, issues: problems.map((problem) => issueAt(source, problem)) }
}

type ZodIssue = z.core.$ZodIssue

const problemsOf = (issue: ZodIssue, above: Path, whole: Json): readonly DocumentProblem[] => {
  const path = [...above, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `unknown key "${key}"`,
      fix: 'remove it, or see docs/rest-provider.md for its spelling',
    }))
  }
  if (issue.code === 'invalid_union') return unionProblems(issue, path, whole)
  const value = valueAt(whole, path)
  return [
    {
      path,
      message: value === undefined ? `"${path.at(-1) ?? ''}" is missing` : `${path.join('.')}: ${lower(issue.message)}`,
      fix: value === undefined ? 'add it; see docs/rest-provider.md' : 'correct it; see docs/rest-provider.md',
      ...(value === undefined ? {} : { value }),
    },
  ]
}

/** Of several allowed shapes, the problems of the one that came closest. */
const unionProblems = (
  issue: Extract<ZodIssue, { readonly code: 'invalid_union' }>,
  path: Path,
  whole: Json,
): readonly DocumentProblem[] => {
  const branches = issue.errors.map((branch) => branch.flatMap((inner) => problemsOf(inner, path, whole)))
  const closest = branches.toSorted((left, right) => distance(path, left) - distance(path, right))[0]
  return closest ?? [{ path, message: `${path.join('.')}: no such form`, fix: 'see docs/rest-provider.md' }]
}

/** Problems deep inside mean that the outside fits. */
const distance = (path: Path, problems: readonly DocumentProblem[]): number =>
  problems.reduce((sum, problem) => sum + (problem.path.length > path.length ? 1 : 100), 0)

const lower = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1)

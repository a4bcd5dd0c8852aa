import type { Issue } from '../schema/issue.ts'
import type { Position } from '../schema/resource.ts'
import { defined } from '../values/defined.ts'

/** Collects issues of one load, in file order at the end. */
export interface Problems {
  report(position: Position, message: string, fix: string, value?: string): void
  add(issues: readonly Issue[]): void
  all(): readonly Issue[]
}

const inOrder = (a: Issue, b: Issue): number =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1

/** For one load. */
export const collectProblems = (): Problems => {
  const issues: Issue[] = []
  return {
    report: ({ file, line, column }, message, fix, value) => {
      issues.push({ file, line, column, message, ...defined({ value }), fix })
    },
    add: (more) => {
      for (const issue of more) issues.push(issue)
    },
    all: () => issues.toSorted(inOrder),
  }
}

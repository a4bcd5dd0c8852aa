import type { Issue } from '../schema/issue.ts'
import { placeText } from '../values/diagnose.ts'
import { inOthers } from './modules/words.ts'

/** Removes the module address and the keys of instances, so that messages of different instances are equal. */
const commonPart = ({ message, calls }: Issue): string => {
  const module = calls?.at(-1)?.module
  const local = module === undefined ? message : message.replaceAll(`${module}.`, '')
  return local.replaceAll(/\["(?:[^"\\]|\\.)*"\]/g, '[]')
}

/**
 * Removes repeated issues and keeps the order. A problem that several instances of a written value share is reported
 * once, for the first instance, with the number of the others.
 */
export const onceEach = (issues: readonly Issue[]): readonly Issue[] => {
  const found = new Map<string, { readonly issue: Issue; readonly others: Set<string> }>()
  for (const issue of issues) {
    const key = [placeText(issue), issue.code ?? '', commonPart(issue), issue.fix].join('\n')
    const told = `${issue.message}${issue.calls?.at(-1)?.module ?? ''}`
    const first = found.get(key)
    if (first === undefined) found.set(key, { issue, others: new Set([told]) })
    else first.others.add(told)
  }
  return [...found.values()].map(({ issue, others }) =>
    others.size === 1 ? issue : { ...issue, message: `${issue.message}${inOthers(others.size - 1)}` },
  )
}

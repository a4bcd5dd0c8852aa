import type { Issue } from '../schema/issue.ts'
import { placeText } from '../values/diagnose.ts'
import { inOthers } from './modules/words.ts'

/** The message without the module and the keys of instances: the rest is the same for all of them. */
const commonPart = ({ message, calls }: Issue): string => {
  const module = calls?.at(-1)?.module
  const local = module === undefined ? message : message.replaceAll(`${module}.`, '')
  return local.replaceAll(/\["(?:[^"\\]|\\.)*"\]/g, '[]')
}

/**
 * Each problem once, in the order of `issues`. What several instances of one written value have in common is one problem:
 * the first instance tells it, with the number of the others.
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

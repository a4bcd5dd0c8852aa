import { useState } from 'preact/hooks'
import type { ApiAnswer, PageProblem } from '../data/api.ts'

export interface StartedAction<Value> {
  readonly isRunning: boolean
  /** Why the last attempt failed. */
  readonly problem?: PageProblem
  readonly run: (work: () => Promise<ApiAnswer<Value>>) => Promise<Value | undefined>
}

/** Something that a reader starts, once at a time. */
export const useAction = <Value>(): StartedAction<Value> => {
  const [state, setState] = useState<{ readonly isRunning: boolean; readonly problem?: PageProblem }>({
    isRunning: false,
  })
  const run = async (work: () => Promise<ApiAnswer<Value>>): Promise<Value | undefined> => {
    setState({ isRunning: true })
    const answered = await work()
    setState(answered.ok ? { isRunning: false } : { isRunning: false, problem: answered.problem })
    return answered.ok ? answered.value : undefined
  }
  return { ...state, run }
}

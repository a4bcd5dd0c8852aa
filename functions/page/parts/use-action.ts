import { useState } from 'preact/hooks'
import type { Answered, Problem } from '../data/api.ts'

interface Action<Value> {
  readonly isRunning: boolean
  /** Why the last attempt failed. */
  readonly problem?: Problem
  readonly run: (work: () => Promise<Answered<Value>>) => Promise<Value | undefined>
}

/** Something that a reader starts, once at a time. */
export const useAction = <Value>(): Action<Value> => {
  const [state, setState] = useState<{ readonly isRunning: boolean; readonly problem?: Problem }>({ isRunning: false })
  const run = async (work: () => Promise<Answered<Value>>): Promise<Value | undefined> => {
    setState({ isRunning: true })
    const answered = await work()
    setState(answered.ok ? { isRunning: false } : { isRunning: false, problem: answered.problem })
    return answered.ok ? answered.value : undefined
  }
  return { ...state, run }
}

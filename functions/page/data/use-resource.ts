import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ApiAnswer, PageProblem } from './api.ts'

export interface Resource<Value> {
  /** The last one that was read, also when it could not be read again. */
  readonly value?: Value
  /** Why the last attempt failed; absent after a good one. */
  readonly problem?: PageProblem
  /** When the value was read, in milliseconds since 1970. */
  readonly at?: number
  readonly isLoading: boolean
  readonly reload: () => void
}

interface Freshness {
  /** In milliseconds: read again this long after the last answer, while the page is visible. Absent: never. */
  readonly every?: number | undefined
  /** What is read under another key of the same group takes the place of the former value, which is shown until then. */
  readonly group?: string | undefined
}

interface ReadKey {
  readonly key: string | undefined
  readonly group: string | undefined
}

const isOne = (shown: ReadKey, asked: ReadKey): boolean =>
  shown.key === asked.key || (shown.group !== undefined && shown.group === asked.group && asked.key !== undefined)

/** What got no answer is asked for again. */
export const againMs = 10_000

type Load<Value> = (signal: AbortSignal) => Promise<ApiAnswer<Value>>

type ReadState<Value> = Omit<Resource<Value>, 'reload'>

const next = <Value>(former: ReadState<Value>, answered: ApiAnswer<Value>): ReadState<Value> =>
  answered.ok
    ? { value: answered.value, at: Date.now(), isLoading: false }
    : { ...former, problem: answered.problem, isLoading: false }

/** Calls back when the page is visible again, because a hidden page is not worth a request. */
const whenVisible = (work: () => void): (() => void) => {
  if (document.visibilityState === 'visible') {
    work()
    return () => {}
  }
  const once = () => document.visibilityState === 'visible' && work()
  document.addEventListener('visibilitychange', once, { once: true })
  return () => document.removeEventListener('visibilitychange', once)
}

/**
 * Reads something and keeps it fresh. `key` names what is read: with another key all begins anew; `undefined` reads nothing.
 */
export const useResource = <Value>(
  key: string | undefined,
  load: Load<Value>,
  { every, group }: Freshness = {},
): Resource<Value> => {
  const [state, setState] = useState<ReadState<Value> & ReadKey>({ key, group, isLoading: true })
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    if (key === undefined) return
    const control = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let forget = () => {}
    const read = async () => {
      const answered = await latest.current(control.signal).catch(() => undefined)
      if (control.signal.aborted || answered === undefined) return
      setState((former) => ({
        ...next(former.key === key ? former : { isLoading: true }, answered),
        key,
        group,
      }))
      const isLost = !answered.ok && answered.problem.status === 0
      const pause = every ?? (isLost ? againMs : undefined)
      if (pause !== undefined)
        timer = setTimeout(() => {
          forget = whenVisible(() => void read())
        }, pause)
    }
    setState((former) =>
      isOne(former, { key, group }) ? { ...former, isLoading: true } : { key, group, isLoading: true },
    )
    void read()
    return () => {
      control.abort()
      clearTimeout(timer)
      forget()
    }
  }, [key, group, every, round])
  const reload = useCallback(() => setRound((n) => n + 1), [])
  const { key: _, group: __, ...shown } = state
  return isOne(state, { key, group }) ? { ...shown, reload } : { isLoading: true, reload }
}

import type { ComponentChildren } from 'preact'
import type { PageProblem } from '../data/api.ts'
import { linkTo } from '../data/place.ts'
import type { Resource } from '../data/use-resource.ts'
import { Copy } from './copy.tsx'
import { Raw, saidIn } from './raw.tsx'
import { Time } from './time.tsx'

export const Loading = ({ what }: { readonly what: string }) => (
  <p class="empty" role="status">
    Reading {what} …
  </p>
)

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <div class="empty">{children}</div>

interface ProblemNoteProps {
  readonly problem: PageProblem
  /** Absent: there is nothing to try again. */
  readonly retry?: () => void
}

/** What went wrong, what to do, and what to quote to an operator. */
export const ProblemNote = ({ problem, retry }: ProblemNoteProps) => (
  <div class="note bad" role="alert">
    <p>
      <b>{saidIn(problem.detail).words}</b> <code>{problem.code}</code>
    </p>
    <Raw of={saidIn(problem.detail).raw} />
    {problem.status === 404 ? (
      <p>
        <a href={linkTo([])}>All workspaces</a>
      </p>
    ) : (
      problem.hint !== '' && <p>{problem.hint}</p>
    )}
    {problem.instance !== undefined && (
      <p class="dim">
        <code>{problem.instance}</code> <Copy text={problem.instance} what="the name of this request" />
      </p>
    )}
    {retry !== undefined && (
      <button type="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
)

interface ShownProps<Value> {
  readonly of: Resource<Value>
  /** What is read, for example `the workspaces`. */
  readonly what: string
  readonly children: (value: Value) => ComponentChildren
}

/** The states of everything that is read: loading, failed, and an older value that could not be read again. */
export const Shown = <Value,>({ of: { value, problem, at, reload }, what, children }: ShownProps<Value>) => {
  if (value === undefined) return problem ? <ProblemNote problem={problem} retry={reload} /> : <Loading what={what} />
  return (
    <>
      {problem !== undefined && at !== undefined && (
        <p class="note warn" role="status">
          Shown as it was <Time at={new Date(at).toISOString()} />: {saidIn(problem.detail).words}.{' '}
          <button type="button" class="quiet small" onClick={reload}>
            Try again
          </button>
        </p>
      )}
      {children(value)}
    </>
  )
}

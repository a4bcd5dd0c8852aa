import type { ComponentChildren } from 'preact'
import type { Me } from '../data/context.ts'
import { linkTo, type PagePlace, workspaceLink } from '../data/place.ts'
import { Mark } from './mark.tsx'

interface FrameProps {
  readonly me: Me
  readonly place: PagePlace
  /** The session has ended: what is shown stays, and nothing new comes. */
  readonly hasEnded: boolean
  readonly signInAgain: () => Promise<void>
  readonly leave: () => void
  readonly children: ComponentChildren
}

/** The content, from where somebody without a mouse goes on. */
export const enterMain = () => document.querySelector<HTMLElement>('main')?.focus()

/** What is around every view: the way back, and who reads. */
export const Frame = ({ me, place, hasEnded, signInAgain, leave, children }: FrameProps) => {
  const [, workspace] = place.path
  return (
    <>
      <button type="button" class="skip" onClick={enterMain}>
        Skip to the content
      </button>
      <header class="top">
        <nav aria-label="Where you are">
          <a href={linkTo([])} class="home" aria-current={workspace === undefined ? 'page' : undefined}>
            <Mark /> Plumbline
          </a>
          {workspace !== undefined && (
            <>
              <span aria-hidden="true">/</span>
              <a href={workspaceLink(workspace)} class="clip">
                {workspace}
              </a>
            </>
          )}
        </nav>
        <div class="who">
          <span class="clip" title={`${me.subject}\n${me.issuer ?? ''}`}>
            {me.subject}
          </span>
          <button type="button" class="quiet small" onClick={leave}>
            Sign out
          </button>
        </div>
      </header>
      {hasEnded && (
        <div class="note warn banner" role="alert">
          <p>Your session has ended. What you have typed is kept.</p>
          <button type="button" class="main" onClick={() => void signInAgain()}>
            Sign in again
          </button>
        </div>
      )}
      <main tabIndex={-1}>{children}</main>
    </>
  )
}

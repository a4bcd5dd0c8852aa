import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { printable } from '../../../core/pages/render/draw.ts'
import { createApi } from '../data/api.ts'
import { type Me, ReaderOf, readerOf } from '../data/context.ts'
import { usePlace } from '../data/use-place.ts'
import { useResource } from '../data/use-resource.ts'
import { Loading, Shown } from '../parts/states.tsx'
import { tellOtherTabs, watchOtherTabs } from '../session/other-tabs.ts'
import { begin, type FirstView, type ReaderSession } from '../session/session.ts'
import { enterMain, Frame } from './frame.tsx'
import { SignedOut } from './signed-out.tsx'
import { View } from './view.tsx'

/** Tells titles apart in the tabs of a browser. */
const titleOf = (path: readonly string[]): string => {
  const [, workspace, view] = path
  return printable([workspace, view, 'Plumbline'].filter((part) => part !== undefined).join(' · '))
}

const SignedIn = ({ session, leave }: { readonly session: ReaderSession; readonly leave: () => void }) => {
  const [hasEnded, setHasEnded] = useState(false)
  const api = useMemo(() => createApi(session, () => setHasEnded(true)), [session])
  const me = useResource('me', (signal) => api.call<Me>('/me', { signal }))
  const place = usePlace()
  const path = place.path.join('/')
  const former = useRef(path)
  useEffect(() => {
    document.title = titleOf(place.path)
    if (former.current === path) return
    former.current = path
    // Where a link was that is gone now, a screen reader would begin at the top of the page.
    if (document.activeElement === document.body || document.activeElement === null) enterMain()
  }, [path])
  return (
    <Shown of={me} what="who you are">
      {(known) => (
        <ReaderOf value={readerOf(api, known)}>
          <Frame me={known} place={place} hasEnded={hasEnded} signInAgain={session.signInAgain} leave={leave}>
            <View place={place} />
          </Frame>
        </ReaderOf>
      )}
    </Shown>
  )
}

/** The page: first who reads, then what they ask for. */
export const App = () => {
  const [start, setStart] = useState<FirstView>()
  const findOut = useCallback(() => void begin().then(setStart), [])
  useEffect(findOut, [])
  const session = start?.kind === 'signed_in' ? start.session : undefined
  const end = () => {
    session?.end()
    setStart({ kind: 'signed_out', detail: 'you have signed out', ...(session && { signIn: session.signInAgain }) })
  }
  useEffect(() => (session === undefined ? undefined : watchOtherTabs(end)), [session])
  if (start === undefined || start.kind === 'leaving') return <Loading what="who you are" />
  if (start.kind === 'signed_out')
    return <SignedOut detail={start.detail} signIn={start.signIn} retry={start.isUnknown && findOut} />
  const leave = () => {
    tellOtherTabs()
    end()
  }
  return <SignedIn session={start.session} leave={leave} />
}

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { isAllowed, type Right, type RightScope } from '../../rights.ts'
import { type PageApi, signedOutProblem } from './api.ts'

/** `GET /v1/me` */
export interface Me {
  readonly subject: string
  readonly issuer?: string
  readonly expiresAt?: string
  readonly rights: readonly Right[]
}

interface PageReader {
  readonly api: PageApi
  readonly me: Me
  readonly may: (scope: RightScope, workspace?: string) => boolean
}

const signedOut = async () => ({ ok: false, problem: signedOutProblem }) as const

/** Outside of the frame nobody reads, and nothing can be asked. */
const ReaderContext = createContext<PageReader>({
  api: { call: signedOut, all: signedOut },
  me: { subject: '', rights: [] },
  may: () => false,
})
export const ReaderOf = ReaderContext.Provider

export const readerOf = (api: PageApi, me: Me): PageReader => ({
  api,
  me,
  may: (scope, workspace) => isAllowed(me.rights, scope, workspace),
})

/** Who reads, and how they reach the API. */
export const useReader = (): PageReader => useContext(ReaderContext)

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { isAllowed, type Right, type RightScope } from '../../rights.ts'
import { type Api, signedOutProblem } from './api.ts'

/** `GET /v1/me` */
export interface Me {
  readonly subject: string
  readonly issuer?: string
  readonly expiresAt?: string
  readonly rights: readonly Right[]
}

interface Reader {
  readonly api: Api
  readonly me: Me
  readonly may: (scope: RightScope, workspace?: string) => boolean
}

const signedOut = async () => ({ ok: false, problem: signedOutProblem }) as const

/** Outside of the frame nobody reads, and nothing can be asked. */
const ReaderContext = createContext<Reader>({
  api: { call: signedOut, all: signedOut },
  me: { subject: '', rights: [] },
  may: () => false,
})
export const ReaderOf = ReaderContext.Provider

export const readerOf = (api: Api, me: Me): Reader => ({
  api,
  me,
  may: (scope, workspace) => isAllowed(me.rights, scope, workspace),
})

/** Who reads, and how they reach the API. */
export const useReader = (): Reader => useContext(ReaderContext)

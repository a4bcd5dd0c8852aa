import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { isAllowed, type Right, type RightScope } from '../../rights.ts'
import type { Api } from './api.ts'

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

const ReaderContext = createContext<Reader | undefined>(undefined)
export const ReaderOf = ReaderContext.Provider

export const readerOf = (api: Api, me: Me): Reader => ({
  api,
  me,
  may: (scope, workspace) => isAllowed(me.rights, scope, workspace),
})

/** Who reads, and how they reach the API. Views are shown only inside of it. */
export const useReader = (): Reader => {
  const reader = useContext(ReaderContext)
  if (reader === undefined) throw new TypeError('a view is outside of the reader')
  return reader
}

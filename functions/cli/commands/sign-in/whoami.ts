import type { Context, Exit } from '../../context.ts'
import { findSession } from '../../sign-in/sessions.ts'
import { endpointIn, tellWho } from '../../sign-in/tell-who.ts'
import { command } from '../command.ts'

const whoami = async (context: Context): Promise<Exit> => {
  const endpoint = endpointIn(context)
  // A sign-in of earlier says nothing about who signs now.
  const session = endpoint.sign === undefined ? await findSession(endpoint.url, context.host) : undefined
  return tellWho(endpoint, session, context)
}

export const commands = [
  command({
    name: 'whoami',
    example: 'plumbline whoami',
    description: 'Shows who a deployment takes you for, what you may do in which workspaces, and when the token ends.',
    run: (context: Context) => whoami(context),
  }),
]

import { accountOf, ok, param, type Shelf } from '../server/call.ts'
import { refuse } from '../server/refusal.ts'
import { userView } from '../views/accounts.ts'

export const accounts: Shelf = {
  'users/get-authenticated': (call) =>
    call.actor.kind === 'installation' || call.actor.kind === 'app'
      ? refuse(403, 'Resource not accessible by integration')
      : ok(userView(call.world, accountOf(call, call.actor.login))),
  'users/get-by-username': (call) => ok(userView(call.world, accountOf(call, param(call, 'username')))),
}

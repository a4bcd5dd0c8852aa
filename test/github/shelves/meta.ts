import { listed, ok, organizationOf, type Shelf } from '../server/call.ts'
import { auditView, entriesOf } from '../views/audit.ts'

export const meta: Shelf = {
  'meta/get': () =>
    ok({
      verifiable_password_authentication: false,
      ssh_key_fingerprints: {},
      hooks: ['192.0.2.0/24'],
      api: ['192.0.2.0/24'],
      actions: ['192.0.2.0/24'],
    }),
  /** It does not count against the limit. */
  'rate-limit/get': (call) => {
    const core = call.limit()
    return ok({ resources: { core, graphql: call.limit('graphql'), search: core }, rate: core })
  },
  'orgs/get-audit-log': (call) => listed(entriesOf(call, organizationOf(call)), (each) => auditView(call.world, each)),
}

import { isIPv4, isIPv6 } from 'node:net'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { isArray } from '../../../core/engine/schema/json.ts'
import { objectOf } from '../servers/json-routes.ts'
import { byUrl, type WaldurState } from './waldur-state.ts'

/* The rules of security groups of the Waldur stand-in. */

export const isCidr = (text: string): boolean => {
  const [address = '', length = '', ...more] = text.split('/')
  const longest = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1
  return more.length === 0 && /^\d+$/.test(length) && Number(length) <= longest
}

/** What is wrong with rules: each must say its ports, -1 for all of them, and its network in the form of one. */
export const refusedRules = (given: Json | undefined): Json | undefined => {
  const problems = (isArray(given) ? given : []).map((rule): JsonObject => {
    const { cidr = null, ...members } = objectOf(rule)
    const lacking = ['to_port', 'from_port'].find((name) => (members[name] ?? null) === null)
    if (lacking !== undefined) return { [lacking]: ['Empty value is not allowed.'] }
    return typeof cidr === 'string' && !isCidr(cidr) ? { cidr: ['Expected CIDR format.'] } : {}
  })
  return problems.every((problem) => Object.keys(problem).length === 0) ? undefined : problems
}

/** Rules come back with what they left out, and with ids of the server. */
export const rulesOf = (state: WaldurState, given: Json | undefined): JsonObject[] =>
  (isArray(given) ? given : []).map((rule) => {
    state.counters.rule += 1
    const { remote_group = null } = objectOf(rule)
    const other = byUrl(state, 'openstack-security-groups', remote_group)
    return {
      ...{ ethertype: 'IPv4', direction: 'ingress', protocol: '', from_port: -1, to_port: -1, cidr: null },
      ...{ description: '', ...objectOf(rule), remote_group },
      ...(other === undefined
        ? {}
        : { remote_group_name: other['name'] ?? '', remote_group_uuid: other['uuid'] ?? '' }),
      id: 85_616 + state.counters.rule,
    }
  })

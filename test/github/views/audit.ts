import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { Call } from '../server/call.ts'
import type { AuditEntry, Organization, World } from '../state/shapes.ts'
import { keyOf } from '../state/world.ts'

/** `action:repo.create actor:alice repo:acme/web created:>=2030-01-01`, with a `-` in front of what must not be. */
const fits = (entry: AuditEntry, term: string): boolean => {
  const [, not, key = '', text = ''] = /^(-?)(\w+):(.+)$/.exec(term) ?? []
  const value = key === 'action' ? entry.action : String(entry.facts[key] ?? '')
  const found =
    key === 'created' ? isCreated(entry, text) : key === 'action' ? `${value}.`.startsWith(`${text}.`) : value === text
  return found !== (not === '-')
}

const isCreated = ({ at }: AuditEntry, text: string): boolean => {
  const [, sign = '', from = ''] = /^(>=|<=|>|<)?(.+)$/.exec(text) ?? []
  const [start = '', end] = from.split('..')
  const moment = Date.parse(start)
  if (end !== undefined) return at >= moment && at <= Date.parse(end)
  if (sign === '>=') return at >= moment
  if (sign === '<=') return at <= moment
  if (sign === '>') return at > moment
  if (sign === '<') return at < moment
  return new Date(at).toISOString().startsWith(start)
}

/** The newest first, unless the query turns it. */
export const entriesOf = ({ world, query }: Call, { login }: Organization): readonly AuditEntry[] => {
  const { phrase = '', order = 'desc' } = query
  const terms = String(phrase)
    .split(/\s+/)
    .filter((term) => term.includes(':'))
  const own = world.audit.filter(
    (entry) => keyOf(entry.organization) === keyOf(login) && terms.every((term) => fits(entry, term)),
  )
  return order === 'asc' ? own : own.reverse()
}

export const auditView = (world: World, entry: AuditEntry): JsonObject => ({
  '@timestamp': entry.at,
  _document_id: Buffer.from(`${world.audit.indexOf(entry)}`).toString('base64url'),
  action: entry.action,
  created_at: entry.at,
  org: entry.organization,
  org_id: world.organizations.get(keyOf(entry.organization))?.id ?? 0,
  ...entry.facts,
})

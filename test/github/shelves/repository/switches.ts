import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { type Call, done, type Handler, ok, repositoryOf, type Shelf } from '../../server/call.ts'
import { notFound, refuse } from '../../server/refusal.ts'
import type { Repository } from '../../state/parts.ts'

/** What is on or off: each with a way of its own to say so. */

type Name = Parameters<Repository['enabled']['add']>[0]

const turn =
  (name: Name, isOn: boolean, check?: (repository: Repository, call: Call) => void): Handler =>
  (call) => {
    const repository = repositoryOf(call)
    check?.(repository, call)
    if (isOn) repository.enabled.add(name)
    else repository.enabled.delete(name)
    // Fixes are made from alerts.
    if (name === 'alerts' && !isOn) repository.enabled.delete('fixes')
    return done
  }

const needsAlerts = ({ enabled }: Repository): void => {
  if (!enabled.has('alerts')) refuse(422, 'Vulnerability alerts must be enabled to configure automated security fixes.')
}

const needsPublic = ({ settings }: Repository): void => {
  if (settings['visibility'] !== 'public')
    refuse(422, 'Private vulnerability reporting is only available on public repositories.')
}

/** The organisation may decide for its repositories. */
const isEnforced = ({ world }: Call, { owner, id }: Repository): boolean => {
  const { enforced, repositories } = world.organizations.get(owner.toLowerCase())?.immutableReleases ?? {}
  return enforced === 'all' || (enforced === 'selected' && repositories?.has(id) === true)
}

const mayChange = (repository: Repository, call: Call): void => {
  if (isEnforced(call, repository)) refuse(409, 'Immutable releases are enforced by the organization.')
}

export const switches: Shelf = {
  'repos/check-vulnerability-alerts': (call) => (repositoryOf(call).enabled.has('alerts') ? done : notFound()),
  'repos/enable-vulnerability-alerts': turn('alerts', true),
  'repos/disable-vulnerability-alerts': turn('alerts', false),
  'repos/check-automated-security-fixes': (call) => {
    const { enabled } = repositoryOf(call)
    if (!enabled.has('alerts')) notFound()
    return ok({ enabled: enabled.has('fixes'), paused: false } satisfies JsonObject)
  },
  'repos/enable-automated-security-fixes': turn('fixes', true, needsAlerts),
  'repos/disable-automated-security-fixes': turn('fixes', false),
  'repos/check-private-vulnerability-reporting': (call) => ok({ enabled: repositoryOf(call).enabled.has('reporting') }),
  'repos/enable-private-vulnerability-reporting': turn('reporting', true, needsPublic),
  'repos/disable-private-vulnerability-reporting': turn('reporting', false, needsPublic),
  'repos/check-immutable-releases': (call) => {
    const repository = repositoryOf(call)
    const enforced = isEnforced(call, repository)
    return enforced || repository.enabled.has('immutable')
      ? ok({ enabled: true, enforced_by_owner: enforced })
      : notFound()
  },
  'repos/enable-immutable-releases': turn('immutable', true, mayChange),
  'repos/disable-immutable-releases': turn('immutable', false, mayChange),
}

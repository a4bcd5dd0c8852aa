import * as z from 'zod'
import { AppError } from '../../errors/errors.ts'
import { digestOfText, isSignature } from '../../json/digest.ts'
import { foreignJson } from '../../json/parse-foreign.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import type { GithubSource } from '../../schema/stored/source.ts'
import { keys } from '../../state/store/keys.ts'
import { findWorkspace } from '../../state/workspaces/workspaces.ts'
import { confined } from '../../transport/secrets/secrets.ts'
import { present } from '../../values/defined.ts'
import { requestCheck } from '../check/request-check.ts'
import type { Deps } from '../deps.ts'
import type { Delivery, deliveryResults } from './delivery.ts'

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#push */
const pushShape = z.object({ ref: z.string(), repository: z.object({ full_name: z.string() }) })

const secretOf = async (workspace: string, source: string, deps: Deps): Promise<string> => {
  try {
    return await confined(deps.secrets, workspace, deps.secretRules).resolve(source)
  } catch (cause) {
    // An unauthenticated caller must not learn the names of secrets.
    throw new AppError('WEBHOOK_UNAVAILABLE', {}, { cause })
  }
}

/**
 * Whether the delivery is a push to the ref of the source. A signed body of another form is another event, such as
 * `ping`.
 */
const isAbout = ({ repository, ref }: GithubSource, body: string): boolean => {
  const parsed = pushShape.safeParse(foreignJson(body))
  if (!parsed.success) return false
  const { ref: pushed, repository: from } = parsed.data
  if (from.full_name.toLowerCase() !== repository.toLowerCase()) return false
  return [ref, `refs/${ref}`, `refs/heads/${ref}`, `refs/tags/${ref}`].includes(pushed)
}

/**
 * Events about what can be managed: https://docs.github.com/en/webhooks/webhook-events-and-payloads. All others, such as those
 * about code and issues, come far more often.
 */
const watchedEvents: ReadonlySet<string> = new Set([
  'branch_protection_configuration',
  'branch_protection_rule',
  'custom_property',
  'custom_property_values',
  'deploy_key',
  'label',
  'member',
  'membership',
  'organization',
  'page_build',
  'public',
  'repository',
  'repository_ruleset',
  'security_and_analysis',
  'team',
  'team_add',
])

const eventShape = z.object({ organization: z.object({ login: z.string() }) })

/** Whether the delivery is about something of the organisation that can be managed. */
const isChange = (organization: string, { body, event }: Delivery): boolean => {
  const parsed = eventShape.safeParse(foreignJson(body))
  if (!parsed.success || parsed.data.organization.login.toLowerCase() !== organization.toLowerCase()) return false
  return event === undefined || watchedEvents.has(event)
}

interface Hook {
  readonly secret: string
  /** Who announces it. */
  readonly subject: string
  isAbout(delivery: Delivery): boolean
}

/** The webhooks of a workspace: of the repository with its files, and of the organisation that it manages. */
const hooksOf = ({ source, events }: Pick<Workspace, 'source' | 'events'>): readonly Hook[] => {
  const { github: files } = source ?? {}
  const { github: target } = events ?? {}
  return present<Hook>(
    files?.webhookSecret && {
      secret: files.webhookSecret.secret,
      subject: files.repository,
      isAbout: ({ body }) => isAbout(files, body),
    },
    target && {
      secret: target.webhookSecret.secret,
      subject: target.organization,
      isAbout: (delivery) => isChange(target.organization, delivery),
    },
  )
}

/** The hooks whose secret signed the delivery. A secret that cannot be read hides no other one. */
const signedBy = async (
  hooks: readonly Hook[],
  { workspace, body, signature = '' }: Delivery,
  deps: Deps,
): Promise<readonly Hook[]> => {
  const failures: unknown[] = []
  const signed: Hook[] = []
  for (const hook of hooks) {
    const secret = await secretOf(workspace, hook.secret, deps).catch((error: unknown) => void failures.push(error))
    if (secret !== undefined && isSignature(signature, body, secret)) signed.push(hook)
  }
  if (signed.length === 0 && failures.length > 0) throw failures[0]
  return signed
}

const keptSeconds = 30 * 24 * 3600

/**
 * Requests a check for a signed push to the ref of the source, or a signed event of the organisation that is managed.
 * Nothing else of the delivery is used; the check reads everything itself. A repeated delivery requests nothing. Throws
 * WEBHOOK_REFUSED, with the same message whatever is wrong, and WEBHOOK_UNAVAILABLE.
 */
export const receiveWebhook = async (delivery: Delivery, deps: Deps): Promise<(typeof deliveryResults)[number]> => {
  const { workspace, body, signature } = delivery
  const { store, clock } = deps
  const found = await findWorkspace(store, workspace)
  const hooks = found === undefined || signature === undefined ? [] : hooksOf(found)
  const signed = await signedBy(hooks, delivery, deps)
  if (signed.length === 0) throw new AppError('WEBHOOK_REFUSED', {})
  const about = signed.find((hook) => hook.isAbout(delivery))
  if (about === undefined || found?.paused !== undefined) return 'ignored'
  const key = keys.delivery(workspace, digestOfText(body))
  if ((await store.get(key)) !== undefined) return 'ignored'
  const actor = { subject: `github:${about.subject}`, via: 'webhook' } as const
  const { queued } = await requestCheck({ workspace, actor, follows: true }, deps)
  // A delivery is recorded only after it led to a check, so that GitHub can deliver the others again.
  await store.write([{ kind: 'put', item: { ...key, ttl: Math.floor(clock.now().getTime() / 1000) + keptSeconds } }])
  return queued ? 'queued' : 'pending'
}

import * as z from 'zod'
import { AppError } from '../../errors/errors.ts'
import { digestOfText, isSignature } from '../../json/digest.ts'
import type { GithubSource } from '../../schema/stored/source.ts'
import { keys } from '../../state/store/keys.ts'
import { findWorkspace } from '../../state/workspaces/workspaces.ts'
import { confined } from '../../transport/secrets/secrets.ts'
import { requestCheck } from '../check/request-check.ts'
import type { Deps } from '../deps.ts'

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#push */
const pushShape = z.object({ ref: z.string(), repository: z.object({ full_name: z.string() }) })

export const deliveryResults = ['queued', 'pending', 'ignored'] as const

export interface Delivery {
  readonly workspace: string
  /** The exact text that was received, because the signature is over its bytes. */
  readonly body: string
  readonly signature: string | undefined
}

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
  const parsed = pushShape.safeParse(readJson(body))
  if (!parsed.success) return false
  const { ref: pushed, repository: from } = parsed.data
  if (from.full_name.toLowerCase() !== repository.toLowerCase()) return false
  return [ref, `refs/${ref}`, `refs/heads/${ref}`, `refs/tags/${ref}`].includes(pushed)
}

const readJson = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const keptSeconds = 30 * 24 * 3600

/**
 * Requests a check for a signed push to the ref of the source. Nothing else of the delivery is used; the check reads
 * the source itself. A repeated delivery requests nothing. Throws WEBHOOK_REFUSED, with the same message whatever is
 * wrong, and WEBHOOK_UNAVAILABLE.
 */
export const receiveWebhook = async (
  { workspace, body, signature }: Delivery,
  deps: Deps,
): Promise<(typeof deliveryResults)[number]> => {
  const { store, clock } = deps
  const found = await findWorkspace(store, workspace)
  const { github } = found?.source ?? {}
  if (github?.webhookSecret === undefined || signature === undefined) throw new AppError('WEBHOOK_REFUSED', {})
  const secret = await secretOf(workspace, github.webhookSecret.secret, deps)
  if (!isSignature(signature, body, secret)) throw new AppError('WEBHOOK_REFUSED', {})
  if (!isAbout(github, body) || found?.paused !== undefined) return 'ignored'
  const key = keys.delivery(workspace, digestOfText(body))
  if ((await store.get(key)) !== undefined) return 'ignored'
  const actor = { subject: `github:${github.repository}`, via: 'webhook' } as const
  const { queued } = await requestCheck({ workspace, actor, follows: true }, deps)
  // A delivery is recorded only after it led to a check, so that GitHub can deliver the others again.
  await store.write([{ kind: 'put', item: { ...key, ttl: Math.floor(clock.now().getTime() / 1000) + keptSeconds } }])
  return queued ? 'queued' : 'pending'
}

import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { byId, type Call, done, listed, ok, repositoryOf, type Shelf } from '../../server/call.ts'
import { invalid } from '../../server/refusal.ts'
import type { Autolink, DeployKey, Repository } from '../../state/parts.ts'
import { shaped } from '../../views/shaped.ts'

/** Deploy keys and autolinks: made and deleted, never changed. */

const keyView = ({ world }: Call, { owner, name }: Repository, key: DeployKey): JsonObject =>
  shaped('deploy-key', {
    ...key,
    url: `${world.url}/repos/${owner}/${name}/keys/${key.id}`,
    verified: true,
    last_used: null,
    enabled: true,
  })

/** The type and the key; what stands behind them is a comment, and GitHub does not keep it. */
const bareKey = (text: string): string => {
  const [type = '', material = ''] = text.trim().split(/\s+/)
  if (!/^(ssh|ecdsa|sk)-/.test(type) || material === '')
    invalid('PublicKey', 'key', 'custom', 'key is invalid. You must supply a key in OpenSSH public key format')
  return `${type} ${material}`
}

const addKey = (call: Call) => {
  const { world, actor } = call
  const repository = repositoryOf(call)
  const { title = '', key: text, read_only = false } = call.body as unknown as DeployKey
  const key = bareKey(text)
  // A key opens one repository at GitHub, not two.
  const isUsed = [...world.repositories.values()].some(({ keys }) =>
    [...keys.values()].some((each) => each.key === key),
  )
  if (isUsed) invalid('PublicKey', 'key', 'custom', 'key is already in use')
  const made: DeployKey = {
    id: world.newId(),
    key,
    title: title === '' ? key.slice(-20) : title,
    read_only,
    added_by: actor.login,
    created_at: world.now(),
  }
  repository.keys.set(made.id, made)
  return ok(keyView(call, repository, made), 201)
}

const addLink = (call: Call) => {
  const { world } = call
  const { autolinks } = repositoryOf(call)
  const { key_prefix, url_template, is_alphanumeric = true } = call.body as unknown as Autolink
  if ([...autolinks.values()].some((each) => each.key_prefix === key_prefix))
    invalid('KeyLink', 'key_prefix', 'already_exists')
  if (!url_template.includes('<num>')) invalid('KeyLink', 'url_template', 'custom', 'url_template must contain <num>')
  const link: Autolink = { id: world.newId(), key_prefix, url_template, is_alphanumeric, updated_at: world.now() }
  autolinks.set(link.id, link)
  return ok({ ...link }, 201)
}

export const keysAndLinks: Shelf = {
  'repos/list-deploy-keys': (call) => {
    const repository = repositoryOf(call)
    return listed(repository.keys.values(), (key) => keyView(call, repository, key))
  },
  'repos/create-deploy-key': addKey,
  'repos/get-deploy-key': (call) => {
    const repository = repositoryOf(call)
    return ok(keyView(call, repository, byId(call, repository.keys, 'key_id')))
  },
  'repos/delete-deploy-key': (call) => {
    const { keys } = repositoryOf(call)
    keys.delete(byId(call, keys, 'key_id').id)
    return done
  },
  'repos/list-autolinks': (call) => listed(repositoryOf(call).autolinks.values(), (link) => ({ ...link })),
  'repos/create-autolink': addLink,
  'repos/get-autolink': (call) => ok({ ...byId(call, repositoryOf(call).autolinks, 'autolink_id') }),
  'repos/delete-autolink': (call) => {
    const { autolinks } = repositoryOf(call)
    autolinks.delete(byId(call, autolinks, 'autolink_id').id)
    return done
  },
}

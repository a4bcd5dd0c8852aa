import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import {
  type Call,
  done,
  listed,
  ok,
  organizationOf,
  param,
  type Reply,
  repositoryOf,
  type Shelf,
} from '../../server/call.ts'
import { notFound, refuse } from '../../server/refusal.ts'
import type { Secret, Vault, VaultKind } from '../../state/parts.ts'
import { openSealedBox } from '../../state/sealed-box.ts'
import { keyOf } from '../../state/world.ts'
import { environmentOf } from '../repository/environments.ts'
import { addSelected, listSelected, reaches, removeSelected, replaceSelected, setSelected } from './selected.ts'

/** Secrets of three kinds at three places: they differ in where they stand and in whether an organisation shares them. */

interface Place {
  readonly vault: Vault
  readonly url: string
  readonly isShared: boolean
}

const view = ({ url, isShared }: Place, { name, visibility, created_at, updated_at }: Secret): JsonObject => ({
  name,
  created_at,
  updated_at,
  ...(isShared ? { visibility } : {}),
  ...(isShared && visibility === 'selected' ? { selected_repositories_url: `${url}/${name}/repositories` } : {}),
})

/** Names come back in capital letters. */
const checkName = (name: string): string => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || /^GITHUB_/i.test(name))
    refuse(
      422,
      `Secret names can only contain alphanumeric characters and underscores, and must not start with GITHUB_: ${name}`,
    )
  return name.toUpperCase()
}

const secretOf = (call: Call, { vault }: Place): Secret =>
  vault.secrets.get(param(call, 'secret_name').toUpperCase()) ?? notFound()

/** What was sealed for the key of the place, in clear: the value never leaves the stand-in by an operation. */
const valueIn = (vault: Vault, { encrypted_value: sealed, key_id: key }: JsonObject): string | undefined => {
  if (sealed === undefined) return undefined
  if (key !== vault.keyId) refuse(422, 'Bad request - key_id is not the id of the public key')
  const value = openSealedBox(Buffer.from(String(sealed), 'base64'), vault.publicKey, vault.privateKey)
  return value ?? refuse(422, 'Bad request - improperly encrypted secret')
}

/** 201 for a new one, 204 for one that is there. */
const put = (call: Call, { vault, isShared }: Place): Reply => {
  const name = checkName(param(call, 'secret_name'))
  const known = vault.secrets.get(name)
  const value = valueIn(vault, call.body) ?? known?.value ?? refuse(422, 'encrypted_value is missing')
  const now = call.world.now()
  const repositories = known?.repositories ?? new Set<number>()
  const { visibility = 'all', selected_repository_ids: ids } = call.body
  if (isShared && ids !== undefined) setSelected(repositories, ids)
  vault.secrets.set(name, {
    name,
    value,
    visibility: String(visibility),
    repositories,
    created_at: known?.created_at ?? now,
    updated_at: now,
  })
  return known === undefined ? ok({}, 201) : done
}

const keyView = ({ vault }: Place): Json => ({
  key_id: vault.keyId,
  key: Buffer.from(vault.publicKey).toString('base64'),
})

const inOrder = ({ vault }: Place): readonly Secret[] =>
  [...vault.secrets.values()].sort((a, b) => (a.name < b.name ? -1 : 1))

const shelfOf = (kind: string, where: string, placeOf: (call: Call) => Place): Shelf => ({
  [`${kind}/list-${where}-secrets`]: (call) => {
    const place = placeOf(call)
    return listed(inOrder(place), (each) => view(place, each), 'secrets')
  },
  [`${kind}/get-${where}-public-key`]: (call) => ok(keyView(placeOf(call))),
  [`${kind}/get-${where}-secret`]: (call) => ok(view(placeOf(call), secretOf(call, placeOf(call)))),
  [`${kind}/create-or-update-${where}-secret`]: (call) => put(call, placeOf(call)),
  [`${kind}/delete-${where}-secret`]: (call) => {
    const place = placeOf(call)
    place.vault.secrets.delete(secretOf(call, place).name)
    return done
  },
})

const kinds: readonly VaultKind[] = ['actions', 'dependabot', 'codespaces']

const inOrganization =
  (kind: VaultKind) =>
  (call: Call): Place => {
    const { vaults, login } = organizationOf(call)
    return { vault: vaults[kind], url: `${call.world.url}/orgs/${login}/${kind}/secrets`, isShared: true }
  }

const inRepository =
  (kind: VaultKind) =>
  (call: Call): Place => ({ vault: repositoryOf(call).vaults[kind], url: '', isShared: false })

const sharingShelf = (kind: VaultKind): Shelf => {
  const shared = (call: Call): Secret => secretOf(call, inOrganization(kind)(call))
  return {
    [`${kind}/list-selected-repos-for-org-secret`]: (call) => listSelected(call, shared(call)),
    [`${kind}/set-selected-repos-for-org-secret`]: (call) => replaceSelected(call, shared(call)),
    [`${kind}/add-selected-repo-to-org-secret`]: (call) => addSelected(call, shared(call)),
    [`${kind}/remove-selected-repo-from-org-secret`]: (call) => removeSelected(call, shared(call)),
  }
}

export const secrets: Shelf = {
  ...Object.assign({}, ...kinds.map((kind) => shelfOf(kind, 'org', inOrganization(kind)))),
  ...Object.assign({}, ...kinds.map(sharingShelf)),
  ...Object.assign({}, ...kinds.map((kind) => shelfOf(kind, 'repo', inRepository(kind)))),
  ...shelfOf('actions', 'environment', (call) => ({ vault: environmentOf(call).secrets, url: '', isShared: false })),
  'actions/list-repo-organization-secrets': (call) => {
    const repository = repositoryOf(call)
    const vault = call.world.organizations.get(keyOf(repository.owner))?.vaults.actions
    const place = { vault: vault ?? notFound(), url: '', isShared: false }
    return listed(
      inOrder(place).filter((each) => reaches(each, repository)),
      (each) => view(place, each),
      'secrets',
    )
  },
}

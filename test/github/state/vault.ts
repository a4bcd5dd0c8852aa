import { generateKeyPairSync } from 'node:crypto'
import type { Vault, VaultKind } from './parts.ts'
import type { World } from './shapes.ts'
import { keyOf } from './world.ts'

/** An X25519 key pair of its own, as each organisation, repository and environment has one. */
export const newVault = (world: World): Vault => {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const raw = (text: string | undefined): Uint8Array => Buffer.from(text ?? '', 'base64url')
  return {
    keyId: String(world.newId() + 568_250_167_242_549_000),
    publicKey: raw(publicKey.export({ format: 'jwk' }).x),
    privateKey: raw(privateKey.export({ format: 'jwk' }).d),
    secrets: new Map(),
  }
}

/** A key pair is made where somebody asks for it: thousands of repositories need none. */
const lazily = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

export const newVaults = (world: World): Readonly<Record<VaultKind, Vault>> => {
  const actions = lazily(() => newVault(world))
  const dependabot = lazily(() => newVault(world))
  const codespaces = lazily(() => newVault(world))
  return {
    get actions() {
      return actions()
    },
    get dependabot() {
      return dependabot()
    },
    get codespaces() {
      return codespaces()
    },
  }
}

/** Of an organisation, a repository or an environment: `acme`, `acme/web`, `acme/web/production`. */
export const vaultAt = (world: World, place: string, kind: VaultKind): Vault | undefined => {
  const [owner = '', name, environment] = place.split('/')
  if (name === undefined) return world.organizations.get(keyOf(owner))?.vaults[kind]
  const repository = world.repositories.get(world.repositoryIds.get(keyOf(owner, name)) ?? 0)
  return environment === undefined
    ? repository?.vaults[kind]
    : repository?.environments.get(keyOf(environment))?.secrets
}

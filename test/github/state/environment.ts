import type { Environment, EnvironmentProtection, Repository } from './parts.ts'
import type { World } from './shapes.ts'
import { newVault } from './vault.ts'
import { keyOf } from './world.ts'

export const openProtection: EnvironmentProtection = {
  wait_timer: 0,
  prevent_self_review: false,
  can_admins_bypass: true,
  reviewers: [],
  deployment_branch_policy: null,
}

/** The one of that name, made where there is none. Names are told apart without regard to case. */
export const addEnvironment = (world: World, { environments }: Repository, name: string): Environment => {
  const known = environments.get(keyOf(name))
  if (known !== undefined) return known
  const environment: Environment = {
    id: world.newId(),
    name,
    protection: openProtection,
    policies: new Map(),
    secrets: newVault(world),
    variables: new Map(),
    created_at: world.now(),
    updated_at: world.now(),
  }
  environments.set(keyOf(name), environment)
  return environment
}

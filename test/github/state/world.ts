import type { Clock } from '../server/clock.ts'
import type { Account, World } from './shapes.ts'

export const newWorld = (clock: Clock): World => {
  let last = 1000
  return {
    url: '',
    clock,
    accounts: new Map(),
    organizations: new Map(),
    repositories: new Map(),
    repositoryIds: new Map(),
    movedRepositories: new Map(),
    apps: new Map(),
    installations: new Map(),
    audit: [],
    newId: () => {
      last += 1
      return last
    },
    now: () => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`,
  }
}

export const keyOf = (...parts: readonly string[]): string => parts.join('/').toLowerCase()

export const addAccount = (world: World, login: string, type: Account['type'] = 'User'): Account => {
  const known = world.accounts.get(keyOf(login))
  if (known !== undefined) return known
  const account: Account = { id: world.newId(), login, type, name: null }
  world.accounts.set(keyOf(login), account)
  return account
}

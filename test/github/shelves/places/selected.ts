import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { type Call, done, listed, param, type Reply } from '../../server/call.ts'
import { refuse } from '../../server/refusal.ts'
import { minimalRepository } from '../../views/repositories.ts'

/** What an organisation shares with all, with private, or with selected repositories. */
export interface Sharing {
  readonly visibility: string
  readonly repositories: Set<number>
}

const whereSelected = ({ visibility }: Sharing): void => {
  if (visibility !== 'selected') refuse(409, 'Visibility is not set to selected')
}

export const setSelected = (into: Set<number>, ids: unknown): void => {
  into.clear()
  for (const id of ids as readonly (number | string)[]) into.add(Number(id))
}

export const listRepositories = ({ world }: Call, ids: ReadonlySet<number>, view = minimalRepository): Reply => {
  const found = [...ids].flatMap((id) => world.repositories.get(id) ?? [])
  return listed(found, (each) => view(world, each), 'repositories')
}

/** The four operations below `/repositories` of something that is shared. */
export const listSelected = (call: Call, shared: Sharing): Reply => {
  whereSelected(shared)
  return listRepositories(call, shared.repositories)
}

export const replaceSelected = ({ body }: Call, shared: Sharing): Reply => {
  whereSelected(shared)
  setSelected(shared.repositories, body['selected_repository_ids'])
  return done
}

export const addSelected = (call: Call, shared: Sharing): Reply => {
  whereSelected(shared)
  shared.repositories.add(Number(param(call, 'repository_id')))
  return done
}

export const removeSelected = (call: Call, shared: Sharing): Reply => {
  whereSelected(shared)
  shared.repositories.delete(Number(param(call, 'repository_id')))
  return done
}

/** The organisation's ones that a repository can use. */
export const reaches = (
  { visibility, repositories }: Sharing,
  { id, settings }: { readonly id: number; readonly settings: JsonObject },
): boolean =>
  visibility === 'all' ||
  (visibility === 'private' && settings['visibility'] !== 'public') ||
  (visibility === 'selected' && repositories.has(id))

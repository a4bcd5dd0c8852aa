import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { invalid, refuse } from '../../server/refusal.ts'
import type { Repository } from '../../state/parts.ts'
import type { World } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'

/** What holds for the settings of a repository, when it is made and when it is changed. */

/** The characters that GitHub allows; all others become a hyphen. */
const repositoryName = (name: string): string => name.replaceAll(/[^A-Za-z0-9._-]+/g, '-')

export const freeName = (world: World, owner: string, name: string, own?: Repository): string => {
  const wanted = repositoryName(name)
  const taken = world.repositoryIds.get(keyOf(owner, wanted))
  if (taken !== undefined && taken !== own?.id)
    invalid('Repository', 'name', 'custom', 'name already exists on this account')
  return wanted
}

/** `visibility` wins over `private`. */
export const visibilityIn = ({ visibility, private: isPrivate }: JsonObject): JsonObject => {
  if (typeof visibility === 'string') return { visibility }
  return isPrivate === undefined ? {} : { visibility: isPrivate === true ? 'private' : 'public' }
}

const squashTitles: Readonly<Record<string, readonly string[]>> = {
  PR_TITLE: ['PR_BODY', 'BLANK', 'COMMIT_MESSAGES'],
  COMMIT_OR_PR_TITLE: ['COMMIT_MESSAGES'],
}
const mergeTitles: Readonly<Record<string, readonly string[]>> = {
  PR_TITLE: ['PR_BODY', 'BLANK'],
  MERGE_MESSAGE: ['PR_TITLE'],
}

/**
 * A title fits only to some messages: https://docs.github.com/en/rest/repos/repos#update-a-repository says that a message needs its
 * title beside it.
 */
export const checkMessages = (body: JsonObject, now: JsonObject): void => {
  for (const [kind, pairs] of [
    ['squash_merge', squashTitles],
    ['merge', mergeTitles],
  ] as const) {
    const title = body[`${kind}_commit_title`]
    const message = body[`${kind}_commit_message`]
    if (title === undefined && message === undefined) continue
    const isPair = pairs[String(title)]?.includes(String(message ?? now[`${kind}_commit_message`]))
    if (!isPair)
      refuse(422, 'Validation Failed', { errors: ['Sorry, that combination of title and message is not valid.'] })
  }
}

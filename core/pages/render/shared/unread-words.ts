import type { UnknownReason } from '../../../engine/schema/resource.ts'

/** What exactly could not be read, and what it needs; it follows the reason. */
export const uncheckedWords = (attributes: readonly string[] | undefined, permission: string | undefined): string => {
  const which = attributes === undefined ? '' : ` (only ${attributes.join(', ')})`
  return `${which}${permission === undefined ? '' : `; it needs ${permission}`}`
}

/** Why something could not be read. */
export const unknownWords: Readonly<Record<UnknownReason, string>> = {
  unauthorised: 'authentication failed',
  not_offered: 'the plan of the account does not include it',
  forbidden: 'read permission is missing',
  rate_limited: 'the target limits the request rate',
  server_error: 'the target failed',
  timeout: 'no answer in time',
  network: 'the target cannot be reached',
  bad_body: 'the response has an unexpected format',
  ambiguous: 'it is not certain which object it is',
  page_limit: 'the listing has too many pages',
  budget: 'a read limit was exceeded',
  deadline:
    'the check ran out of time before reading it; set `limits.time: 2h` in the workspace, or more `reads.list.seconds` for a list',
  unexpected_status: 'the response has an unexpected status',
  unresolved: 'a value that identifies it is not known',
  dependency: 'a dependency is not known',
  secret: 'a secret that it needs cannot be resolved',
  outside_root: 'it is outside the allowed directory',
  busy: 'another change of it is in progress',
  other_place: 'it was recorded at another target',
  other_parent: 'what contains it is another object now',
  out_of_sight: 'its provider may not show it any more',
  erred: 'it exists, but is in an error state',
  unsupported: 'it cannot be read in this way',
  provider_fault: 'its provider is at fault',
}

import { conflict, invalid, notFound, ours, remote, unavailable, user } from './error-entry.ts'

export const workspaceErrors = {
  WORKSPACE_NOT_FOUND: notFound<{ workspace: string }>({
    message: ({ workspace }) => `workspace "${workspace}" does not exist`,
    hint: 'if a deployment has it, name that with --endpoint; `plumbline workspace list` lists those that are here',
  }),
  UNDO_IMPOSSIBLE: conflict<{ apply: string; detail: string }>({
    message: ({ apply, detail }) => `apply ${apply} cannot be undone: ${detail}`,
    hint: 'name an apply that has sent commands, as `plumbline ledger list` shows them; after an undo, `plumbline apply` sends what the configuration says',
  }),
  WORKSPACE_REMOVED: user<{ workspace: string; at: string; by: string; reason: string }>({
    status: 410,
    message: ({ workspace, at, by, reason }) => `the workspace "${workspace}" was removed ${at} by ${by}: ${reason}`,
    hint: 'its ledger and runs are kept; `plumbline workspace push --reuse` creates a new workspace with this name',
  }),
  WORKSPACE_MISMATCH: invalid<{ expected: string; found: string }>({
    message: ({ expected, found }) => `the configuration names the workspace "${found}", the request "${expected}"`,
    hint: 'use the same name in both',
  }),
  WORKSPACE_CLAIMED: conflict<{ workspace: string; here: string; there: string; at: string; by: string }>({
    message: ({ workspace, here, there, at, by }) =>
      `the workspace "${workspace}" belongs to ${there} (stored ${at} by ${by}), not to ${here}; nothing was read or changed`,
    hint: 'rename `workspace:` in one of the two; or move it: run `plumbline workspace push --claim` in the new folder',
  }),
  WORKSPACE_HAS_PREVIEWS: conflict<{ workspace: string; previews: readonly string[] }>({
    message: ({ workspace, previews }) =>
      `the workspace "${workspace}" has previews, which can only be destroyed without it: ${previews.join(', ')}`,
    hint: 'destroy each of them first (`plumbline preview destroy --branch <name>`); `plumbline workspace remove --with-previews` does both',
  }),
  VERSION_NOT_FOUND: notFound<{ workspace: string; version: number }>({
    message: ({ workspace, version }) => `workspace "${workspace}" has no version ${version} of its configuration`,
    hint: '`plumbline workspace history` lists the versions',
  }),
  VERSION_CONFLICT: conflict<{ workspace: string; expected: number; found: number }>({
    message: ({ workspace, expected, found }) =>
      `the configuration of workspace "${workspace}" has version ${found}, and not ${expected}`,
    hint: 'another user changed it: look at `plumbline workspace history` and decide again; nothing was changed',
  }),
  VERSION_CURRENT: conflict<{ workspace: string; version: number }>({
    message: ({ workspace, version }) =>
      `the configuration of workspace "${workspace}" already has the content of version ${version}`,
    hint: '`plumbline workspace history` lists the versions; nothing was changed',
  }),
  PREVIEW_REFUSED: conflict<{ preview: string; detail: string }>({
    message: ({ preview, detail }) => `the preview "${preview}" cannot be used: ${detail}`,
    hint: 'check the workspace itself first, from its own branch; docs/preview.md explains previews. Nothing was changed',
  }),
  WORKSPACE_SOURCED: conflict<{ workspace: string; source: string }>({
    message: ({ workspace, source }) => `the configuration of workspace "${workspace}" is read from ${source}`,
    hint: 'push a commit there; or end it with `plumbline source remove`. Nothing was changed',
  }),
  EPISODE_NOT_FOUND: notFound<{ workspace: string; episode: string }>({
    message: ({ workspace, episode }) => `workspace "${workspace}" has no episode "${episode}"`,
    hint: '`plumbline episodes list` lists the latest episodes; each new one has another id',
  }),
  EPISODE_RESOLVED: conflict<{ episode: string; at: string }>({
    message: ({ episode, at }) => `episode ${episode} ended at ${at}`,
    hint: 'nothing has to be done: it sends no more alerts. `plumbline episodes list` lists those that are open',
  }),
  SNOOZE_INVALID: user<{ until: string; now: string; days: number }>({
    message: ({ until, now, days }) =>
      `a snooze cannot end at ${until}: that is not within ${days} days from now (${now})`,
    hint: 'name a time that is in the future, and not further away',
  }),
  SOURCE_NOT_FOUND: notFound<{ workspace: string }>({
    message: ({ workspace }) => `the configuration of workspace "${workspace}" is pushed, and read from nowhere`,
    hint: '`plumbline source set` names a Git repository',
  }),
  SOURCE_UNREADABLE: remote<{ source: string; detail: string; kept: string }>({
    message: ({ source, detail, kept }) =>
      `the configuration could not be read from ${source}: ${detail}; nothing was checked, and ${kept} is still stored`,
    hint: 'check the repository, the ref and the right of the token to read contents; the next check tries again',
  }),
  SOURCE_INVALID: invalid<{ source: string; commit: string; detail: string; kept: string }>({
    message: ({ source, commit, detail, kept }) =>
      `commit ${commit} of ${source} has no valid configuration: ${detail}; nothing was checked, and ${kept} is still stored`,
    hint: 'push a commit that corrects it; the next check reads it',
  }),
  PULL_REQUEST_FAILED: remote<{ repository: string; detail: string }>({
    message: ({ repository, detail }) => `no pull request was opened in ${repository}: ${detail}`,
    hint: 'check the repository, the branch and the rights of GITHUB_TOKEN; no file of this machine was changed',
  }),
  SIGN_IN_REFUSED: remote<{ issuer: string; detail: string }>({
    message: ({ issuer, detail }) => `${issuer} did not sign you in: ${detail}`,
    hint: 'check --issuer, --client-id and --scope; the client must be a public one with the redirect http://localhost:8976/callback',
  }),
  SIGN_IN_EXPIRED: user<{ endpoint: string; detail: string }>({
    status: 401,
    message: ({ endpoint, detail }) => `the sign-in for ${endpoint} has ended: ${detail}`,
    hint: '`plumbline login` signs in again',
  }),
  IDENTITY_MISSING: user<{ detail: string }>({
    status: 401,
    message: ({ detail }) => `the request cannot be signed: ${detail}`,
    hint: 'the AWS CLI finds the same: `aws sts get-caller-identity` must work here; `aws sso login` signs in again, AWS_REGION names a region',
  }),
  SIGNATURE_REFUSED: user<{ endpoint: string; key: string; detail: string }>({
    status: 403,
    message: ({ endpoint, key, detail }) => `${endpoint} refuses what the access key ...${key} signed: ${detail}`,
    hint: 'use the endpoint for machines; a policy must allow `execute-api:Invoke` on it, and the setting `machines` must name the ARN that `aws sts get-caller-identity` shows',
  }),
  WEBHOOK_REFUSED: user<Record<never, never>>({
    status: 401,
    message: () => 'this is not a signed delivery of a webhook that this workspace has',
    hint: 'compare the URL and the secret of the webhook with `plumbline source show`, or with `events` of the configuration',
  }),
  WEBHOOK_UNAVAILABLE: unavailable<Record<never, never>>({
    message: () => 'the secret of the webhook could not be read',
    hint: 'deliver it again later; the log of the API has the reason',
  }),
  BASE_MOVED: conflict<{ base: string }>({
    message: ({ base }) => `the workspace "${base}" has changed since this write of its preview was decided`,
    hint: 'nothing was sent; apply again: it decides anew what belongs to the workspace',
  }),
  STATE_NOT_FOUND: notFound<{ workspace: string }>({
    message: ({ workspace }) => `nothing is recorded of workspace "${workspace}" yet`,
    hint: 'the first check records what it finds: run `plumbline check`',
  }),
  STATE_INVALID: invalid<{ detail: string }>({
    message: ({ detail }) => `this state cannot be imported: ${detail}`,
    hint: 'use a file that `plumbline state export` wrote; nothing was changed',
  }),
  STATE_FOREIGN: conflict<{ of: 'workspace' | 'lineage'; stored: string; found: string }>({
    message: ({ of, stored, found }) => `the state belongs to ${of} ${found}, and not to ${stored}`,
    hint: 'import the state of this workspace and of this lineage; `plumbline state list` shows both. Nothing was changed',
  }),
  STATE_OUTDATED: conflict<{ stored: number; found: number }>({
    message: ({ stored, found }) => `the state has serial ${found}, and serial ${stored} is stored`,
    hint: 'export the state again and repeat your change; to go back on purpose, import a backup (`plumbline state backups`)',
  }),
  RECORD_NOT_FOUND: notFound<{ workspace: string; address: string }>({
    message: ({ workspace, address }) => `nothing is recorded of "${address}" in workspace "${workspace}"`,
    hint: '`plumbline state list` lists the recorded addresses; quote an address that contains brackets for the shell',
  }),
  MOVE_REFUSED: conflict<{ from: string; to: string; detail: string }>({
    message: ({ from, to, detail }) => `the record of ${from} cannot move to ${to}: ${detail}`,
    hint: 'correct the addresses, and quote brackets for the shell; nothing was changed',
  }),
  APPLY_UNFINISHED: conflict<{ workspace: string; apply: string }>({
    message: ({ workspace, apply }) => `apply ${apply} of workspace "${workspace}" has begun and not ended`,
    hint: 'wait for its end; if its process is dead, `plumbline apply --digest DIGEST` with the digest of a check ends it first',
  }),
  BACKUP_NOT_FOUND: notFound<{ workspace: string; backup: string }>({
    message: ({ workspace, backup }) => `workspace "${workspace}" has no backup "${backup}"`,
    hint: '`plumbline state backups` lists them; a backup is kept for 90 days, or as the settings of the deployment say',
  }),
  SCHEDULE_INVALID: ours<{ detail: string }>({
    message: ({ detail }) => `the stored schedule is invalid: ${detail}`,
    hint: 'store the configuration again with `plumbline workspace push`',
  }),
  QUEUE_UNAVAILABLE: unavailable<{ queue: string; detail: string }>({
    message: ({ queue, detail }) => `the queue for ${queue} did not accept the message: ${detail}`,
    hint: 'nothing was started; try again in a few seconds, an apply with the same Idempotency-Key',
  }),
  ANCHORS_UNAVAILABLE: unavailable<{ what: string; detail: string }>({
    message: ({ what, detail }) => `the head of a ledger was not anchored: ${what} answered ${detail}`,
    hint: 'nothing else is affected, and it is tried again each minute; check the key, the bucket and the rights of the function',
  }),
  CHECK_LOST: remote<{ workspace: string; requestedAt: string }>({
    message: ({ workspace, requestedAt }) =>
      `the check of workspace "${workspace}" that was requested at ${requestedAt} left no run and is no longer pending`,
    hint: 'check again; if it fails again, look at the log and the dead-letter queue of the check function',
  }),
  APPLY_STRANDED: ours<{ apply: string; resent: number }>({
    message: ({ apply, resent }) => `apply ${apply} was queued again ${resent} times and never completed`,
    hint: 'look at the log and the dead-letter queue of the apply function; then check again and approve the remaining commands',
  }),
} as const

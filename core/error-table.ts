import { entry, ours, remote, user } from './error-entry.ts'
import { keeping } from './error-table-keeping.ts'
import { waysIn } from './error-table-ways-in.ts'
import type { Issue } from './schema/issue.ts'
import type { CommandOutcome, Left } from './schema/records.ts'
import type { UnknownReason } from './schema/resource.ts'
import { blockedText, leftText } from './values/left-text.ts'

/** Every reason to stop. docs/errors.md is generated from it. */
export const errorTable = {
  CONFIG_INVALID: entry<{ issues: readonly Issue[] }>({
    ...user,
    status: 422,
    message: ({ issues }) =>
      `the configuration has ${issues.length} problem${issues.length === 1 ? '' : 's'}:\n${issues
        .map(
          (issue) =>
            `  ${issue.file}:${issue.line}:${issue.column}: ${issue.message}${issue.value === undefined ? '' : ` (is: ${issue.value})`}; ${issue.fix}`,
        )
        .join('\n')}`,
    hint: 'correct each line; `plumbline validate` lists them again',
  }),
  CONFIG_NOT_FOUND: entry<{ path: string }>({
    ...user,
    status: 404,
    message: ({ path }) => `no configuration at ${path}`,
    hint: 'name the folder that holds plumbline.yaml, plumbline.json or plumbline.jsonc',
  }),
  GRAPH_CYCLE: entry<{ cycle: readonly string[] }>({
    ...user,
    status: 422,
    message: ({ cycle }) => `the resources depend on each other in a circle: ${cycle.join(' -> ')}`,
    hint: 'remove one of these dependencies',
  }),
  WRITE_IN_CHECK: entry<{ method: string; url: string }>({
    ...ours,
    message: ({ method, url }) => `a check may only read, and refused to send ${method} ${url}`,
    hint: 'report this: a provider tried to write while reading',
  }),
  REQUEST_FAILED: entry<{
    method: string
    url: string
    detail: string
    reason?: 'network' | 'timeout' | 'cancelled' | 'unsent'
  }>({
    ...remote,
    message: ({ method, url, detail }) => `${method} ${url} failed: ${detail}`,
    hint: 'look at the target; a read is tried again by itself, a write is not',
  }),
  ADDRESS_REFUSED: entry<{ method: string; url: string; address: string }>({
    ...user,
    status: 424,
    message: ({ method, url, address }) =>
      `${method} ${url} was not sent: ${address} is an address of the machine that would send it, or of what hands out its credentials`,
    hint: 'name the target by an address of its own; one on this very machine is reached by the command, and not by the functions in the cloud',
  }),
  BUDGET_EXCEEDED: entry<{ of: string; limit: string }>({
    ...remote,
    message: ({ of, limit }) => `${of} takes more than its ${limit}`,
    hint: 'narrow what is listed, or raise `reads.list` of the provider document or `limits` of the workspace',
  }),
  DEADLINE_REACHED: entry<{ of: string; seconds: number }>({
    ...remote,
    status: 504,
    message: ({ of, seconds }) => `${of} takes longer than the ${seconds} s that it has`,
    hint: 'look at what is slow; then raise `limits.time` of the workspace or `reads.list` of the provider document, or declare less in one workspace',
  }),
  HOST_SILENT: entry<{ what: string; detail: string; reason: 'timeout' | 'network' }>({
    ...remote,
    message: ({ what, detail }) => `${what} does not answer (${detail}), and was not asked again`,
    hint: 'look at the target and the way there; the next check asks anew',
  }),
  INTERRUPTED: entry<{ what: string }>({
    ...user,
    status: 503,
    exit: 3,
    message: ({ what }) => `${what} was interrupted; nothing was kept of it`,
    hint: 'begin again',
  }),
  RESPONSE_TOO_LARGE: entry<{ method: string; url: string; limit: number }>({
    ...remote,
    retryable: false,
    message: ({ method, url, limit }) => `the answer to ${method} ${url} is larger than ${limit} bytes`,
    hint: 'raise `maxBodyBytes` of the provider, or read less',
  }),
  RESPONSE_INVALID: entry<{ method: string; url: string; detail: string }>({
    ...remote,
    message: ({ method, url, detail }) => `the answer to ${method} ${url} cannot be read: ${detail}`,
    hint: 'look at what answers at this address; a proxy or login page is the usual cause',
  }),
  REQUEST_INCOMPLETE: entry<{ method: string; url: string; detail: string }>({
    ...remote,
    retryable: false,
    message: ({ method, url, detail }) => `${method} ${url} was not sent: ${detail}`,
    hint: 'check again: the next plan knows what this one did not',
  }),
  SECRET_UNRESOLVED: entry<{ source: string; detail: string }>({
    ...user,
    status: 424,
    message: ({ source, detail }) => `the secret ${source} cannot be resolved: ${detail}`,
    hint: 'set it where this process runs, or correct the reference',
  }),
  SIGN_IN_FAILED: entry<{ method: string; url: string; detail: string; reason: UnknownReason }>({
    ...remote,
    message: ({ method, url, detail }) => `signing in failed: ${method} ${url} ${detail}`,
    hint: 'check the credentials and where the provider signs in; nothing was sent without a token',
  }),
  STORE_CONFLICT: entry<{ what: string }>({
    ...remote,
    status: 409,
    message: ({ what }) => `somebody else changed ${what} at the same time`,
    hint: 'try again',
  }),
  STORE_CORRUPT: entry<{ what: string; detail: string }>({
    ...ours,
    message: ({ what, detail }) => `the stored ${what} is damaged: ${detail}`,
    hint: 'restore the table to a point in time before the damage',
  }),
  STORE_UNAVAILABLE: entry<{ detail: string }>({
    ...remote,
    status: 503,
    message: ({ detail }) => `the store does not answer: ${detail}`,
    hint: 'check AWS_ENDPOINT_URL_DYNAMODB, the network and the permissions',
  }),
  STORE_FULL: entry<{ detail: string }>({
    ...remote,
    status: 507,
    message: ({ detail }) => `the store has no room for more: ${detail}`,
    hint: 'make room on the disk that holds .plumbline, and run the same again: nothing that was stored is lost',
  }),
  ALERT_REFUSED: entry<{ detail: string }>({
    ...remote,
    message: ({ detail }) => `the alert was not taken over: ${detail}`,
    hint: 'it waits, and goes out later under the same id; look at the topic, its key and the network',
  }),
  STATE_NEWER: entry<{ found: string; known: string }>({
    ...user,
    status: 409,
    message: ({ found, known }) => `the stored state has format ${found}, this version knows up to ${known}`,
    hint: 'use a newer plumbline',
  }),
  LOCKED: entry<{ workspace: string; holder: string; until: string }>({
    ...user,
    retryable: true,
    status: 423,
    message: ({ workspace, holder, until }) => `workspace ${workspace} is locked by ${holder} until ${until}`,
    hint: 'wait; the lock of a process that died can be taken over once it was seen unchanged for as long as its lease lasts',
  }),
  LOCK_LOST: entry<{ workspace: string }>({
    ...remote,
    status: 409,
    message: ({ workspace }) => `the lock on workspace ${workspace} was lost; nothing was sent after that`,
    hint: 'check again and apply what is left',
  }),
  STALE_PLAN: entry<{ approved: string; current: string; command: string; detail: string; sent: number }>({
    ...user,
    status: 409,
    exit: 2,
    message: ({ command, detail, approved, current, sent }) =>
      `what was approved is not what would be sent now: ${command} ${detail} (approved ${approved}, now ${current}); ${sent === 0 ? 'nothing was sent' : `nothing was sent after the first ${sent}`}`,
    hint: 'check again, read the new commands and approve their digest',
  }),
  TARGET_UNREAD: entry<{ address: string; detail: string; more: number; sent: number }>({
    ...remote,
    retryable: false,
    message: ({ address, detail, more, sent }) =>
      `${address}${more === 0 ? '' : ` and ${more} more`} could not be read for this apply: ${detail}; ${sent === 0 ? 'nothing was sent' : `nothing was sent after the first ${sent}`}`,
    hint: 'mend what it names, the target, the secret or the way there, and apply the same digest again',
  }),
  APPROVAL_DIFFERS: entry<{ digest: string; targets: readonly string[]; narrow: string; commands: number }>({
    ...user,
    status: 409,
    exit: 2,
    message: ({ digest, targets, narrow, commands }) =>
      `${digest} approves the commands of all resources; ${targets.join(', ')} would send ${commands} of them, with the digest ${narrow}`,
    hint: 'look at what these targets would send, and approve that digest: `plumbline show --target <address>`',
  }),
  TARGET_CHANGED: entry<{ address: string; command: string; detail: string }>({
    ...user,
    status: 409,
    exit: 2,
    message: ({ address, command, detail }) =>
      `${address} changed between the plan and ${command}: ${detail}; it was not sent`,
    hint: 'check again and approve the new commands',
  }),
  TEMPLATE_VALUE_MISSING: entry<{ variable: string; detail: string }>({
    ...user,
    status: 422,
    message: ({ variable, detail }) => `a request of the provider document needs {${variable}}, which ${detail}`,
    hint: 'give the attribute a value, or, where the API can do without it, mark it as optional: {name?}',
  }),
  TARGET_STALE: entry<{ address: string; command: string; status: number }>({
    ...user,
    status: 409,
    exit: 2,
    message: ({ address, command, status }) =>
      `${address} changed since it was read for ${command}: the target refused the stale write (${status})`,
    hint: 'check again and approve the new commands',
  }),
  OBJECT_CHANGED: entry<{ object: string; detail: string }>({
    ...user,
    status: 409,
    exit: 2,
    message: ({ object, detail }) => `${object} cannot be sent back: ${detail}; the write was not sent`,
    hint: 'check again and approve the new commands; name members that the server changes by itself as computed, or under drop',
  }),
  PLAN_NOT_FOUND: entry<{ digest: string }>({
    ...user,
    status: 404,
    message: ({ digest }) => `no check of this workspace has planned the commands ${digest}`,
    hint: 'take the digest from the latest check',
  }),
  POLICY_REFUSED: entry<{ detail: string }>({
    ...user,
    status: 403,
    message: ({ detail }) => `the policy refuses this apply: ${detail}`,
    hint: 'apply fewer targets, or change `policy` in the configuration',
  }),
  APPLY_FAILED: entry<{ command: string; detail: string }>({
    ...remote,
    retryable: false,
    message: ({ command, detail }) => `${command} failed: ${detail}`,
    hint: 'the ledger names what was sent; check again to see what is left',
  }),
  NOT_CONVERGED: entry<{ left: readonly Left[] }>({
    ...remote,
    retryable: false,
    status: 409,
    exit: 2,
    message: ({ left }) => `all commands succeeded, and yet these are not as they should be: ${leftText(left)}`,
    hint: 'look at the plan of the latest check: the target took the requests and did something else, or cannot be read',
  }),
  ALL_BLOCKED: entry<{ blocked: readonly CommandOutcome[] }>({
    ...user,
    status: 409,
    message: ({ blocked }) => `every change is blocked, and nothing was sent: ${blockedText(blocked)}`,
    hint: 'take away what blocks them, for each its reason stands beside it, and check again',
  }),
  TARGET_UNKNOWN: entry<{ target: string; why?: string }>({
    ...user,
    message: ({ target, why }) => `the plan has no commands for "${target}"${why === undefined ? '' : `: ${why}`}`,
    hint: 'name addresses that the plan lists, for example pdns_zone.main',
  }),
  RUN_NOT_FOUND: entry<{ run: string }>({
    ...user,
    status: 404,
    message: ({ run }) => `there is no run "${run}"`,
    hint: 'list the runs of the workspace',
  }),
  RUN_WITHOUT_PLAN: entry<{ run: string }>({
    ...user,
    status: 404,
    message: ({ run }) => `run ${run} has no plan: it failed, or is older than plans are kept`,
    hint: 'look at the run, or check again',
  }),
  APPLY_NOT_FOUND: entry<{ apply: string }>({
    ...user,
    status: 404,
    message: ({ apply }) => `there is no apply "${apply}"`,
    hint: 'use the id that the apply request answered',
  }),
  ...keeping,
  ...waysIn,
  INTERNAL: entry<{ detail: string }>({
    ...ours,
    message: ({ detail }) => `something that cannot happen did: ${detail}`,
    hint: 'report this with what you did',
  }),
} as const

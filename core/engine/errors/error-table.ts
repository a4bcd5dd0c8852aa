import type { Issue } from '../schema/issue.ts'
import type { UnknownReason } from '../schema/resource.ts'
import type { CommandOutcome, Left } from '../schema/stored/outcome.ts'
import { callsText, placeText } from '../values/diagnose.ts'
import { blockedText, firstOf, leftText } from '../values/texts/shorten.ts'
import { notRefreshed, resultWords } from '../values/words.ts'
import {
  conflict,
  forbidden,
  invalid,
  notFound,
  ours,
  permanent,
  remote,
  stale,
  unavailable,
  user,
} from './error-entry.ts'
import { entryPointErrors } from './error-table-entry-points.ts'
import { workspaceErrors } from './error-table-workspaces.ts'

const sentText = (sent: number): string =>
  sent === 0 ? 'nothing was sent' : `nothing was sent after the first ${sent}`

/**
 * A changed part of a saved plan. Structurally equal to the type in core/engine/plan, which errors/ must not import.
 */
interface MovedPart {
  readonly what: keyof typeof movedNames
  readonly approved: string | number | undefined
  readonly now: string | number | undefined
}

const movedNames = {
  lineage: 'lineage of the recorded state',
  serial: 'serial of the recorded state',
  configurationDigest: 'configuration',
  observedDigest: 'observed objects',
  engineVersion: 'engine version',
} as const

const movedText = ({ what, approved, now }: MovedPart): string =>
  /Digest$/.test(what) ? movedNames[what] : `${movedNames[what]} (was ${approved ?? 'none'}, is ${now ?? 'none'})`

const partText = (targets: readonly string[], exclude: readonly string[]): string =>
  [targets.join(', ') || 'everything', ...(exclude.length === 0 ? [] : [exclude.join(', ')])].join(' except ')

/** Every error code. docs/errors.md is generated from it. */
export const errorTable = {
  CONFIG_INVALID: invalid<{ issues: readonly Issue[] }>({
    message: ({ issues }) =>
      `the configuration has ${issues.length} problem${issues.length === 1 ? '' : 's'}:\n${issues
        .map(
          (issue) =>
            `  ${placeText(issue)}: ${issue.message}${issue.value === undefined ? '' : ` (is: ${issue.value})`}${issue.calls === undefined ? '' : ` (in ${callsText(issue.calls)})`}; ${issue.fix}`,
        )
        .join('\n')}`,
    hint: 'correct each line; `plumbline validate` lists them again',
  }),
  CONFIG_NOT_FOUND: notFound<{ path: string }>({
    message: ({ path }) => `no configuration at ${path}`,
    hint: 'name the folder that holds plumbline.yaml, or plumbline.yml, plumbline.json, plumbline.jsonc or plumbline.jsonnet',
  }),
  GRAPH_CYCLE: invalid<{ cycle: readonly string[] }>({
    message: ({ cycle }) => `the dependencies of the resources form a cycle: ${cycle.join(' -> ')}`,
    hint: 'remove one of these dependencies',
  }),
  WRITE_IN_CHECK: ours<{ method: string; url: string }>({
    message: ({ method, url }) => `a check must not write: ${method} ${url} was not sent`,
    hint: 'report this: a provider tried to write while reading',
  }),
  REQUEST_FAILED: remote<{
    method: string
    url: string
    detail: string
    reason?: 'network' | 'timeout' | 'cancelled' | 'unsent'
  }>({
    message: ({ method, url, detail }) => `${method} ${url} failed: ${detail}`,
    hint: 'check the target; reads are retried automatically, writes are not',
  }),
  ADDRESS_REFUSED: user<{ method: string; url: string; address: string }>({
    status: 424,
    message: ({ method, url, address }) =>
      `${method} ${url} was not sent: ${address} is an address of the sending machine itself or of its credential service`,
    hint: 'use the address of the target; a target on the same machine works with the command only, not with the functions on AWS',
  }),
  EXEC_UNAVAILABLE: user<{ program: string; detail: string }>({
    status: 424,
    message: ({ program, detail }) => `the program ${program} was not run: ${detail}`,
    hint: 'a provider with `source: machine` works with the command and `plumbline dev` on the machine itself; the functions on AWS run no programs',
  }),
  BUDGET_EXCEEDED: remote<{ of: string; limit: string }>({
    message: ({ of, limit }) => `${of} exceeds its limit of ${limit}`,
    hint: 'list fewer objects, or raise `reads.list` in the provider document or `limits` in the workspace',
  }),
  DEADLINE_REACHED: remote<{ of: string; seconds: number }>({
    status: 504,
    message: ({ of, seconds }) => `${of} exceeds its time limit of ${seconds} s`,
    hint: 'find out what is slow; then raise `limits.time` in the workspace or `reads.list` in the provider document, or split the workspace',
  }),
  HOST_SILENT: remote<{ what: string; detail: string; reason: 'timeout' | 'network' }>({
    message: ({ what, detail }) => `${what} does not respond (${detail}); no further requests were sent to it`,
    hint: 'check the target and the network; the next check tries again',
  }),
  INTERRUPTED: user<{ what: string }>({
    status: 503,
    exit: 3,
    message: ({ what }) => `${what} was interrupted; nothing was stored`,
    hint: 'run it again',
  }),
  RESPONSE_TOO_LARGE: permanent<{ method: string; url: string; limit: number }>({
    message: ({ method, url, limit }) => `the response to ${method} ${url} is larger than ${limit} bytes`,
    hint: 'raise `maxBodyBytes` of the provider, or read fewer objects',
  }),
  RESPONSE_INVALID: remote<{ method: string; url: string; detail: string }>({
    message: ({ method, url, detail }) => `the response to ${method} ${url} is invalid: ${detail}`,
    hint: 'check what responds at this address; a proxy or a login page is the usual cause',
  }),
  REQUEST_INCOMPLETE: permanent<{ method: string; url: string; detail: string }>({
    message: ({ method, url, detail }) => `${method} ${url} was not sent: ${detail}`,
    hint: 'check again: the next plan contains the missing value',
  }),
  SECRET_UNRESOLVED: user<{ source: string; detail: string }>({
    status: 424,
    message: ({ source, detail }) => `the secret ${source} cannot be resolved: ${detail}`,
    hint: 'set the secret where this process runs, or correct the reference',
  }),
  SIGN_IN_FAILED: remote<{ method: string; url: string; detail: string; reason: UnknownReason }>({
    message: ({ method, url, detail }) => `sign-in failed: ${method} ${url} ${detail}`,
    hint: 'check the credentials and the sign-in address of the provider; nothing was sent without a token',
  }),
  LIMIT_REACHED: remote<{ method: string; url: string; seconds: number }>({
    status: 429,
    message: ({ method, url, seconds }) =>
      `${method} ${url} was not sent: the limit of requests is used up, and begins anew in ${seconds} s`,
    hint: 'the next check goes on; check less often, keep answers (`reads.conditional`), or lower `limits.reserve` of the provider document',
  }),
  STORE_CONFLICT: remote<{ what: string }>({
    status: 409,
    message: ({ what }) => `${what} was changed by another process at the same time`,
    hint: 'try again',
  }),
  STORE_CORRUPT: ours<{ what: string; detail: string }>({
    message: ({ what, detail }) => `the stored ${what} is damaged: ${detail}`,
    hint: 'restore what was there before the damage: the table of a point in time, the file from a backup; `plumbline workspace push` stores a workspace again, and `plumbline workspace remove` removes it',
  }),
  STORE_UNAVAILABLE: unavailable<{ detail: string }>({
    message: ({ detail }) => `the store does not respond: ${detail}`,
    hint: 'try again; if it stays so, check the disk that holds .plumbline, or the network to the table, its permissions and its throttles',
  }),
  STORE_FULL: remote<{ detail: string }>({
    status: 507,
    message: ({ detail }) => `the store is full: ${detail}`,
    hint: 'free space on the disk that holds .plumbline and run the same command again; no stored data is lost',
  }),
  ALERT_REFUSED: remote<{ detail: string }>({
    message: ({ detail }) => `the alert was not published: ${detail}`,
    hint: 'it stays queued and is published later under the same id; check the topic, its key and the network',
  }),
  STATE_NEWER: conflict<{ what: string; found: string; known: string }>({
    message: ({ what, found, known }) =>
      `${what} has format ${found}; this version of plumbline knows formats up to ${known}`,
    hint: 'update plumbline',
  }),
  LOCKED: user<{ workspace: string; holder: string; until: string }>({
    retryable: true,
    status: 423,
    message: ({ workspace, holder, until }) => `workspace ${workspace} is locked by ${holder} until ${until}`,
    hint: 'wait; the lock of a crashed process expires at the end of its lease',
  }),
  LOCK_LOST: remote<{ workspace: string }>({
    status: 409,
    message: ({ workspace }) => `the lock on workspace ${workspace} was lost; nothing was sent afterwards`,
    hint: 'check again and apply the remaining commands',
  }),
  STALE_PLAN: stale<{ approved: string; current: string; command: string; detail: string; sent: number }>({
    message: ({ command, detail, approved, current, sent }) =>
      `the plan has changed since it was read: ${command} ${detail} (then ${approved}, now ${current}); ${sentText(sent)}`,
    hint: 'check again, read the new commands and approve their digest',
  }),
  SAVED_PLAN_STALE: stale<{ moved: readonly MovedPart[]; at: readonly string[]; unread: number }>({
    message: ({ moved, at, unread }) =>
      `the saved plan does not hold any more; moved since: ${moved.map(movedText).join('; ')}${at.length === 0 ? '' : `; not as it was: ${firstOf(at, 5)}`}${unread === 0 ? '' : `; ${unread} could not be read now`}; nothing was sent`,
    hint: 'check again with --out, review the new plan and apply it',
  }),
  NOT_REFRESHED: user<{ method: string; url: string }>({
    message: () => notRefreshed,
    hint: 'check again without --no-refresh',
  }),
  PLAN_FILE_INVALID: user<{ file: string; detail: string }>({
    message: ({ file, detail }) => `${file}: ${detail}`,
    hint: 'write a plan with `plumbline check --out <file>`',
  }),
  TARGET_UNREAD: permanent<{ address: string; detail: string; more: number; sent: number }>({
    message: ({ address, detail, more, sent }) =>
      `${address}${more === 0 ? '' : ` and ${more} more`} could not be read for this apply: ${detail}; ${sentText(sent)}`,
    hint: 'repair the target, the secret or the network, and apply the same digest again',
  }),
  APPROVAL_DIFFERS: stale<{
    digest: string
    targets: readonly string[]
    exclude: readonly string[]
    narrow: string
    commands: number
  }>({
    message: ({ digest, targets, exclude, narrow, commands }) =>
      `${digest} approves the commands of all resources; ${partText(targets, exclude)} would send only ${commands} of them, with the digest ${narrow}`,
    hint: 'review the commands of this part and approve their digest: `plumbline show --target <address>`, or `--exclude`',
  }),
  LEDGER_UNREAD: ours<{ workspace: string; from: string; detail: string }>({
    message: ({ workspace, from, detail }) =>
      `what was sent for workspace ${workspace} since ${from} is not certain, because ${detail}; so nothing was sent now`,
    hint: 'keep the damaged entry, `plumbline ledger verify` names it; wait until it is more than 15 minutes old, then check again, and approve that plan: what it shows is left to do',
  }),
  APPROVAL_USED: stale<{ command: string; apply: string; planned: string }>({
    message: ({ command, apply, planned }) =>
      `the approved plan is of ${planned}, and apply ${apply} has sent ${command} since then: an approval ends with its apply; nothing was sent`,
    hint: 'check again, and approve what the new plan shows; `policy.standingApprovals: true` lets an approval last',
  }),
  TARGET_CHANGED: stale<{ address: string; command: string; detail: string }>({
    message: ({ address, command, detail }) =>
      `${address} changed between the plan and ${command}: ${detail}; it was not sent`,
    hint: 'check again and approve the new commands',
  }),
  TEMPLATE_VALUE_MISSING: invalid<{ variable: string; detail: string; fix?: string }>({
    message: ({ variable, detail, fix }) =>
      fix === undefined
        ? `a request in the provider document needs {${variable}}, which ${detail}`
        : `${variable} cannot be written: ${detail}; ${fix}`,
    hint: 'set the attribute; or, if the API does not need it, mark it as optional: {name?}',
  }),
  TARGET_STALE: stale<{ address: string; command: string; status: number }>({
    message: ({ address, command, status }) =>
      `${address} changed since it was read for ${command}: the target refused the stale write (${status})`,
    hint: 'check again and approve the new commands',
  }),
  OBJECT_CHANGED: stale<{ object: string; detail: string }>({
    message: ({ object, detail }) => `${object} was not written: ${detail}`,
    hint: 'check again and approve the new commands; declare members that the server changes as computed, or list them under `drop`',
  }),
  PLAN_NOT_FOUND: notFound<{ digest: string }>({
    message: ({ digest }) => `no check of this workspace has planned commands with the digest ${digest}`,
    hint: 'use the digest of the latest check',
  }),
  POLICY_REFUSED: forbidden<{ detail: string }>({
    message: ({ detail }) => `the policy refuses this apply: ${detail}`,
    hint: 'apply fewer targets, or change `policy` in the configuration',
  }),
  APPLY_FAILED: permanent<{ command: string; detail: string; result?: 'running' | 'unknown' }>({
    message: ({ command, detail, result }) => `${command} ${resultWords[result ?? 'failed']}: ${detail}`,
    hint: 'the ledger shows what was sent; check again to see the remaining changes',
  }),
  NOT_CONVERGED: permanent<{ left: readonly Left[] }>({
    status: 409,
    exit: 2,
    message: ({ left }) => `all commands succeeded, but these resources are not as configured: ${leftText(left)}`,
    hint: 'review the plan of the latest check: the target accepted the requests but did something else, or cannot be read',
  }),
  ALL_BLOCKED: conflict<{ blocked: readonly CommandOutcome[] }>({
    message: ({ blocked }) => `all changes are blocked; nothing was sent: ${blockedText(blocked)}`,
    hint: 'remove the reasons that are listed, and check again',
  }),
  TARGET_UNKNOWN: user<{ target: string; why?: string }>({
    message: ({ target, why }) => `the plan has no commands for "${target}"${why === undefined ? '' : `: ${why}`}`,
    hint: 'use addresses from the plan, for example pdns_zone.main, or patterns such as pdns_zone.*',
  }),
  TARGET_EXCLUDED: user<{ target?: string; exclude: readonly string[] }>({
    message: ({ target, exclude }) => {
      if (target === undefined) return `nothing is left to send without ${exclude.join(', ')}`
      const [by] = exclude
      return by === target
        ? `${target} is a target, and excluded`
        : `${target} is a target, and waits for ${by}, which is excluded`
    },
    hint: 'remove the target or the exclusion',
  }),
  PLAN_OF_OTHER_STORE: notFound<{ file: string; workspace: string; run: string }>({
    message: ({ file, workspace, run }) =>
      `${file}: the store of this command does not have the check that the plan is of (run ${run} of ${workspace}): the plan is of another store, or too old`,
    hint: 'name the store of that check with --store or --endpoint, or make the plan again with `plumbline check --out`',
  }),
  RUN_NOT_FOUND: notFound<{ run: string }>({
    message: ({ run }) => `run "${run}" does not exist`,
    hint: 'list the runs of the workspace',
  }),
  RUN_WITHOUT_PLAN: notFound<{ run: string }>({
    message: ({ run }) => `run ${run} has no plan: the check failed, or the plan has expired`,
    hint: 'look at the run for its error, or check again',
  }),
  APPLY_NOT_FOUND: notFound<{ apply: string }>({
    message: ({ apply }) => `apply "${apply}" does not exist`,
    hint: 'use the id from the response to the apply request',
  }),
  ...workspaceErrors,
  ...entryPointErrors,
  INTERNAL: ours<{ detail: string }>({
    message: ({ detail }) => `internal error: ${detail}`,
    hint: 'report this with the steps that led to it',
  }),
} as const

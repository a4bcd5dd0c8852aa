import type { Command, PlannedRequest } from '../../schema/command.ts'
import { isArray, isObject, type JsonObject } from '../../schema/json.ts'
import type { Plan } from '../../schema/plan.ts'
import type { Alert } from '../../schema/stored/findings.ts'
import type { Apply, LedgerEntry, Run, Workspace } from '../../schema/stored/records.ts'
import type { Url, UrlPart } from '../../schema/value.ts'
import { defined } from '../defined.ts'
import { joinUrl, mapRequests } from '../url.ts'

/* Format 1 of plans and entries wrote `{after:<address>:<pointer>}` into the text of a URL. They are still read. */

const earlierMark = /\{after:([^:{}]+):([^{}]*)\}/

const currentUrl = (url: Url): Url =>
  typeof url === 'string'
    ? joinUrl(
        url
          .split(earlierMark)
          .flatMap<UrlPart>((text, n, all) =>
            n % 3 === 0 ? [text] : n % 3 === 1 ? [{ $after: text, pointer: all[n + 1] ?? '' }] : [],
          ),
      )
    : url

const currentRequest = (request: PlannedRequest): PlannedRequest => ({ ...request, url: currentUrl(request.url) })

const currentCommand = (command: Command): Command => mapRequests(command, currentRequest)

/** A stored plan in the current form; its digests stay as approved. */
export const currentPlan = (plan: Omit<Plan, 'formatVersion'> & { readonly formatVersion: '1' | '2' }): Plan =>
  plan.formatVersion === '2'
    ? { ...plan, formatVersion: '2' }
    : { ...plan, formatVersion: '2', commands: plan.commands.map(currentCommand) }

/** The command of a ledger entry in the current form; `undefined` if the entry has no readable command. */
export const loggedCommand = ({ command, formatVersion }: LedgerEntry): Command | undefined => {
  if (command === undefined || !isCommand(command)) return undefined
  return formatVersion === undefined ? currentCommand(command) : command
}

/** Only Plumbline writes entries, and the hash reveals a changed one: a shallow check of the members that are used is enough. */
const isCommand = (value: JsonObject): value is JsonObject & Command => {
  const { id, request } = value
  return (
    typeof id === 'string' &&
    isObject(request) &&
    typeof request['method'] === 'string' &&
    (typeof request['url'] === 'string' || isArray(request['url']))
  )
}

/* `applyId`, `runId`, `episodeId` and `configurationDigest` were stored without `Id` and `Digest`, and are still read. */

type Names = Readonly<Record<string, string>>

/** A stored record with the current member names; a record that has them already is returned unchanged. */
const withNames =
  <Shape extends object>(names: Names) =>
  (stored: Shape): Shape =>
    Object.keys(names).some((name) => Object.hasOwn(stored, name))
      ? (Object.fromEntries(Object.entries(stored).map(([name, value]) => [names[name] ?? name, value])) as Shape)
      : stored

export const currentRun = withNames<Run>({ configuration: 'configurationDigest' })
export const currentWorkspace = withNames<Workspace>({ configuration: 'configurationDigest' })
export const currentApply = withNames<Apply>({ run: 'runId' })
const renamedAlert = withNames<Alert>({ run: 'runId', episode: 'episodeId' })
/** The receiver of an alert knows from its version which names it has. */
export const currentAlert = (stored: Alert): Alert => ({ ...renamedAlert(stored), version: '2' })

/** An entry stays as it was stored, because its hash covers every member: the ids of entries with earlier names are read here. */
export const idsOf = (entry: LedgerEntry): Pick<LedgerEntry, 'applyId' | 'runId'> => {
  const { apply, run } = entry as { readonly apply?: string; readonly run?: string }
  return defined({ applyId: entry.applyId ?? apply, runId: entry.runId ?? run })
}

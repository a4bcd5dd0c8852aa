import type { Command, PlannedRequest } from '../schema/command.ts'
import { isArray, isObject, type JsonObject } from '../schema/json.ts'
import type { Plan } from '../schema/plan.ts'
import type { Alert, Apply, LedgerEntry, Run, Workspace } from '../schema/records.ts'
import type { Url, UrlPart } from '../schema/value.ts'
import { defined } from './defined.ts'
import { joinUrl, mapRequests } from './url.ts'

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

/** A stored plan in the form of today; its digests stay what was approved. */
export const currentPlan = (plan: Omit<Plan, 'formatVersion'> & { readonly formatVersion: '1' | '2' }): Plan =>
  plan.formatVersion === '2'
    ? { ...plan, formatVersion: '2' }
    : { ...plan, formatVersion: '2', commands: plan.commands.map(currentCommand) }

/** The command of a ledger entry in the form of today; `undefined` where it names none that can be read. */
export const loggedCommand = ({ command, formatVersion }: LedgerEntry): Command | undefined => {
  if (command === undefined || !isCommand(command)) return undefined
  return formatVersion === undefined ? currentCommand(command) : command
}

/** Only we write entries, and whoever changed one is found by its hash: a look at what is taken apart is enough. */
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

/** A stored record whose members have today's names; one that has them already is as it was. */
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
/** Who receives one tells by its version which names it has. */
export const currentAlert = (stored: Alert): Alert => ({ ...renamedAlert(stored), version: '2' })

/** An entry stays as it was stored, as its hash is about every member: of those of earlier names the ids are asked for here. */
export const idsOf = (entry: LedgerEntry): Pick<LedgerEntry, 'applyId' | 'runId'> => {
  const { apply, run } = entry as { readonly apply?: string; readonly run?: string }
  return defined({ applyId: entry.applyId ?? apply, runId: entry.runId ?? run })
}

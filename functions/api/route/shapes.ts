import * as z from 'zod'
import {
  applyShape,
  damagedShape,
  defined,
  episodeShape,
  ledgerEndShape,
  ledgerEntryShape,
  listedApplyShape,
  optional,
  resultCountsShape,
  runShape,
  workspaceId,
  workspaceShape,
} from '#core'
import type { AnswerShape } from './route.ts'

export const id = z.string().regex(/^[0-9A-Za-z-]{1,64}$/, 'is not an id')
export const ofWorkspace = z.strictObject({ workspace: workspaceId })
export const ofRun = z.strictObject({ workspace: workspaceId, runId: id.meta({ description: 'Id of a run.' }) })
export const ofEpisode = z.strictObject({
  workspace: workspaceId,
  episodeId: id.meta({ description: 'Id of an alert episode.' }),
})
export const ofApply = z.strictObject({ workspace: workspaceId, applyId: id.meta({ description: 'Id of an apply.' }) })

const cursor = z.string().max(2_000).meta({ description: 'The `next` of the page before, with the same filters.' })
export const paging = {
  cursor: cursor.exactOptional(),
  limit: z.coerce.number<string>().int().min(1).max(200).default(50).meta({
    type: 'integer',
    minimum: 1,
    maximum: 200,
    description: 'Largest number of items on a page; a page with fewer items may have a next page.',
  }),
}

/** Accepts any offset; the result is in UTC. */
export const instant = z.iso
  .datetime({ offset: true, error: 'is not an ISO 8601 time such as 2026-11-21T06:00:00Z' })
  .transform((text) => new Date(text).toISOString())
export const ledgerFilter = {
  from: optional(instant, 'Not before this time.'),
  to: optional(instant, 'Not after this time.'),
  actor: optional(z.string().min(1).max(2_000), 'Subject of the person or program that approved.'),
  address: optional(
    z.string().min(1).max(2_000),
    'Resources, for example pdns_zone.main: also all instances of one, all in a module, or a pattern with `*`.',
  ),
  runId: optional(id, 'The run whose commands were approved.'),
  applyId: id.exactOptional(),
}

/** Addresses, separated by commas. A comma between quotes belongs to an address: `module.zone["a,b"].x_y.z`. */
const addressList = z
  .string()
  .min(1)
  .max(20_000)
  .regex(/[^,]/, 'names no address')
  .transform((text) => (text.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? []).slice())

const partText = 'the plan then contains only what an apply of this part would send, with the digest that approves it.'

export const selectionQuery = {
  targets: addressList.exactOptional().meta({
    description: `Addresses or patterns such as \`pdns_zone.*\`, with commas between them: these and what they wait for; ${partText}`,
  }),
  exclude: addressList.exactOptional().meta({
    description: `Addresses or patterns, with commas between them: everything but these and what waits for them; ${partText}`,
  }),
}

const addresses = z.array(z.string().min(1).max(2_000)).min(1).max(1_000)

export const selectionMembers = {
  targets: addresses.exactOptional().meta({
    description:
      'Addresses or patterns such as `pdns_zone.*`. Only their commands and the commands that these wait for are applied; the plan with `?targets=` shows them and their digest.',
  }),
  exclude: addresses.exactOptional().meta({
    description:
      'Addresses or patterns. Their commands and the commands that wait for them are not applied; the plan with `?exclude=` shows the rest and its digest.',
  }),
}

/** The endpoint always answers within 29 seconds. */
export const wait = z
  .string()
  .regex(/^([0-9]|1[0-9]|2[0-5])s?$/, 'is not 0s to 25s')
  .transform((text) => Number.parseInt(text, 10) * 1_000)
  .meta({ description: 'Wait for the end, at most this long, for example `25s`, instead of answering at once.' })

const listOf = <Shape extends z.ZodType>(item: Shape) =>
  z.object({
    items: z.array(item),
    next: optional(z.string(), 'Cursor of the next page; absent on the last one.'),
    damaged: optional(
      z.array(damagedShape),
      'What belongs to this page and is damaged in the store; absent if there is nothing.',
    ),
  })

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    instance: z.string().meta({ description: 'Id of the request; the log entries have it too.' }),
    code: z.string().meta({ description: 'Error code. It is stable, so programs can rely on it.' }),
    hint: z.string().meta({ description: 'What to do.' }),
    issues: optional(
      z.array(
        z.object({
          file: z.string(),
          line: z.number().int(),
          column: z.number().int(),
          calls: optional(
            z.array(
              z.object({ module: z.string(), file: z.string(), line: z.number().int(), column: z.number().int() }),
            ),
            'In a file of a module: the calls that lead there, the outermost first.',
          ),
          code: optional(z.string(), 'Code of the rule; absent if a provider has no codes.'),
          message: z.string(),
          value: z.string().exactOptional(),
          fix: z.string(),
        }),
      ),
      'For CONFIG_INVALID: every problem with its place.',
    ),
    applyId: optional(z.string(), 'Id of the stored apply that the error is about.'),
    results: optional(resultCountsShape, 'Of that apply: the number of resources with each result.'),
  })
  .meta({ description: 'RFC 9457.' })
export type Problem = z.infer<typeof problem>

/** Only these shapes have a name in the OpenAPI document; the others are inlined. */
export const components = z.registry<{ id: string }>()

export const named = <Shape extends z.ZodType>(id: string, shape: Shape): Shape => {
  components.add(shape, { id })
  return shape
}

export const shapes = {
  Workspace: named('Workspace', workspaceShape),
  Run: named('Run', runShape),
  Episode: named('Episode', episodeShape),
  Apply: named('Apply', applyShape),
  ListedApply: named('ListedApply', listedApplyShape),
  LedgerEnd: named('LedgerEnd', ledgerEndShape),
  LedgerEntry: named('LedgerEntry', ledgerEntryShape),
  Problem: named('Problem', problem),
}

export const json = (
  description: string,
  shape: z.ZodType,
  more: Pick<AnswerShape, 'example' | 'headers'> = {},
): AnswerShape => ({ description, content: { 'application/json': shape }, ...more })

export const page = (name: string, item: z.ZodType, example?: unknown): AnswerShape =>
  json('A page.', named(name, listOf(item)), defined({ example: example && { items: [example] } }))

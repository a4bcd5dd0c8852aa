import * as z from 'zod'
import { optional } from '../described.ts'
import { count, digestText, ledgerVerdictShape, time, workspaceId } from './records.ts'

/** The head of a ledger at a time. */
export const anchoredHeadShape = z.strictObject({
  seq: z.number().int().positive(),
  hash: digestText,
  at: time.meta({ description: 'When the head was read.' }),
})
export type AnchoredHead = z.infer<typeof anchoredHeadShape>

/** What is signed: everything that says which ledger it is, so that an anchor proves nothing about another one. */
const statementShape = z.strictObject({
  version: z.literal('1'),
  deployment: z.string().min(1),
  workspace: workspaceId,
  lineage: optional(z.string(), 'Of a workspace that took the name of a removed one.'),
  ...anchoredHeadShape.shape,
})
export type AnchorStatement = z.infer<typeof statementShape>

export const anchorShape = z.strictObject({
  anchor: statementShape,
  signature: z.base64().meta({ description: 'ECDSA with P-256 and SHA-256 over the canonical JSON of `anchor`, DER.' }),
})
export type Anchor = z.infer<typeof anchorShape>

const anchorVerdictShape = z.object({
  name: z.string(),
  status: z.enum(['holds', 'broken', 'forged', 'foreign']),
  anchor: optional(statementShape, 'Absent if it is forged: then nothing in it counts.'),
  entry: optional(count, 'Of a broken one: the first entry that cannot be trusted.'),
  detail: z.string().exactOptional(),
})
export type AnchorVerdict = z.infer<typeof anchorVerdictShape>

const anchorsVerdictShape = z.object({
  ok: z.boolean(),
  ledger: ledgerVerdictShape,
  anchors: z.array(anchorVerdictShape),
  proven: optional(anchoredHeadShape, 'The newest anchor that holds: up to it the ledger is as it was then.'),
})
export type AnchorsVerdict = z.infer<typeof anchorsVerdictShape>

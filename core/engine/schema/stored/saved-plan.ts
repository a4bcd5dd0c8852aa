import * as z from 'zod'
import { optional } from '../described.ts'

const digestText = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const patterns = z.array(z.string().min(1).max(2_000)).min(1).max(1_000)

/** The version of the engine that plans: the same as that of the package. */
export const engineVersion = '0.1.0'

/** Everything that a plan was made from. If one of them moves, it is another plan. */
export const basisShape = z.strictObject({
  lineage: optional(z.string(), 'Of the recorded state; absent: nothing was recorded.'),
  serial: z.number().int().nonnegative().meta({ description: 'Of the recorded state, after this check.' }),
  configurationDigest: digestText,
  observedDigest: digestText.meta({ description: 'Of what was read of all resources.' }),
  engineVersion: z.string(),
})
export type Basis = z.infer<typeof basisShape>

/** The parts of a basis, in the order in which they are told. */
export const basisParts = ['lineage', 'serial', 'configurationDigest', 'observedDigest', 'engineVersion'] as const

/** A plan that was put aside to be applied later: what was approved, and what it was made from. It has no secrets. */
export const savedPlanShape = z.strictObject({
  format: z.literal('plumbline-plan'),
  formatVersion: z.literal('1'),
  workspace: z.string(),
  runId: z.string(),
  savedAt: z.iso.datetime(),
  targets: patterns.exactOptional(),
  exclude: patterns.exactOptional(),
  commandsDigest: digestText,
  basis: basisShape,
  /** Of everything else in it. */
  digest: digestText,
})
export type SavedPlan = z.infer<typeof savedPlanShape>

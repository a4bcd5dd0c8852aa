import * as z from 'zod'
import { optional } from '../described.ts'

const digestText = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const patterns = z.array(z.string().min(1).max(2_000)).min(1).max(1_000)

/** The version of the engine that plans: the same as that of the package. */
export const engineVersion = '0.1.0'

/** Everything that a plan was made from. If one member changes, the plan is a different one. */
export const basisShape = z.strictObject({
  lineage: optional(z.string(), 'Of the recorded state; absent: nothing was recorded.'),
  serial: z.number().int().nonnegative().meta({ description: 'Of the recorded state, after this check.' }),
  configurationDigest: digestText,
  observedDigest: digestText.meta({ description: 'Of what was read of all resources.' }),
  engineVersion: z.string(),
})
export type Basis = z.infer<typeof basisShape>

/** In the order in which messages name them. */
export const basisParts = ['lineage', 'serial', 'configurationDigest', 'observedDigest', 'engineVersion'] as const

/** What was approved, and what it was made from. It contains no secrets. */
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
  /** Digest of all other members. */
  digest: digestText,
})
export type SavedPlan = z.infer<typeof savedPlanShape>

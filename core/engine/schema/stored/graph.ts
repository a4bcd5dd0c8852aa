import * as z from 'zod'
import { optional } from '../described.ts'

const node = z.object({
  address: z.string(),
  type: z.string(),
  action: optional(z.enum(['create', 'update', 'replace', 'delete']), 'What the plan does; absent: nothing.'),
  blocked: optional(z.literal(true), 'The action is not sent.'),
  unchecked: optional(z.literal(true), 'The run could not read it.'),
  orphan: optional(z.literal(true), 'It is recorded, and no longer declared.'),
})
export type ResourceNode = z.infer<typeof node>

const edge = z.object({
  from: z.string(),
  to: z
    .string()
    .meta({ description: 'The address that `from` waits for. A delete waits for the deletes of what depends on it.' }),
})

export const resourceGraphShape = z.object({
  workspace: z.string(),
  runId: optional(z.string(), 'The run whose actions it shows.'),
  nodes: z.array(node).meta({ description: 'By address.' }),
  edges: z.array(edge),
})
export type ResourceGraph = z.infer<typeof resourceGraphShape>

// The entry point of `@plumbline/cli/testing`: the suite that every provider passes, the built-in ones included, and
// the contract.

export type { Listing } from '../../engine/provider/listing.ts'
export type {
  Configured,
  PlannedChange,
  Provider,
  ProviderFactory,
  ProviderInput,
  ReadDeps,
  ResourceType,
  Target,
} from '../../engine/provider/provider.ts'
export type { Attribute, ObjectSchema } from '../../engine/schema/attribute.ts'
export type { CommandDraft, Request, Response } from '../../engine/schema/command.ts'
export type { Json, JsonObject } from '../../engine/schema/json.ts'
export type { ReadResult, UnknownReason, UnknownResult } from '../../engine/schema/resource.ts'
export type { Transport } from '../../engine/transport/transport.ts'
export { type ConformanceCase, conformanceCases, describeProvider, type Runner } from './cases.ts'
export type { ProviderCase } from './system.ts'

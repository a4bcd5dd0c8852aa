// The entry point of `@plumbline/cli/testing`: the suite that every provider passes, ours included, and the contract.

export type { Listing } from '../providers/listing.ts'
export type {
  Configured,
  PlannedChange,
  Provider,
  ProviderFactory,
  ProviderInput,
  ReadDeps,
  ResourceType,
  Target,
} from '../providers/provider.ts'
export type { Attribute, ObjectSchema } from '../schema/attribute.ts'
export type { CommandDraft, Request, Response } from '../schema/command.ts'
export type { Json, JsonObject } from '../schema/json.ts'
export type { ReadResult, UnknownReason, UnknownResult } from '../schema/resource.ts'
export type { Transport } from '../transport/transport.ts'
export { type ConformanceCase, conformanceCases, describeProvider, type Runner } from './cases.ts'
export type { ProviderCase } from './system.ts'

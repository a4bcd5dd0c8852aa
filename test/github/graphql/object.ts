import type { Json } from '../../../core/engine/schema/json.ts'

/** An object that a resolver gives: what it is called in the schema, and its fields, each when it is asked for. */
export interface GraphqlObject {
  readonly typename: string
  readonly fields: Readonly<Record<string, unknown>>
}

export type Args = Readonly<Record<string, Json>>

/** A field that fails is null, and says why beside the data. */
export class GraphqlFault extends Error {
  readonly type: string
  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

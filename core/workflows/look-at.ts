import type { Transport } from '../command/transport.ts'
import { asAppError } from '../errors.ts'
import type { ResourceType, Target } from '../providers/provider.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Seal } from '../schema/ports.ts'
import type { ReadResult } from '../schema/resource.ts'
import { sealObserved } from './seal-values.ts'

/** One read of one object. */
export interface Looked {
  /** Sensitive values are sealed. */
  readonly result: ReadResult
  /** As it came, for values that only pass through: they are sent, never stored. Absent where nothing was read. */
  readonly raw?: JsonObject
}

/** Reads an object. `desired` tells which of its attributes the configuration gives as secrets. */
export const lookAt = async (
  type: ResourceType,
  target: Target,
  desired: JsonObject | undefined,
  transport: Transport,
  seal: Seal,
  learn: (value: string) => void,
): Promise<Looked> => {
  const result = await readSafely(type, target, transport)
  if (result.kind !== 'present') return { result }
  const attributes = sealObserved(type.schema, result.attributes, desired, seal, learn)
  return { result: { ...result, attributes }, raw: result.attributes }
}

/** A provider answers failures as `unknown`; one that throws instead must not end the whole run. */
const readSafely = async (type: ResourceType, target: Target, transport: Transport): Promise<ReadResult> => {
  try {
    return await type.read(target, { transport })
  } catch (cause) {
    const error = asAppError(cause)
    if (error.code === 'WRITE_IN_CHECK') throw error
    const reason = error.code === 'SECRET_UNRESOLVED' ? 'secret' : 'network'
    return { kind: 'unknown', reason, detail: error.message }
  }
}

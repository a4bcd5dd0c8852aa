import type { DesiredResource, RecordedResource } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'

/** Moves a record to another address. It is the same object, so everything else in the record stays. */
export const readdress = (
  recorded: RecordedResource,
  { address, name, module, provider }: Pick<DesiredResource, 'address' | 'name' | 'module' | 'provider'>,
): RecordedResource => {
  const { module: _, ...rest } = recorded
  return { ...rest, address, name, provider, ...defined({ module }) }
}

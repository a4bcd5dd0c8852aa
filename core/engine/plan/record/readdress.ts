import type { DesiredResource, RecordedResource } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'

/** A record under another address: the same object, with everything that is known of it. */
export const readdress = (
  recorded: RecordedResource,
  { address, name, module, provider }: Pick<DesiredResource, 'address' | 'name' | 'module' | 'provider'>,
): RecordedResource => {
  const { module: _, ...rest } = recorded
  return { ...rest, address, name, provider, ...defined({ module }) }
}

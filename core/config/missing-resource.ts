import type { Issue } from '../schema/issue.ts'
import type { Address } from '../schema/resource.ts'

/*
 * A name that stands for no resource. Who knows the types later may find that the name was right, and the type of the
 * resource was not: then this is an echo.
 */

export const noResource = (address: Address): string => `there is no resource ${address}`

export const dependsOnNothing = (dependent: Address, address: Address): string =>
  `${dependent} depends on ${address}, which does not exist`

/** Whether an issue says only that one of these is not there. */
export const isAboutMissing = ({ message }: Issue, addresses: ReadonlySet<Address>): boolean =>
  [...addresses].some((address) => message === noResource(address) || message.endsWith(dependsOnNothing('', address)))

import { AppError } from '../../../errors.ts'
import type { Command } from '../../../schema/command.ts'

/** What is said of a write that carries a version and was refused, because the object has another one by now. */
export const staleWords = (command: Command, status: number, told: string): string | undefined => {
  if (!isRefusal(command, status)) return undefined
  const { address, id } = command
  const { message } = new AppError('TARGET_STALE', { address, command: id, status })
  return told === '' ? message : `${message}: ${told}`
}

const isRefusal = ({ precondition, request }: Command, status: number): boolean => {
  switch (precondition?.kind) {
    case 'absent':
      return status === 412 && Object.keys(request.headers ?? {}).some((name) => /^if-none-match$/i.test(name))
    case 'etag':
    case 'field':
      return status === 412 || status === 409
    case 'chained':
    case 'made':
      return precondition.object !== undefined && (status === 412 || status === 409)
    default:
      return false
  }
}

import { userInfo } from 'node:os'

/** A container may run under a user id that has no name. */
export const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

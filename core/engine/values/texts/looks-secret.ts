const names =
  /(?:^|[^a-z])(?:token|secret|password|passwd|pwd|passphrase|pat|auth|credentials?|extraheader|(?:api|access|private|secret|signing|encryption)[_.-]?key)s?(?:$|[^a-z])/i

const url = /\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:[^\s/@]+@/i

/** Whether a named value of a file may be a secret, which nobody may copy into a configuration as plain text. */
export const looksSecret = (name: string, value: string): boolean => names.test(name) || url.test(value)

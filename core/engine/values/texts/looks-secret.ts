const names =
  /(?:^|[^a-z])(?:token|secret|password|passwd|pwd|passphrase|pat|auth|credentials?|extraheader|(?:api|access|private|secret|signing|encryption)[_.-]?key)s?(?:$|[^a-z])/i

/** A URL with a password. */
const url = /\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:[^\s/@]+@/i

/** Whether a named value of a file may be a secret: then nobody may copy it into a configuration in clear. */
export const looksSecret = (name: string, value: string): boolean => names.test(name) || url.test(value)

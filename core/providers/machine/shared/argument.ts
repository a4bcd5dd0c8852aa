/*
 * A value of a configuration that becomes an argument of a program. `--` keeps it from being an option only: programs also
 * read file names, addresses, sources and instructions where a name is expected.
 */

/** Characters. The limit of the system for one argument is 128 KiB; no name comes near it. */
const longestName = 255

/** UTF-8 bytes, below the limit of Linux for one argument. */
const longestText = 100_000

/** apt, pip and npm take an argument that ends so for a file. */
const endOfFile = /\.(?:d?deb|whl|zip|t?[gx]z|tar|tbz|t?bz2|tlz|lzma|lz)$/i

export const isFileName = (text: string): boolean => endOfFile.test(text)

/** A name or a version that fits the form of its program, and that the program takes for nothing else. */
export const isPlainName = (text: string, form: RegExp): boolean =>
  text.length <= longestName && form.test(text) && !isFileName(text)

/** An absolute path of plain characters. What else a path may contain, one of the programs reads as something of its own. */
export const isPlainPath = (text: string): boolean =>
  text.length <= 4_096 && /^\/[\p{L}\p{M}\p{N}\w .@+~,=/-]+$/u.test(text) && !text.split('/').includes('..')

/** An https URL that all programs take apart alike. */
export const isPlainUrl = (text: string): boolean =>
  text.length <= 4_096 && /^https:\/\/[^\\\s]+$/.test(text) && /^[!-~]+$/.test(text) && URL.canParse(text)

/** Whether a URL names a user or a password. */
export const hasCredentials = (url: string): boolean => {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

export const isOneArgument = (text: string): boolean =>
  text.length <= longestText && new TextEncoder().encode(text).length <= longestText

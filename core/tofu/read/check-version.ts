import { AppError } from '../../errors.ts'
import { memberOf, textOf, type ValueMap } from './value.ts'

interface Version {
  /** A later minor version than is known: what is new in it is not shown. */
  readonly newer: boolean
}

/** Throws USAGE where the major version is not known. Documents made by hand may have none. */
export const checkVersion = (
  document: ValueMap,
  name: string,
  known: { readonly major: number; readonly minor: number },
): Version => {
  const found = textOf(memberOf(document, 'format_version'))
  if (found === undefined) return { newer: false }
  const [major, minor] = found.split('.').map(Number)
  if (!Number.isInteger(major) || (major ?? 0) > known.major) {
    throw new AppError('USAGE', {
      detail: `${name} has the format version "${found}", and only ${known.major}.${known.minor} and before are known`,
    })
  }
  return { newer: major === known.major && (minor ?? 0) > known.minor }
}

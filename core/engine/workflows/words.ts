import { firstOf } from '../values/texts/shorten.ts'

/* All sentences of checks, schedules and records, except the messages of error codes. */

export const messageRefused = 'it refused the message'
export const noZone = (zone: string): string => `there is no time zone "${zone}"`
export const lostApply = (apply: string): string => `it belongs to apply ${apply}, which is not stored any more`

export const moveRefusals = {
  noAddress:
    'the second one is not the address of a resource, such as pdns_zone.main or module.prod["eu"].pdns_zone.main',
  notDeclarable:
    'no configuration can declare the second one: names are letters, digits, _ and -, a key has 1 to 200 characters without line breaks and control characters, and an address at most 900 bytes',
  otherType: (from: string, to: string) => `the record is a ${from}, and the address is that of a ${to}`,
  taken: 'something is recorded there; to replace it, forget it first with `plumbline state rm`',
}

/** `[""]`: the object itself. */
const changedOf = (paths: readonly string[]): string => (paths.every((path) => path === '') ? 'it' : firstOf(paths, 5))

export const untold = {
  tooMany: (most: number) => `more than ${most} resources have drifted at once`,
  noEntry: (paths: readonly string[]) => `no entry of the log names who changed ${changedOf(paths)}`,
  nearApply: (paths: readonly string[], at: string) =>
    `the newest entry of the log about who changed ${changedOf(paths)} is of ${at}, less than a minute from an apply that has written to it`,
}

export const previewRefusals = {
  noBase: (base: string) => `nothing is stored of ${base}, so nobody knows what belongs to it`,
  invalidBase: (base: string) =>
    `the stored configuration of ${base} is not valid any more, so nobody knows what belongs to it`,
  notStored: 'it was never stored as a preview',
  ofPreview: (base: string) => `${base} is a preview itself`,
  otherKind: (found: string) => `the name belongs to ${found}`,
  ordinary: 'a workspace that is no preview',
  otherBranch: (branch: string) => `the preview of branch ${JSON.stringify(branch)}`,
}

import { present } from '../../../engine/values/defined.ts'
import { uncoded as said } from '../../../engine/values/diagnose.ts'
import { oneOf } from '../../../engine/values/words.ts'

/** What a command does. `label`: `pdns_zone example.org.` */
export const doing = {
  create: (label: string, withoutNull: readonly string[]) =>
    withoutNull.length === 0 ? `create ${label}` : `create ${label}; its null is not sent: ${withoutNull.join(', ')}`,
  revive: (label: string) => `revive ${label}`,
  delete: (label: string) => `delete ${label}`,
  beforeDelete: (op: string) => `${op} before the delete`,
  set: (names: readonly string[]) => `set ${names.join(', ')}`,
  remove: (names: readonly string[]) => `remove ${names.join(', ')}`,
  call: (action: string, names: readonly string[]) => `${action}: set ${names.join(', ')}`,
  element: (call: string, element: string, field: string) => {
    if (call === 'create') return `add ${element} to ${field}`
    return call === 'remove' ? `remove ${element} from ${field}` : `${call} ${element} of ${field}`
  },
  elements: (field: string, written: number, removed: number) => {
    const parts = present(written > 0 && `write ${written}`, removed > 0 && `remove ${removed}`)
    return parts.length === 0 ? `put ${field} in order` : `${parts.join(' and ')} of ${field}`
  },
}

/** Values that the server would accept and read as something else, and names that break a URL. */
export const refusals = {
  noCall: (name: string, value: string, values: readonly string[]) =>
    said(`no call sets ${name} to ${value}`, values.length === 0 ? 'remove it' : oneOf(values)),
  otherValue: (where: string, value: string, values: readonly string[]) =>
    said(`${where} cannot be ${value}`, oneOf(values)),
  markInText: (where: string) =>
    said(
      `${where} is sent as JSON text, which cannot contain a secret or a value of another resource`,
      'write the value itself, or remove this attribute from the configuration',
    ),
  notInCommas: (where: string) =>
    said(
      `${where} is sent in a text of elements between commas, where it would be read back as something else: it is empty, has a comma, or begins or ends with a space`,
      'write each element by itself, without commas and outer spaces',
    ),
  bareElement: (where: string, names: readonly string[]) =>
    said(
      `${where} has no value for any of its members, and could not be told from an element of another kind when it is read`,
      `give it one of: ${names.join(', ')}; or remove it`,
    ),
  ignoredKey: (where: string, name: string) =>
    said(`${name} is ignored in ${where}`, 'remove it: only the server sets it'),
  omittedKey: (where: string, name: string) => said(`${name} cannot be set in ${where}`, 'use the attribute for it'),
  lostInUrl: (name: string, value: string) =>
    said(`${name} cannot be "${value}": it is part of a URL`, 'write the real name'),
}

import type { AcceptRefusal } from '../../../engine/schema/reports/accept-report.ts'
import { suggest } from '../../../engine/values/texts/nearest-word.ts'

export interface Refusal {
  readonly reason: AcceptRefusal
  readonly detail: string
  readonly fix: string
  readonly elsewhere?: readonly string[]
}

const refusal = (reason: AcceptRefusal, detail: string, fix: string): Refusal => ({ reason, detail, fix })

const applyInstead = 'apply the plan, or edit the file'

const shownNames = 10

const someOf = (names: readonly string[]): string =>
  names.length <= shownNames
    ? names.join(', ')
    : `${names.slice(0, shownNames).join(', ')} and ${names.length - shownNames} more`

export const refusals = {
  secret: () =>
    refusal('secret', 'it is secret, and a secret is never written into a file', 'store the new secret at its source'),
  computed: () => refusal('computed', 'the server sets it', 'remove it from the spec'),
  writeOnly: () => refusal('write_only', 'it cannot be read back', applyInstead),
  identity: () =>
    refusal(
      'identity',
      'it identifies the object, so another value would be another resource',
      'edit the file; `moved` keeps the record if the address changes too',
    ),
  unchecked: (detail: string) =>
    refusal('unchecked', `it was not checked: ${detail}`, 'check again when it can be read'),
  deleted: () =>
    refusal(
      'deleted',
      'the object was deleted',
      'to accept that, remove the resource from the file, or write `absent: true`',
    ),
  missing: () => refusal('deleted', 'the object does not exist yet', 'apply the plan to create it'),
  notOurs: (way: string) => refusal('not_ours', 'the object that exists is not that of the resource', way),
  undeclared: () =>
    refusal('undeclared', 'the configuration does not declare it any more', 'declare it again, or apply the plan'),
  absent: () =>
    refusal(
      'absent',
      'the object exists and is declared absent',
      'to accept that, remove `absent: true` from the resource',
    ),
  required: () => refusal('required', 'it has no value, and it must have one', applyInstead),
  unwritable: () => refusal('unwritable', 'no configuration can express its value', applyInstead),
  notWritten: () =>
    refusal('not_written', 'the spec does not contain its value as such', 'edit what the spec takes it from'),
  ofRule: (rule: string) =>
    refusal(
      'not_written',
      `${rule} gives it to all objects that it is about`,
      'change the rule, or declare the object with a value of its own',
    ),
  lost: () =>
    refusal(
      'unwritable',
      'the file cannot be changed at this place without a change at another one',
      'edit the file; an anchor or a merge key may be involved',
    ),
  workspaceName: () => refusal('reference', 'it is the name of the workspace', 'write the value out in the spec first'),
  later: (attribute: string) =>
    refusal('reference', `it is the live value of ${attribute}`, 'write the value out in the spec first'),
  parts: (text: string) =>
    refusal(
      'reference',
      `it is built of parts: ${text}`,
      'change one of the parts, or write the value out in the spec',
    ),
  given: (name: string) =>
    refusal('reference', `it is the value that was given for variable ${name}`, 'give another value, or none'),
  outside: (text: string) =>
    refusal('reference', `it comes from ${text}`, 'change it there, or write the value out in the spec'),
  evaluated: (file: string) =>
    refusal('evaluated', `${file} is Jsonnet, whose text does not contain the value as such`, 'edit the file'),
  twice: () =>
    refusal('elsewhere', 'another accepted value needs another text at the same place', 'accept one at a time'),
  elsewhere: (via: string | undefined, elsewhere: readonly string[]): Refusal => ({
    ...refusal(
      'elsewhere',
      `${via === undefined ? 'its text is shared' : `it comes from ${via}`}, and with it would change: ${someOf(elsewhere)}`,
      'write the value out in the spec of this resource, or edit the file',
    ),
    elsewhere,
  }),
  shared: (file: string) =>
    refusal(
      'elsewhere',
      `it comes from ${file}, above the folder of the workspace, which other workspaces may use`,
      'edit the file, and check all of them',
    ),
  noEffect: () =>
    refusal('no_effect', 'the difference would stay', 'look at what else sets the value, and edit the file'),
  invalid: (detail: string) => refusal('invalid', `the configuration with it is not valid: ${detail}`, applyInstead),
}

export const requests = {
  noResource: (address: string, known: Iterable<string>) =>
    `there is no resource ${address}; ${suggest(address, known, 'name one that the plan lists')}`,
  noDifference: (address: string, path: string, differing: readonly string[]) =>
    differing.length === 0
      ? `${address} has no difference`
      : `${address} has no difference at ${path}; it differs at ${differing.join(', ')}`,
  ofPreview: (workspace: string) =>
    `${workspace} is a preview: change the files of its branch, and store them with \`plumbline preview\``,
  noFolder: (workspace: string) => `the files of ${workspace} are not on this machine; run the command where they are`,
}

export const places = {
  variable: (name: string, module: string) => (module === '' ? `variable ${name}` : `parameter ${name} of ${module}`),
  attribute: (address: string, path: string) => `${address}${path === '' ? '' : ` ${path}`}`,
  each: (path: string) => `\${each.${path}}`,
  section: (name: string) => `\`${name}\``,
}

import { diagnostics, said } from '../../values/diagnose.ts'
import { kindWords } from '../../values/words.ts'

export const say = diagnostics({
  // forEach
  notForEach: (kind: string) =>
    said(`forEach must be a mapping or a list of texts, not ${kind}`, 'write { <key>: <value> } or [<key>, <key>]'),
  keyNotText: (kind: string) => said(`a key of forEach must be text, not ${kind}`, 'put it in quotes'),
  keyTwice: (key: string) => said(`forEach has the key ${JSON.stringify(key)} twice`, 'remove one of the two'),
  notKey: (most: number) =>
    said('this cannot be a key of forEach', `write 1 to ${most} characters without line breaks and control characters`),
  notEnabled: (kind: string) =>
    said(`enabled must be true or false, not ${kind}`, 'write true, false, or a variable of the type boolean'),
  longAddress: (most: number) =>
    said(`the address of this resource or module is longer than ${most} bytes`, 'use shorter names and keys'),
  tooMany: (most: number) => said(`these are more than ${most} resources and modules`, 'split the workspace'),
  providerNotText: () => said('provider must be text', 'name an alias of "providers"'),

  // Included files
  noMatch: (pattern: string) =>
    said(`no file matches ${pattern}`, 'correct the pattern, or remove it: an empty match would remove its resources'),
  noPartMapping: () =>
    said('an included file must be a mapping of keys to values', 'write "resources:" or "modules:" with a list'),

  // Modules
  noModuleMapping: () =>
    said('a module must be a mapping of keys to values', 'write parameters, resources, modules or outputs'),
  moduleTwice: (address: string) => said(`${address} is declared a second time`, 'give one of the two another name'),
  moduleCircle: (file: string, chain: readonly string[]) =>
    said(`${file} contains itself: ${chain.join(' -> ')}`, 'take one of these calls out'),
  noParameter: (name: string, file: string, fix: string) => said(`${file} has no parameter "${name}"`, fix),
  noArgument: (name: string, file: string, type: string) =>
    said(
      `the parameter "${name}" of ${file} is not given`,
      `write ${kindWords(type) ?? 'a value'} for it under \`with\`, or give it a default`,
    ),
  tooManyEdges: (most: number) =>
    said(`dependsOn adds up to more than ${most} dependencies`, 'name single instances, or a module that both need'),
})

/** Appended to the message of a problem that several instances have. */
export const inOthers = (count: number): string => ` (and the same in ${count} other instance${count === 1 ? '' : 's'})`

import type { Json, Path } from '../../schema/json.ts'
import type { Position } from '../../schema/resource.ts'
import { diagnostics, placeText, said } from '../../values/diagnose.ts'
import { isLargeNumber } from '../../values/large-integer.ts'
import { shorten } from '../../values/texts/shorten.ts'
import { kindOf, kindWords } from '../../values/words.ts'
import { anEntry } from './entry-names.ts'

/* All messages about loading a configuration, except the descriptions of keys in shape.ts. */

const kindText = (type: string): string => kindWords(type) ?? 'a value'

/** For example `resources[2].lifecycle.manage`. */
export const referencePath = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`
    return text === '' ? step : `${text}.${step}`
  }, '')

/** For example `pdns_zone.main.rrsets[0]`. */
export const attributeText = (address: string, path: Path): string => {
  const text = referencePath(path)
  return text === '' || text.startsWith('[') ? `${address}${text}` : `${address}.${text}`
}

/** The text `line 7`, with the file if it is not the file of `from`. */
export const lineText = (there: Position, from: Position): string =>
  there.file === from.file ? `line ${there.line}` : placeText(there)

/** For messages: a shortened scalar, or only the kind of a list or mapping. */
export const shown = (value: Json | undefined): string => {
  if (typeof value === 'string') return JSON.stringify(shorten(value, 60))
  if (isLargeNumber(value)) return value.$number
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value)
}

const write = (type: string, shape?: string): string =>
  `write ${kindText(type)}${shape === undefined ? '' : `: ${shape}`}`
export const suchAs = (example: string): string => `${write('string')}, such as ${example}`
const plainReference = 'write $${ for a plain ${'
export const withoutCurly = (inner: string): string => `${inner}, without “ and ”`
const oneOfTwo = 'keep one of the two'
const fileTypes = anEntry

export const say = diagnostics({
  // Files
  noEntry: (file: string) => said(`there is no file ${file}`, `name it ${fileTypes}`),
  otherEntryType: (file: string) => said(`${file} is not YAML, JSON or Jsonnet`, `name it ${fileTypes}`),
  otherFileType: (file: string, extensions: readonly string[]) =>
    said(`${file} is none of YAML, JSON and Jsonnet`, `use a file that ends in ${extensions.join(', ')}`),

  // Shape
  noMapping: () => said('the configuration must be a mapping of keys to values', 'start with "workspace: <name>"'),
  unknownKey: (key: string, around: string, fix: string) =>
    said(`unknown key "${key}"${around === '' ? '' : ` in ${around}`}`, fix),
  missing: (where: string, type: string, shape?: string) => said(`${where} is missing`, write(type, shape)),
  missingWord: (where: string, fix: string) => said(`${where} is missing`, fix),
  wrongType: (where: string, type: string, kind: string, shape?: string) =>
    said(`${where} must be ${kindText(type)}, not ${kind}`, write(type, shape)),
  laterMembers: (where: string, type: string) =>
    said(`${where} is ${kindText(type)}, and only a map has keys that are references`, 'write its keys out'),
  unquoted: (where: string, kind: string) => said(`${where} must be text, not ${kind}`, 'put it in quotes'),
  invalid: (where: string, fix: string, detail?: string) =>
    said(detail === undefined ? `${where} is not valid` : `${where}: ${detail}`, fix),
  invalidName: (name: string, around: string, fix: string | undefined) =>
    said(`the name "${name}" is not valid in ${around}`, fix ?? 'use another name'),

  // References and secrets
  noVariable: (name: string, fix: string) => said(`there is no variable "${name}"`, fix),
  variableOfVariable: (name: string) =>
    said(`the default of a variable cannot refer to variable "${name}"`, 'write the value out'),
  noMemberOfVariable: (name: string, path: string) =>
    said(`variable "${name}" has no ${path}`, 'correct the path, or add the member to its value'),
  noEach: () =>
    said('there is no "each" here', 'use it in a resource with forEach, or in `with` of a module with forEach'),
  eachNoStep: () => said('[each.value] is not text', 'use [each.key], or forEach with a list of texts'),
  noMemberOfEach: (key: string, path: string) =>
    said(
      `the value of the key "${key}" of forEach has no ${path}`,
      'correct the path, or add the member to every value',
    ),
  noInstance: (base: string, fix: string) => said(`${base} has forEach, and no such instance`, fix),
  wholeInstance: (base: string) =>
    said(`an instance of ${base} as a whole is not a value`, 'add the name of an attribute or an output'),
  notCounted: (address: string) =>
    said(
      `forEach, enabled and \`provider\` cannot depend on ${address}`,
      'use variables: which resources there are must be known before anything is read',
    ),
  ruleAndOther: (key: string) =>
    said(`a rule (forAll) has no ${key}`, `remove ${key}, or forAll if this is one object`),
  ruleOfKey: (name: string) =>
    said(`a rule is for many objects, and ${name} tells them apart`, 'write it under forAll.where'),
  ruleCondition: (name: string, fix: string) =>
    said(`forAll: the type has no attribute "${name}", and no type "${name}" refers to it`, fix),
  ruleValue: (name: string, type: string) =>
    said(
      `forAll: this cannot be a value of ${name}`,
      `write a value as it is read, or a list of several: the attribute is of the type ${type}`,
    ),
  ruleIsNoObject: (address: string) =>
    said(`${address} is a rule (forAll) and no object`, 'refer to a resource that is one object'),
  noModule: (address: string, fix: string) => said(`there is no module ${address}`, fix),
  noOutput: (address: string, name: string, fix: string) => said(`${address} has no output "${name}"`, fix),
  noMemberOfOutput: (output: string, path: string) =>
    said(`the output ${output} has no ${path}`, 'correct the path, or add the member to the value of the output'),
  workspaceInModule: () =>
    said('a module does not see ${workspace}', 'declare a parameter and pass it: with: { workspace: "${workspace}" }'),
  ownAttribute: (address: string, path: string) =>
    said(
      `${address} refers to its own ${path}, which is not written`,
      'write the attribute, or refer to another resource',
    ),
  notInSpec: (address: string) => said(`only the spec of a resource can refer to ${address}`, 'use a variable here'),
  noResource: (address: string, fix: string) => said(`there is no resource ${address}`, fix),
  absentTarget: (attribute: string, address: string) =>
    said(
      `${attribute} has no value: ${address} is declared absent`,
      'refer to a resource that must exist, or declare this one absent too',
    ),
  disabledTarget: (attribute: string, address: string) =>
    said(
      `${attribute} has no value: ${address} is switched off (enabled: false)`,
      'switch on what is referred to, or switch this off with the same variable',
    ),
  insideSecret: (attribute: string) => said(`${attribute} reaches into a secret`, 'refer to the secret as a whole'),
  notInText: (reference: string, kind: string) =>
    said(
      `${reference} is ${kind} and cannot be part of a text`,
      'use it as the whole value, or refer to a member of it',
    ),
  tooMuch: () =>
    said('the references of the whole configuration add up to too much', 'repeat less, or split the workspace'),
  tooLarge: () => said('the references add up to a value that is too large or too deep', 'repeat less'),
  circle: (names: readonly string[]) =>
    said(`these values refer to each other in a circle: ${names.join(' -> ')}`, 'write one of them out'),
  longChain: (most: number) => said(`a chain of more than ${most} references`, 'refer to a value nearer to its origin'),
  noReference: () =>
    said(
      'the text in ${...} is not a reference',
      `use \${var.<name>}, \${workspace}, \${each.key}, \${resource.<type>.<name>.<attribute>} or \${module.<name>.<output>}; ${plainReference}`,
    ),
  curlyReference: () =>
    said('the text in ${...} has typographic quotes', `write " or ' in their place, or ${plainReference}`),
  openReference: () => said('a reference that starts with ${ does not end', `close it with "}", or ${plainReference}`),
  laterKey: () => said('the name of an attribute is known before anything is read', 'write it out'),
  keyTwice: (key: string) => said(`the key ${JSON.stringify(key)} is there already`, 'remove one of the two'),
  noKey: (written: string, kind: string) =>
    said(`the key ${JSON.stringify(written)} is ${kind}`, 'a key is a text or a number; write it out'),
  laterInMark: () =>
    said('a mapping with a member such as "$ref" cannot hold values that are known only later', 'write them out'),
  emptySecret: (kind: string) => said('this is not a secret reference', `write what to read after "${kind}:"`),
  noSecret: (fix: string) => said('this is not a secret reference', fix),

  // Resources
  declaredTwice: (address: string, place: string) =>
    said(`${address} is declared a second time (first in ${place})`, 'give one of the two another name'),
  noProvider: (alias: string, fix: string) => said(`there is no provider "${alias}"`, fix),
  dependsOnItself: (address: string) => said(`${address} depends on itself`, 'remove this line'),
  dependsOnAbsent: (address: string, target: string) =>
    said(
      `${address} depends on ${target}, which is declared absent`,
      'remove this line, or declare this one absent too',
    ),
  providerLacksType: (address: string, provider: string, type: string, fix: string) =>
    said(`${address}: provider "${provider}" has no type ${type}`, fix),
  severalProviders: (address: string, type: string, owners: readonly string[]) =>
    said(
      `${address}: several providers have the type ${type}`,
      `write \`provider:\` with one of: ${owners.join(', ')}`,
    ),
  noType: (address: string, type: string, fix: string) => said(`${address}: no provider has the type ${type}`, fix),
  noLimitedType: (type: string, fix: string) => said(`maxRemovals: no provider has the type ${type}`, fix),
  noReferredAttribute: (attribute: string, fix: string) => said(`there is no ${attribute}`, fix),
  noReferredMember: (attribute: string, name: string) =>
    said(`there is no ${attribute}`, `refer to ${name} or to a member that it has`),
  sameObject: (address: string, first: string, place: string) =>
    said(`${address} is the same object as ${first} (${place})`, oneOfTwo),
  movesToItself: (from: string) => said(`${from} moves to itself`, 'remove this line'),
  movesDeclared: (from: string) => said(`${from} is still declared`, 'remove this line, or the resource'),
  movesAcross: (from: string, to: string) =>
    said(
      `${from} moves to ${to}, and only one of them is a module`,
      'a module moves to a module, a resource to a resource',
    ),
  movesToType: (from: string, to: string) =>
    said(
      `${from} moves to ${to}, and their types are not the same`,
      'an object keeps its type; correct the address, or remove this line',
    ),
  movesTwice: (from: string, first: string) => said(`${from} moves a second time, first to ${first}`, oneOfTwo),

  importsTwice: (to: string) => said(`${to} is imported a second time`, oneOfTwo),
  importsNothing: (to: string) => said(`import names no object for ${to}`, 'write at least one id or key'),
  importsBy: (name: string, type: string, fix: string) => said(`${name} does not identify objects of ${type}`, fix),

  removesPattern: (address: string) =>
    said(`removed names ${address}, and an entry names exactly one address`, 'write one entry for each address'),
  removesDeclared: (address: string) => said(`${address} is still declared`, 'remove this entry, or the resource'),
  removesMoved: (address: string, to: string) => said(`${address} is removed, and moves to ${to}`, oneOfTwo),
  removesTwice: (address: string) => said(`${address} is removed a second time`, oneOfTwo),

  routeNeeds: (kind: string, member: string) =>
    said(`a route of kind ${kind} needs \`${member}\``, `write \`${member}: { secret: "env:NAME" }\``),
  routeIgnores: (kind: string, member: string) => said(`a route of kind ${kind} has no \`${member}\``, instead.remove),

  // Attributes
  noAttribute: (where: string, fix: string) => said(`there is no attribute ${where}`, fix),
  notNull: (where: string, type: string) => said(`${where} cannot be null`, write(type)),
  notCleared: (where: string) =>
    said(`${where} cannot be cleared`, 'remove the line to leave it alone, or write a value'),
  sameKey: (where: string, key: readonly string[], first: string) =>
    said(`${where} has the same ${key.join(' and ')} as ${first}`, 'join the two, or change one'),
  computed: (where: string) =>
    said(`${where} is set by the server`, 'remove it; refer to it from elsewhere if you need it'),
  plainSecret: (where: string, isMapping = false) =>
    said(
      `${where} is sensitive and must be a secret reference${isMapping ? ', a mapping with the key "secret" alone' : ''}`,
      'write { secret: "env:NAME" }, or file:, ssm:, secretsmanager:',
    ),
  secretIdentity: (name: string) => said(`${name} identifies the object and cannot be a secret`, 'write it out'),
  lifecycleName: (key: string, where: string, fix: string) =>
    said(`${key} names ${where}, which is not an attribute`, fix),
  lifecycleType: (key: string, name: string, type: string | undefined) =>
    said(`${key} names ${name}, which is ${type === 'list' ? 'ordered' : 'no collection'}`, 'remove it'),
})

export const wholeDocument = 'the configuration'

export const instead = {
  move: (place: string) => `move it to ${place}`,
  remove: 'remove it',
  declare: 'declare it',
  declareProvider: 'declare it under "providers"',
  declareVariable: 'declare it under "variables"',
  declareParameter: 'declare it under "parameters" of the module',
  declareModule: 'declare it under "modules"',
  declareOutput: 'declare it under "outputs" of the module',
  nameKey: (base: string) => `write ${base}["<key>"] and the attribute`,
  moveElsewhere: 'declare it, or name another one',
}

export const allowed = {
  text: 'write at least one character',
  enabled: 'write true, false or a text such as ${var.with_mail}',
  name: 'use letters, digits, "_" and "-"',
  variable: 'use letters, digits, "_" and "-", with a letter or "_" first',
  type: 'use lower case letters and digits, with a "_" after the prefix, for example pdns_zone',
  routes: 'write at most 8 routes',
  schedule: 'write rate(15 minutes), cron(0 6 ? * MON-FRI *) or at(2026-12-24T18:00:00)',
  blackout: 'a blackout starts at fixed times: write cron(...) or at(...)',
  integrity: 'write `sha512-` and 88 characters of Base64; `plumbline validate` prints it if it is missing',
  duration: 'write a whole number and s, m, h, d or w, for example 30m or 60h',
  zone: 'write an IANA time zone such as Europe/Berlin or UTC',
  day: 'write a day that exists, as in 2027-01-31',
  conditions: 'write a mapping of attributes to values, or a list of such mappings; leave it out for all objects',
  count: 'write a whole number from 1 on',
  amount: 'write a whole number from 0 on',
  most: 'write a whole number from 0 on, a share such as 20%, or a mapping of resource types to these',
}

export const forEachText =
  'One instance for each key: a mapping of keys to values, or a list of texts. `${each.key}` and `${each.value}` are those of the instance. May contain `${var.x}`.'
export const moduleText = 'module.yaml: resources that are declared once and used with other parameters.'
export const configurationText = `${fileTypes}: the desired configuration of one workspace.`

export const notSchedule = {
  rate: (inside: string) => `"${inside}" is not a whole number of minutes, hours or days`,
  at: (inside: string) => `"${inside}" is not a date and time as in at(2026-12-24T18:00:00)`,
  never: (inside: string) => `there is no such day, ever: cron(${inside})`,
  form: (text: string) => `"${text}" is not rate(...), cron(...) or at(...)`,
  fields: (count: number) => `cron needs six fields (minutes hours day-of-month month day-of-week year), not ${count}`,
  days: 'exactly one of day-of-month and day-of-week must be "?"',
  field: (text: string, name: string, from: number, to: number) =>
    `"${text}" is not valid for ${name} (${from} to ${to})`,
}

/** Comments for values that an import left out of the written configuration. */
export const leftOut = {
  secret: (where: string, source: string, required: boolean) =>
    `${where}: { secret: "${source}" } would set it; ${left(required)}`,
  'write-only': (where: string, required: boolean) => `${where} cannot be read; ${left(required)}`,
  unwritable: (where: string, required: boolean) =>
    `${where} has a value that no configuration can hold; ${left(required)}`,
}

const left = (required: boolean): string => (required ? 'it must be given' : 'it stays as it is')

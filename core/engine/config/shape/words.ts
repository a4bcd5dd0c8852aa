import { diagnostics, said } from '../../values/diagnose.ts'
import { kindWords } from '../../values/words.ts'

const kindText = (type: string): string => kindWords(type) ?? 'a value'

interface Bounds {
  readonly min: number | undefined
  readonly max: number | undefined
}

const boundsText = ({ min, max }: Bounds): string =>
  min === undefined ? `at most ${max}` : max === undefined ? `at least ${min}` : `${min} to ${max}`

export const say = diagnostics({
  noVariable: (name: string, fix: string) => said(`there is no variable "${name}"`, fix),
  noValue: (name: string, type: string, environment: string) =>
    said(
      `variable "${name}" has no value`,
      `give ${kindText(type)} with --var ${name}=..., --var-file or ${environment}, or write \`default:\` under it`,
    ),
  noMappingOfValues: () => said('a file of values must be a mapping of variables to values', 'write "<name>: <value>"'),
  wrongText: (name: string, type: string) =>
    said(`the text for variable "${name}" is not ${kindText(type)}`, `give ${kindText(type)}, or change its type`),
  wrongValue: (name: string, type: string) =>
    said(`the value of variable "${name}" is not ${kindText(type)}`, `give ${kindText(type)}, or change its type`),
  plainVariable: (name: string) =>
    said(
      `variable "${name}" is sensitive and its value must be a secret reference`,
      'give { secret: "env:NAME" }, or file:, ssm:, secretsmanager:; on a command line env:NAME alone',
    ),
  notOneOf: (name: string, words: readonly string[]) =>
    said(`the value of variable "${name}" is not allowed`, `use one of: ${words.join(', ')}`),
  otherPattern: (name: string, pattern: string) =>
    said(`the value of variable "${name}" does not match its pattern`, `give a text that matches ${pattern}`),
  tooLongForPattern: (name: string, most: number) =>
    said(
      `the value of variable "${name}" is too long for its pattern`,
      `give at most ${most} characters, or use length instead of pattern`,
    ),
  outOfRange: (name: string, bounds: Bounds) =>
    said(`the value of variable "${name}" is out of range`, `give a number: ${boundsText(bounds)}`),
  otherLength: (name: string, size: number, of: string, bounds: Bounds) =>
    said(`the value of variable "${name}" has ${size} ${of}`, `${boundsText(bounds)} are allowed`),
})

export const declared = {
  patterns: {
    invalid: {
      fix: 'write a regular expression of JavaScript, as in ^[a-z]+$',
      detail: 'it is not a regular expression',
    },
    unbounded: {
      fix: 'write it without (?=...), (?!...), (?<=...), (?<!...), (?i:...), \\1 and large repetitions; use enum or length for the rest',
      detail: 'it is not a regular expression whose time is limited',
    },
  },
  elsewhere: (rule: string, types: readonly string[]) => `use it for ${types.join(' or ')}, or remove ${rule}`,
  otherType: (rule: string, type: string) => `${rule} does not apply to ${kindText(type)}`,
  upsideDown: 'the smallest allowed value is larger than the largest',
  exchange: 'exchange min and max',
  unseen: 'the value of a sensitive variable is never known here',
  noRule: 'remove it',
  someWord: 'write at least one value',
}

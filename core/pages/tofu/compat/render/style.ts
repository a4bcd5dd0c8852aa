import type { TofuResourceAction } from '../../read/shapes.ts'
import type { TofuCompat, TofuResource } from '../report.ts'
import { wrapWords } from './quote.ts'

/**
 * Colours by name in our own words, as in `[red]-[reset]`. Inserted values are not changed, even if they look like a colour.
 * Codes: https://www.ecma-international.org/publications-and-standards/standards/ecma-48/
 */
const codes: Readonly<Record<string, number>> = {
  reset: 0,
  bold: 1,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
  dark_gray: 90,
}

const names = /\[(reset|bold|red|green|yellow|cyan|dark_gray)\]/g

export type Mark = (words: TemplateStringsArray, ...values: readonly string[]) => string

const withCodes = (words: string): string => words.replace(names, (_, name: string) => `\u001b[${codes[name]}m`)

/** OpenTofu closes every text that has a colour once more at its end. */
export const colored: Mark = (words, ...values) => {
  const text = words.reduce((joined, part, index) => joined + withCodes(part) + (values[index] ?? ''), '')
  return words.some((part) => part.search(names) >= 0) ? `${text}\u001b[0m` : text
}

export const plain: Mark = (words, ...values) =>
  words.reduce((joined, part, index) => joined + part.replace(names, '') + (values[index] ?? ''), '')

/** The options of a page. */
export interface Style {
  readonly mark: Mark
  readonly product: Product
  /** Columns; prose stays below. */
  readonly width: number
}

/** The differences between the texts of the two products. */
export interface Product {
  readonly name: string
  readonly command: string
  readonly taintedSo: string
  readonly updateNote: string
  /** Forgotten resources are in the legend and in the last line. */
  readonly countsForgotten: boolean
  /** The cells of symbols stay within what is forgotten. */
  readonly forgottenHasSymbols: boolean
  /** A write-only value has first the note that it is deleted, then that it forces the replacement. */
  readonly writeOnlyGoesFirst: boolean
  readonly tellsSensitiveWriteOnly: boolean
  /** A plan without changes says in a second sentence that it has none. */
  readonly saysNothingTwice: boolean
  /** Symbols of resources, where they are not those of `symbolOf`. */
  readonly symbols: Readonly<Partial<Record<TofuResourceAction, (mark: Mark) => string>>>
  /** The lines above a forgotten resource; `undefined` for those of OpenTofu. */
  readonly forgotten?: (resource: TofuResource, address: string, mark: Mark) => string | undefined
}

const opentofu: Product = {
  name: 'OpenTofu',
  command: 'tofu',
  taintedSo: 'so it must be',
  updateNote: ' (current -> planned)',
  countsForgotten: true,
  forgottenHasSymbols: false,
  writeOnlyGoesFirst: false,
  tellsSensitiveWriteOnly: false,
  saysNothingTwice: true,
  symbols: {},
}

/** With one space before the number sign, where all other lines have two. */
const forgottenByTerraform = ({ action, deposed }: TofuResource, address: string, mark: Mark): string | undefined => {
  const configured = ' # (destroy = false is set in the configuration)'
  switch (action) {
    case 'create-forget':
    case 'forget-create':
      return (
        mark`[bold] # ${address}[reset] must be replaced, but the existing object will not be destroyed\n` + configured
      )
    case 'forget':
      return deposed === undefined
        ? mark`[bold] # ${address}[reset] will no longer be managed by Terraform, but [bold][red]will not be destroyed[reset]\n` +
            mark`[bold]${configured}[reset]`
        : mark`[bold] # ${address}[reset] will be removed from Terraform state, but [bold][red]will not be destroyed[reset]\n` +
            mark`[bold] # (left over from a partially-failed replacement of this instance)[reset]`
    default:
      return undefined
  }
}

const terraform: Product = {
  name: 'Terraform',
  command: 'terraform',
  taintedSo: 'so must be',
  updateNote: '',
  countsForgotten: false,
  forgottenHasSymbols: true,
  writeOnlyGoesFirst: true,
  tellsSensitiveWriteOnly: true,
  saysNothingTwice: true,
  symbols: {
    forget: (mark) => mark` [red].[reset]`,
    'create-forget': (mark) => mark` [green]+[reset]/[red].[reset]`,
    'forget-create': (mark) => mark`[red].[reset]/[green]+[reset]`,
  },
  forgotten: forgottenByTerraform,
}

export const products: Readonly<Record<TofuCompat, Product>> = {
  opentofu,
  'opentofu@1.12': opentofu,
  'opentofu@1.13': { ...opentofu, saysNothingTwice: false },
  terraform,
}

export const prose = (text: string, { width }: Style): string => `${wrapWords(text, width)}\n`

/** A rule across the page, with an empty line before it. */
export const ruleLine = ({ mark, width }: Style): string =>
  width <= 1 ? '\n\n' : `${mark`[dark_gray]\n${'─'.repeat(width - 1)}`}\n`

/** Of a resource, as the product has it. */
export const resourceSymbol = (action: TofuResourceAction, mark: Mark, { symbols: own }: Product): string =>
  (own[action] ?? symbols[action])(mark)

/** Three columns, except for one line that upstream indents by five. */
const symbols: Readonly<Record<TofuResourceAction, (mark: Mark) => string>> = {
  create: (mark) => mark`  [green]+[reset]`,
  delete: (mark) => mark`  [red]-[reset]`,
  update: (mark) => mark`  [yellow]~[reset]`,
  read: (mark) => mark` [cyan]<=[reset]`,
  'delete-create': (mark) => mark`[red]-[reset]/[green]+[reset]`,
  'create-delete': (mark) => mark`[green]+[reset]/[red]-[reset]`,
  forget: (mark) => mark`  [red].[reset]`,
  'forget-create': (mark) => mark`  [red].[reset]/[green]+[reset]`,
  'create-forget': (mark) => mark`[green]+[reset]/[red].[reset]`,
  'no-op': () => '   ',
  unknown: () => '  ?',
}

export const symbolOf = (action: TofuResourceAction, mark: Mark): string => symbols[action](mark)

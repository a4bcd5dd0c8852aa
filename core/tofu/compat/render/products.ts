import type { TofuResourceAction } from '../../read/shapes.ts'
import type { TofuCompat, TofuResource } from '../report.ts'
import type { Mark } from './mark.ts'

/** Where the two products say different things. */
export interface Product {
  readonly name: string
  readonly command: string
  readonly taintedSo: string
  readonly updateNote: string
  /** What is forgotten is part of the legend and of the last line. */
  readonly countsForgotten: boolean
  /** The cells of symbols stay within what is forgotten. */
  readonly forgottenHasSymbols: boolean
  /** A value that is never stored says first that it goes, then that it forces the replacement. */
  readonly writeOnlyGoesFirst: boolean
  readonly tellsSensitiveWriteOnly: boolean
  /** Symbols of resources, where they are not those of `symbolOf`. */
  readonly symbols: Readonly<Partial<Record<TofuResourceAction, (mark: Mark) => string>>>
  /** The lines over what is forgotten; `undefined` for those of OpenTofu. */
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
  symbols: {
    forget: (mark) => mark` [red].[reset]`,
    'create-forget': (mark) => mark` [green]+[reset]/[red].[reset]`,
    'forget-create': (mark) => mark`[red].[reset]/[green]+[reset]`,
  },
  forgotten: forgottenByTerraform,
}

export const products: Readonly<Record<TofuCompat, Product>> = { opentofu, terraform }

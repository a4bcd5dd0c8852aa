export type Compat = 'opentofu' | 'terraform'

/** Where the two products say different things. */
export interface Product {
  readonly name: string
  readonly command: string
  readonly taintedSo: string
  readonly updateNote: string
}

export const products: Readonly<Record<Compat, Product>> = {
  opentofu: {
    name: 'OpenTofu',
    command: 'tofu',
    taintedSo: 'so it must be',
    updateNote: ' (current -> planned)',
  },
  terraform: { name: 'Terraform', command: 'terraform', taintedSo: 'so must be', updateNote: '' },
}

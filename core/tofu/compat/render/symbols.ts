import type { TofuResourceAction } from '../../read/shapes.ts'
import type { Mark } from './mark.ts'
import type { Product } from './products.ts'

/** Of a resource, as the product has it. */
export const resourceSymbol = (action: TofuResourceAction, mark: Mark, { symbols }: Product): string =>
  symbols[action]?.(mark) ?? symbolOf(action, mark)

/** Three columns, but for one that upstream made five wide. */
export const symbolOf = (action: TofuResourceAction, mark: Mark): string => {
  switch (action) {
    case 'create':
      return mark`  [green]+[reset]`
    case 'delete':
      return mark`  [red]-[reset]`
    case 'update':
      return mark`  [yellow]~[reset]`
    case 'read':
      return mark` [cyan]<=[reset]`
    case 'delete-create':
      return mark`[red]-[reset]/[green]+[reset]`
    case 'create-delete':
      return mark`[green]+[reset]/[red]-[reset]`
    case 'forget':
      return mark`  [red].[reset]`
    case 'forget-create':
      return mark`  [red].[reset]/[green]+[reset]`
    case 'create-forget':
      return mark`[green]+[reset]/[red].[reset]`
    case 'no-op':
      return '   '
    case 'unknown':
      return '  ?'
  }
}

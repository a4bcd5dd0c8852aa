import type { Page } from './backend.ts'
import type { Output } from './output.ts'

/** Says beside a list that it is empty, or how to see the rest. */
export const notePage = <Item>({ items, next }: Page<Item>, empty: string, output: Output): void => {
  if (items.length === 0) output.note(output.paint.dim(empty))
  if (next !== undefined) output.note(output.paint.dim(`there is more: --after ${next}`))
}

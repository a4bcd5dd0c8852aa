import type { Page } from '../backend/backend.ts'
import type { Output } from './output.ts'

/** Says beside a list how to see the rest. */
export const notePage = <Item>({ next }: Page<Item>, output: Output): void => {
  if (next !== undefined) output.note(output.paint.dim(`there is more: --after ${next}`))
}

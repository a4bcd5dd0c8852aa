import type { Page } from '#core'
import type { Exit } from '../context.ts'
import type { Output } from './output.ts'

export const answerPage = <Item>(
  page: Page<Item>,
  output: Output,
  render: (items: readonly Item[]) => string,
): Exit => {
  output.answer(page, () => render(page.items))
  if (page.next !== undefined) output.note(output.paint.dim(`there is more: --after ${page.next}`))
  return 0
}

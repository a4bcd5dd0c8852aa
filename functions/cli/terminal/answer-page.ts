import { defined, namesOf, type Page } from '#core'
import type { Exit } from '../context.ts'
import type { Output } from './output.ts'

/** Nothing that is damaged is left out silently. */
export const noteDamaged = (damaged: ReturnType<typeof namesOf>, { note, paint }: Output): void => {
  for (const { error } of damaged ?? []) note(paint.yellow(`${error.message}; ${error.hint}`))
}

export const answerPage = <Item>(
  page: Page<Item>,
  output: Output,
  render: (items: readonly Item[]) => string,
): Exit => {
  const { damaged: _, ...whole } = page
  const damaged = namesOf(page.damaged)
  output.answer({ ...whole, ...defined({ damaged }) }, () => render(page.items))
  noteDamaged(damaged, output)
  if (page.next !== undefined) output.note(output.paint.dim(`there is more: --after ${page.next}`))
  return 0
}

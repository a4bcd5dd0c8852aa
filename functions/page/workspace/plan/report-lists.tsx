import { type Report, visible } from '../../../../core/pages/render/draw.ts'
import { Prose } from '../../parts/prose.tsx'
import { rowProps } from '../../parts/window/row-props.ts'
import { useWindow } from '../../parts/window/use-window.ts'

export type ShownList = Report['lists'][number]

/** Height of an entry, as long as none is drawn. */
const entryPx = 52

export const ListView = ({ list: { title, entries } }: { readonly list: ShownList }) => {
  const { list, rows } = useWindow(entries, (_, n) => String(n), entryPx)
  return (
    <section aria-label={title}>
      <h2>
        {title} <small class="dim">{entries.length}</small>
      </h2>
      <dl class="list window" ref={list}>
        {rows.map((row) => (
          <div key={row.key} {...rowProps(row)}>
            <dt>
              <code>{visible(row.item.what)}</code>
            </dt>
            <dd>
              <Prose of={row.item.words} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** What is not a change: what could not be read and why, what rules hide and until when, what nobody declared. */
export const ReportLists = ({ lists }: Pick<Report, 'lists'>) => (
  <>
    {lists.map((list) => (
      <ListView key={list.title} list={list} />
    ))}
  </>
)

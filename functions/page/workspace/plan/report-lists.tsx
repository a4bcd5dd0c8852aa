import { type Report, visible } from '../../../../core/pages/render/draw.ts'
import { Prose } from '../../parts/prose.tsx'
import { useGradual } from '../../parts/use-gradual.ts'

type ShownList = Report['lists'][number]

const ListView = ({ list: { title, entries } }: { readonly list: ShownList }) => {
  const shown = useGradual(entries, title)
  return (
    <section aria-label={title}>
      <h2>
        {title} <small class="dim">{entries.length}</small>
      </h2>
      <dl class="list">
        {shown.map(({ what, words }, n) => (
          <div key={n}>
            <dt>
              <code>{visible(what)}</code>
            </dt>
            <dd>
              <Prose of={words} />
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

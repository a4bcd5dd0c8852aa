import { useState } from 'preact/hooks'
import { type Row, type TextPart, tagsOf } from '../../../../core/pages/render/draw.ts'
import { Dated } from '../../parts/time.tsx'

const signs = { create: ['+', 'added'], update: ['~', 'changed'], delete: ['-', 'removed'] } as const

const Sign = ({ action }: Pick<Row, 'action'>) => {
  if (action === 'same') return null
  const [sign, word] = signs[action]
  return (
    <b class="sign" role="img" aria-label={word}>
      {sign}
    </b>
  )
}

/** Rows as a tree of lists. */
export const Rows = ({ rows }: { readonly rows: readonly Row[] }) =>
  rows.length === 0 ? null : (
    <ul class="rows">
      {rows.map((row, n) => (
        <li key={n} class={`${row.kind} ${row.action}`}>
          <Sign action={row.action} />
          <RowText row={row} />
          <Rows rows={row.rows} />
        </li>
      ))}
    </ul>
  )

const RowText = ({ row }: { readonly row: Row }) => {
  if (row.kind === 'fold') return <span class="dim">{row.label}</span>
  if (row.kind === 'line') return <Side action={row.action} parts={row.parts ?? [{ text: row.label }]} />
  return (
    <span>
      {row.label !== '' && <span class="label">{row.label}</span>} <Value row={row} />
      {tagsOf(row).map((tag) => (
        <span key={tag} class="tag">
          <Dated text={tag} />
        </span>
      ))}
    </span>
  )
}

const Value = ({ row: { action, before, after, changed } }: { readonly row: Row }) => {
  if (before === undefined && after === undefined) return null
  if (before === undefined || after === undefined)
    return <Side action={action} parts={[{ text: after ?? before ?? '' }]} />
  return (
    <>
      <Side action="delete" parts={changed?.before ?? [{ text: before }]} />
      <span class="arrow" role="img" aria-label="becomes">
        {' → '}
      </span>
      <Side action="create" parts={changed?.after ?? [{ text: after }]} />
    </>
  )
}

const Side = ({ action, parts }: { readonly action: Row['action']; readonly parts: readonly TextPart[] }) => {
  const text = <Parts parts={parts} />
  if (action === 'create') return <ins>{text}</ins>
  return action === 'delete' ? <del>{text}</del> : <samp>{text}</samp>
}

/** Longer values are folded at first. */
const foldedFrom = 400

const Parts = ({ parts }: { readonly parts: readonly TextPart[] }) => {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0)
  const [isWhole, setIsWhole] = useState(length <= foldedFrom)
  if (!isWhole)
    return (
      <>
        {parts
          .map(({ text }) => text)
          .join('')
          .slice(0, 160)}
        …{' '}
        <button type="button" class="quiet small" onClick={() => setIsWhole(true)}>
          show all {length} characters
        </button>
      </>
    )
  return <>{parts.map(({ text, changed }, n) => (changed ? <mark key={n}>{text}</mark> : text))}</>
}

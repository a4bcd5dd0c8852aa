import type { ComponentChildren } from 'preact'
import type { WindowOf } from './use-window.ts'

interface TableRowProps {
  readonly row: WindowOf<unknown>['rows'][number]
  readonly columns: number
  readonly children: ComponentChildren
}

/** A row of a table, whose rows have no margins: an empty one takes the room of those that are not drawn. */
export const TableRow = ({ row: { key, n, before, after }, columns, children }: TableRowProps) => (
  <>
    {before > 0 && <Room columns={columns} px={before} />}
    <tr data-row={key} aria-rowindex={n + 2}>
      {children}
    </tr>
    {after > 0 && <Room columns={columns} px={after} />}
  </>
)

const Room = ({ columns, px }: { readonly columns: number; readonly px: number }) => (
  <tr class="room">
    <td colSpan={columns} style={{ height: `${px}px` }} />
  </tr>
)

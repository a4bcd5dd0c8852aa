import { type Block, visible } from '../../../../core/pages/render/draw.ts'
import { Copy } from '../../parts/copy.tsx'
import { Prose } from '../../parts/prose.tsx'
import { type OpenedRows, useOpen } from '../../parts/window/use-open.ts'
import { Rows } from './rows.tsx'

interface BlockViewProps {
  readonly block: Block
  readonly isOpen: boolean
  readonly opened: OpenedRows
}

/** One resource: one line, and what changes about it where that is open. */
export const BlockView = ({ block, isOpen, opened }: BlockViewProps) => {
  const [open, setOpen] = useOpen(opened, block.address, isOpen)
  const { symbol, tone, address, words, sides, id, place, rows, blocked } = block
  return (
    <details class={`block ${tone}`} open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <b class="symbol" aria-hidden="true">
          {symbol}
        </b>
        <span>
          <code class="address">{visible(address)}</code>{' '}
          <span class={blocked ? 'severity high' : 'dim'}>
            <Prose of={words} />
          </span>
        </span>
      </summary>
      {open && (
        <div class="inside">
          <Rows rows={rows} />
          <p class="dim facts">
            {sides !== undefined && <span>{sides}</span>}
            {id !== undefined && <span>id {visible(id)}</span>}
            {place !== undefined && (
              <span>
                {visible(place.file)}:{place.line}
              </span>
            )}
            <Copy text={address} what={address} label="Copy address" />
          </p>
        </div>
      )}
    </details>
  )
}

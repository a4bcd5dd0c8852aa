import { toCurl } from '../../../core/engine/transport/curl/curl.ts'
import type { Command } from '../../../core/index.ts'
import { type Block, commandWords, showRequest, visible } from '../../../core/pages/render/draw.ts'
import { Copy } from '../parts/copy.tsx'
import { Prose } from '../parts/prose.tsx'
import { type OpenedRows, useOpen } from '../parts/window/use-open.ts'
import { Rows } from '../workspace/plan/rows.tsx'

/** Columns of a body in one line. */
const bodyColumns = 80

export const RequestText = ({ request }: { readonly request: Command['request'] }) => {
  const { method, url, headers, body } = showRequest(request, bodyColumns)
  return (
    <pre>
      {[`${method} ${url}`, ...headers, ...(body.length > 0 ? ['', ''] : [])].join('\n')}
      {body.flatMap((line, n) => [n > 0 && '\n', ...linesIn(line)])}
    </pre>
  )
}

/** A text of several lines is seen as its lines. Who copies it has the escapes alone, as they are sent. */
const linesIn = (line: string) =>
  line.split(/(\\.)/).map((part, n, parts) =>
    // The end of the last line is the end of the text.
    part === '\\n' && !parts[n + 1]?.startsWith('"') ? <span class="line-end">{part}</span> : part,
  )

interface CommandViewProps {
  readonly command: Command
  /** What changes about its resource; absent: nothing of it is known. */
  readonly block?: Block | undefined
  readonly isOpen: boolean
  readonly opened: OpenedRows
}

/** The exact request and its grade in one line; the rest where it is open. */
export const CommandView = ({ isOpen, opened, ...shown }: CommandViewProps) => {
  const [open, setOpen] = useOpen(opened, shown.command.id, isOpen)
  const { request, grade } = shown.command
  const { method, url } = showRequest(request, bodyColumns)
  return (
    <details class="command" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <b>{method}</b> <code>{url}</code> <span class={`tag grade-${grade}`}>{grade}</span>
      </summary>
      {open && <CommandBody {...shown} />}
    </details>
  )
}

/** The whole request, what it waits for, and how it is undone. Secrets are names. */
const CommandBody = ({ command, block }: Omit<CommandViewProps, 'isOpen' | 'opened'>) => {
  const { id, request, inverse, grade } = command
  return (
    <>
      <p class="dim">
        <code>{visible(id)}</code>: <Prose of={commandWords(command)} />
      </p>
      {block !== undefined && block.rows.length > 0 && (
        <details>
          <summary>The target now, and then</summary>
          <Rows rows={block.rows} />
        </details>
      )}
      <RequestText request={request} />
      <p>
        <Copy text={toCurl(request)} what={id} label="Copy as curl" />
      </p>
      {inverse === undefined ? (
        <p class="dim">No request undoes it.</p>
      ) : (
        <details>
          <summary>{grade === 'reversible' ? 'Undone by' : 'Undone in part by'}</summary>
          <RequestText request={inverse} />
        </details>
      )}
    </>
  )
}

import type { Command } from '../../../../engine/schema/command.ts'
import type { NamedReference } from '../../../../engine/schema/stored/plan.ts'
import { thousands } from '../../characters/prose.ts'
import type { Report } from '../../report/report.ts'
import { commandWords, showRequest } from '../../requests/show-request.ts'
import { selectionFlags } from '../../shared/selection-words.ts'
import { sentWords } from '../../shared/words.ts'
import { type Html, html, nothing, proseHtml } from './html.ts'
import { ownAnchors } from './name-anchors.ts'

/** Columns of a body in one line. */
const bodyColumns = 80
/** The number of open lines of all requests together. */
const roomForLines = 400

/** What would be sent, in this order, and how to approve it. */
export const writeCommands = ({ commands }: Report): Html => {
  if (commands === undefined) return nothing
  const { list, workspace, digest, references } = commands
  const approval = (given: string): Html => html`<p>To apply exactly these commands, approve their digest:</p>
<pre><code>plumbline apply ${workspace} --digest ${given}${selectionFlags(commands)}</code></pre>
`
  let left = roomForLines
  const items = list.map((command) => {
    const [lines, item] = commandItem(command, left > 0, references)
    left -= lines
    return item
  })
  return html`<section aria-labelledby="${ownAnchors.commands}">
<h2 id="${ownAnchors.commands}">Commands <small>${thousands(list.length)}</small></h2>
<p class="note">${sentWords(digest)}</p>
<ol class="commands">
${items}</ol>
${digest === undefined ? nothing : approval(digest)}</section>
`
}

const commandItem = (
  command: Command,
  isOpen: boolean,
  references?: readonly NamedReference[],
): readonly [lines: number, item: Html] => {
  const { method, url, headers, body } = showRequest(command.request, bodyColumns)
  const lines = [...headers, ...(body.length > 0 ? [''] : []), ...body]
  const open = isOpen ? ' open' : ''
  const head = html`<h3><b>${method}</b> <code>${url}</code></h3> <span class="words"><code>${command.id}</code>: ${proseHtml(commandWords(command, references))}</span>`
  const request = lines.map((line) => html`${line}\n`)
  const item =
    lines.length === 0
      ? html`<div class="head">${head}</div>`
      : html`<details${open}><summary class="head">${head}</summary><pre><code>${request}</code></pre></details>`
  return [lines.length, html`<li>${item}</li>\n`]
}

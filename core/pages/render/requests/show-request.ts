import type { Command, PlannedRequest } from '../../../engine/schema/command.ts'
import type { NamedReference } from '../../../engine/schema/stored/plan.ts'
import { formFields } from '../../../engine/values/marks/form-fields.ts'
import { urlWords } from '../../../engine/values/url.ts'
import { foreign, foreignList, type Prose, when } from '../characters/prose.ts'
import { visible } from '../characters/visible.ts'
import { showBody, showForm } from '../rows/show-value.ts'
import { aboutWords, preconditionWords, waitWords } from '../shared/words.ts'
import { gradeWords, lossWords } from './grade-words.ts'
import { commandNames } from './name-words.ts'
import { showAuth } from './show-auth.ts'

/** The exact request, in parts. Nothing is cut; secrets are names. */
export interface ShownRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly string[]
  readonly body: readonly string[]
}

export const showRequest = (request: PlannedRequest, room: number): ShownRequest => {
  const { method, url, headers, body, auth } = request
  const fields = formFields(request)
  const shown = visible(urlWords(url))
  const signed = showAuth(auth, shown)
  return {
    method: visible(method),
    url: `${shown}${signed.query}`,
    headers: [...Object.entries(headers ?? {}).map(([name, value]) => visible(`${name}: ${value}`)), ...signed.headers],
    body: fields ? showForm(fields, room) : body === undefined ? [] : showBody(body, room),
  }
}

/** `replace 2 rrsets; reversible; only if ...; waits until ...`. */
export const commandWords = (command: Command, references: readonly NamedReference[] = []): Prose => [
  ...when(command.description !== '', foreign(command.description), '; '),
  gradeWords(command),
  ...lossWords(command),
  '; ',
  ...preconditionWords(command.precondition),
  ...aboutWords(command.about),
  ...waitWords(command.wait),
  ...when(command.dependsOn.length > 0, '; after ', ...foreignList(command.dependsOn)),
  ...commandNames(command, references),
]

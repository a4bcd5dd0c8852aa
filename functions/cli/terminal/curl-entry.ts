import { type LedgerEntry, loggedCommand, toCurl, visible } from '#core'

/**
 * An entry that names a request, as a line for a shell under a comment that says when, who and which; `undefined` for
 * the others. Secrets are asked for where the shell runs. An attempt is a comment alone: its request stands at the intent,
 * and who runs the export sends it once.
 */
export const curlOfEntry = (entry: LedgerEntry): string | undefined => {
  const { kind, attempt } = entry
  const command = kind === 'intent' || kind === 'logged' || kind === 'attempt' ? loggedCommand(entry) : undefined
  if (command === undefined) return undefined
  const { id, request } = command
  // A line feed in a subject would end the comment, and what follows it would be run.
  const says = (fate: string): string =>
    `# ${visible(`${entry.seq} ${entry.at} ${entry.actor.subject}: ${id} ${fate}`)}\n`
  if (kind === 'attempt') return says(`was about to leave, attempt ${attempt ?? 1}`)
  return `${says(kind === 'intent' ? 'was to be sent' : 'was logged in check mode, and not sent')}${toCurl(request)}\n`
}

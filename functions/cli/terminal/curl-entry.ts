import { type LedgerEntry, loggedCommand, toCurl, visible } from '#core'

/**
 * Renders an entry with a request as a shell command below a comment with its time, actor and command; `undefined` for
 * other entries. The shell supplies the secrets. An attempt is only a comment: its request is at the intent, and the
 * exported script sends it once.
 */
export const curlOfEntry = (entry: LedgerEntry): string | undefined => {
  const { kind, attempt } = entry
  const command = kind === 'intent' || kind === 'logged' || kind === 'attempt' ? loggedCommand(entry) : undefined
  if (command === undefined) return undefined
  const { id, request } = command
  // A line feed in a subject would end the comment, and the shell would run the rest.
  const says = (fate: string): string =>
    `# ${visible(`${entry.seq} ${entry.at} ${entry.actor.subject}: ${id} ${fate}`)}\n`
  if (kind === 'attempt') return says(`was about to be sent, attempt ${attempt ?? 1}`)
  return `${says(kind === 'intent' ? 'was to be sent' : 'was logged in check mode, and not sent')}${toCurl(request)}\n`
}

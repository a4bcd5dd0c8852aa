import { type LedgerEntry, loggedCommand, toCurl } from '#core'

/**
 * An entry that names a request, as a line for a shell under a comment that says when, who and which; `undefined` for
 * the others. Secrets are asked for where the shell runs.
 */
export const curlOfEntry = (entry: LedgerEntry): string | undefined => {
  const command = entry.kind === 'intent' || entry.kind === 'logged' ? loggedCommand(entry) : undefined
  if (command === undefined) return undefined
  const { id, request } = command
  const fate = entry.kind === 'intent' ? 'was to be sent' : 'was logged in check mode, and not sent'
  return `# ${entry.seq} ${entry.at} ${entry.actor.subject}: ${id} ${fate}\n${toCurl(request)}\n`
}

import { type Command, type LedgerEntry, toCurl } from '#core'

/**
 * An entry that names a request, as a line for a shell under a comment that says when, who and which; `undefined` for
 * the others. Secrets are asked for where the shell runs.
 */
export const curlOfEntry = (entry: LedgerEntry): string | undefined => {
  if (entry.command === undefined || (entry.kind !== 'intent' && entry.kind !== 'logged')) return undefined
  // The ledger holds commands as plain JSON of their own shape.
  const { id, request } = entry.command as unknown as Command
  const fate = entry.kind === 'intent' ? 'was to be sent' : 'was logged in check mode, and not sent'
  return `# ${entry.seq} ${entry.at} ${entry.actor.subject}: ${id} ${fate}\n${toCurl(request)}\n`
}

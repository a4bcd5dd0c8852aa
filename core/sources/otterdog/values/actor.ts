/** Who may bypass a ruleset. */
export interface BypassActor {
  readonly kind: 'role' | 'organisationAdmin' | 'team' | 'user' | 'app'
  /** Of a role the number that GitHub gives it; the slug of a team or an app; the login of a person. */
  readonly name: string
  readonly mode: string
}

/** The roles that the file can name, with the numbers that GitHub gives them. */
export const bypassRoles: Readonly<Record<string, { readonly kind: BypassActor['kind']; readonly name: string }>> = {
  '#OrganizationAdmin': { kind: 'organisationAdmin', name: '1' },
  '#Maintain': { kind: 'role', name: '2' },
  '#Write': { kind: 'role', name: '4' },
  '#RepositoryAdmin': { kind: 'role', name: '5' },
}

export const bypassModes = ['always', 'pull_request', 'exempt'] as const

/** `undefined` if the text names no actor that there is. The mode is not checked. */
export const readBypassActor = (text: string): BypassActor | undefined => {
  const [, who = '', mode = 'always'] = /^(.*?)(?::([^:]*))?$/s.exec(text) ?? []
  if (who.startsWith('#')) {
    const role = Object.hasOwn(bypassRoles, who) ? bypassRoles[who] : undefined
    return role && { ...role, mode }
  }
  const [, first, team] = /^@([^/]+)(?:\/([^/]+))?$/.exec(who) ?? []
  if (team !== undefined) return { kind: 'team', name: team, mode }
  if (first !== undefined) return { kind: 'user', name: first, mode }
  return /^[\w-]+$/.test(who) ? { kind: 'app', name: who, mode } : undefined
}

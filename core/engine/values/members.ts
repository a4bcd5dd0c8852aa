/** Changes each member of an object; members that become `undefined` are left out. Names may come from data. */
export const mapMembers = <In, Out>(
  members: Readonly<Record<string, In>>,
  change: (member: In, name: string) => Out | undefined,
): Record<string, Out> => {
  const kept: [string, Out][] = []
  for (const [name, member] of Object.entries(members)) {
    const changed = change(member, name)
    if (changed !== undefined) kept.push([name, changed])
  }
  return Object.fromEntries(kept)
}

export const pick = <Member>(
  members: Readonly<Record<string, Member>>,
  names: readonly string[],
): Record<string, Member> => Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)))

export const withoutMembers = <Member>(
  members: Readonly<Record<string, Member>>,
  names: readonly string[],
): Record<string, Member> => mapMembers(members, (member, name) => (names.includes(name) ? undefined : member))

/** `undefined` if there are no members: empty objects and lists are not stored. */
export const unlessEmpty = <Members extends object>(members: Members | undefined): Members | undefined =>
  members === undefined || Object.keys(members).length === 0 ? undefined : members

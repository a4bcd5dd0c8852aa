/** The slug that GitHub makes of the name of a team: lower case, and one hyphen for what is neither letter nor digit. */
export const teamSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

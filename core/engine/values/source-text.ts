import type { Source } from '../schema/stored/source.ts'

/** `github:acme/config@main`, with the folder if there is one: `github:acme/config@main/workspaces/dns`. */
export const sourceText = ({ github: { repository, ref, path } }: Source): string =>
  `github:${repository}@${ref}${path === undefined ? '' : `/${path}`}`

import type { VersionNames } from '../../schema/stored/versions.ts'

/* All sentences about configurations that are read from a Git repository. */

export const unread = {
  status: (what: string, status: number) => `the request for ${what} was answered with ${status}`,
  token: 'the token was not accepted (401)',
  moved: (status: number) =>
    `the repository was moved or renamed (${status}), and whoever owns it now decides what is in it: set the source to its new name if that is meant`,
  limited: 'the rate limit of the token is used up',
  hidden: 'there is no such repository or ref, or the token may not read it (404)',
  noRef: (ref: string) => `there is no ref ${ref}`,
  empty: 'the repository is empty',
  malformed: (what: string) => `the answer about ${what} does not have the documented form`,
  truncated:
    'GitHub cut the list of files, because the folder has too many: move the configuration to a folder of its own',
  names: 'the list of files',
  etag: 'the ETag of the commit',
  echo: (what: string) =>
    `${what} repeats the token of the source, or cannot be searched for it, and nothing of it was stored: if the token was committed, revoke it and take it out`,
  damaged: (file: string) => `the content of ${file} is not the one that its name in Git stands for`,
}

export const flaws = {
  noFolder: (path: string) => `there is no folder ${path}`,
  noEntry: (place: string) =>
    `there is no plumbline.yaml, plumbline.yml, plumbline.json or plumbline.jsonc in ${place}`,
  several: (names: readonly string[]) => `there are several entry files: ${names.join(', ')}`,
  jsonnet: (file: string) =>
    `${file} is Jsonnet, which is evaluated only where it is read from disk: commit its result`,
  more: (count: number) => `and ${count} more`,
  otherName: (found: string, expected: string) => `it names the workspace "${found}", and not "${expected}"`,
}

export const fileRefusals = {
  outside: (file: string) => [`${file} is outside the repository`, 'name a file in it'] as const,
  link: (file: string) => [`${file} is a symbolic link`, 'commit the file itself'] as const,
  submodule: (file: string) => [`${file} is a submodule`, 'commit the files themselves'] as const,
  folder: (file: string) => [`${file} is a folder`, 'name a file'] as const,
  large: (file: string, limit: number) => [`${file} is larger than ${limit} bytes`, 'split it'] as const,
  tooMuch: (file: string, limit: number) =>
    [`with ${file} the configuration is larger than ${limit} bytes`, 'split the workspace in two'] as const,
  tooMany: (file: string, limit: number) =>
    [`with ${file} the configuration has more than ${limit} files`, 'split the workspace in two'] as const,
  notUtf8: (file: string) => [`${file} is not UTF-8`, 'save it as UTF-8'] as const,
  jsonnet: (file: string) =>
    [`${file} is Jsonnet, which is evaluated only where it is read from disk`, 'commit its result as JSON'] as const,
}

export const keptVersion = ({ configurationVersion, commit }: VersionNames): string =>
  commit === undefined
    ? `version ${configurationVersion ?? 1}`
    : `version ${configurationVersion ?? 1} of commit ${commit.slice(0, 12)}`

export const secretProblem = (member: string, why: string): string => `body.github.${member}: ${why}`

/** Why no pull request could be opened. */
export const proposals = {
  parts: {
    repository: 'the repository',
    tree: 'the tree',
    commit: 'the commit',
    branch: 'the branch',
    pulls: 'the list of pull requests',
    pull: 'the pull request',
  },
  noFile: (path: string, base: string) => `${base} has no file ${path}`,
  otherText: (path: string, base: string) =>
    `${path} is another text in ${base} than the one that was read here; bring this folder up to date`,
  malformed: (what: string) => `the answer about ${what} does not have the documented form`,
  echo: (what: string) => `the answer about ${what} repeats the token`,
  refused: (what: string, status: number) =>
    `${what}: ${status}; the token needs the permissions contents=write and pull_requests=write`,
}

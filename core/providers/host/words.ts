import { uncoded as said } from '../../values/diagnose.ts'

export const descriptions = {
  path: "The file, relative to the provider's root or absolute inside of it.",
  content: 'The whole text. Not declared: only the mode is managed. `source` names a file of the workspace instead.',
  contentBase64: 'The whole content, where it is no UTF-8 text.',
  mode: 'Four octal digits. Not declared: left as it is, 0644 for a new file.',
}

/** What a command does. */
export const doing = {
  create: (path: string) => `create ${path}`,
  write: (path: string) => `write ${path}`,
  remove: (path: string) => `remove ${path}`,
  changeMode: (path: string, mode: string) => `set the mode of ${path} to ${mode}`,
}

/** Why a file could not be read. */
export const unknowns = {
  openPath: 'the path is not known',
  outside: (path: string, root: string) => `"${path}" is not a file inside of ${root}`,
  noFile: 'the answer describes no file',
}

export const refusals = {
  unknownMember: (alias: string) =>
    said(`provider ${alias} has an unknown setting`, 'the host provider knows `root` only'),
  noRoot: (alias: string) =>
    said(`provider ${alias} has no root`, 'set `with: { root: /srv/app }`, the folder that it may manage'),
  relativeRoot: (alias: string) =>
    said(
      `the root of provider ${alias} is relative, and this workspace has no folder on a machine`,
      'write an absolute path',
    ),
  outside: (path: string, root: string) =>
    said(unknowns.outside(path, root), `name a file inside of the provider's root, without ".."`),
  both: (name: string, other: string) => said(`${name} and ${other} are both given`, 'keep one of them'),
  noText: (name: string) => said(`${name} is not a text`, 'write it as a text that is known beforehand'),
  noBase64: () => said('contentBase64 is not base64', 'encode the bytes with `base64 -w0 <file>`'),
  noMode: (mode: string) =>
    said(`"${mode}" is not a file mode`, 'write four octal digits in quotes, for example "0644"'),
}

import { uncoded as said } from '../../../engine/values/diagnose.ts'

/** What attributes are, for people. */
export const descriptions = {
  path: "The file, relative to the provider's root or absolute inside of it.",
  content: 'The whole text. Not declared: only the mode is managed. `source` names a file of the workspace instead.',
  contentBase64: 'The whole content, where it is no UTF-8 text.',
  mode: 'Four octal digits. Not declared: left as it is, 0644 for a new file.',
  folderPath: 'The folder, relative to the home or absolute inside of the root. The folder around it exists.',
  folderMode: 'Four octal digits. Not declared: left as it is, 0755 for a new folder.',
  linkPath: 'The link, relative to the home or absolute inside of the root.',
  target: 'The text of the link. It may lead anywhere; files behind a link to the outside are not managed.',
  partFile: 'The text file, relative to the home or absolute inside of the root. It is made if it does not exist.',
  line: 'The whole line.',
  startsWith: 'How the line begins. It tells the line from others. Not declared: the whole line does.',
  blockName: 'What tells the block: letters, digits, dots, dashes and underscores. It stands in the marks around it.',
  comment: 'What begins a comment in this file.',
  blockContent: 'The lines between the marks.',
  alias: 'The name of the alias.',
  aliasValue: 'What it stands for, in one line.',
  variable: 'The name of the variable.',
  variableValue: 'Its value, in one line.',
  expand: 'Whether `$NAME` and `${NAME}` in the value stand for other variables. Otherwise the value is literal.',
  profile: 'The name of the profile.',
  credentialsFile: 'The file of the keys, relative to the home or absolute inside of the root.',
  configFile: 'The file of the other settings.',
  accessKeyId: '`aws_access_key_id` of the credentials.',
  secretAccessKey: '`aws_secret_access_key` of the credentials.',
  sessionToken: '`aws_session_token` of the credentials.',
  region: '`region` of the configuration.',
  output: '`output` of the configuration.',
  hasCredentials: 'Whether the credentials have a section of the profile, also one without any of these keys.',
  profileSettings: 'Other keys of the configuration. Keys that are not declared are left alone.',
  gitFile: 'The file of the configuration, relative to the home or absolute inside of the root.',
  gitKey: 'The key, for example `user.email` or `url.https://example.org/.insteadOf`.',
  gitValue: 'Its one value.',
  driver: 'What installs the package: `apt` (Debian packages), `npm` (global packages) or `pip` (Python packages).',
  packageName: 'The name of the package, as the driver lists it.',
  version: 'The exact version. Not declared: any.',
  from: 'What is installed instead of the name: an absolute path, or for npm and pip a URL. A change installs it again.',
  unit: 'The unit, with its suffix: `nginx.service`.',
  scope: 'Whose manager it belongs to: `system`, or `user` for the user that runs the check.',
  active: 'Whether it runs.',
  enabled: 'Whether it is started with the machine.',
}

/** What a command does. */
export const doing = {
  create: (path: string) => `create ${path}`,
  write: (path: string) => `write ${path}`,
  remove: (path: string) => `remove ${path}`,
  changeMode: (path: string, mode: string) => `set the mode of ${path} to ${mode}`,
  link: (path: string) => `link ${path}`,
  add: (what: string, file: string) => `add ${what} to ${file}`,
  change: (what: string, file: string) => `change ${what} in ${file}`,
  takeAway: (what: string, file: string) => `remove ${what} from ${file}`,
  install: (what: string, driver: string) => `install ${what} with ${driver}`,
  uninstall: (what: string, driver: string) => `remove ${what} with ${driver}`,
  unit: (verb: string, unit: string) => `${verb} ${unit}`,
}

/** What a part of a file is called. */
export const partNames = {
  line: (start: string) => `the line "${start}"`,
  block: (name: string) => `the block ${name}`,
  alias: (name: string) => `the alias ${name}`,
  variable: (name: string) => `the variable ${name}`,
  profile: (name: string) => `the profile ${name}`,
}

/** Why an object could not be read. */
export const unknowns = {
  openPath: 'the path is not known',
  openName: 'what identifies it is not known',
  outside: (path: string, root: string) => `"${path}" is not a file inside of ${root}`,
  noFile: 'the answer describes no file',
  noText: 'its content is binary where UTF-8 text was expected',
  noProgram: (program: string) => `the program ${program} is not there`,
  failed: (program: string, detail: string) => `${program}: ${detail}`,
  noOutput: (program: string) => `the output of ${program} is not as expected`,
  severalValues: (key: string) => `${key} has several values`,
  halfInstalled: (name: string, state: string) => `${name} is in the state ${state}, neither installed nor removed`,
  noVersion: (name: string) => `the package.json of ${name} has no version`,
  secrets: (names: readonly string[]) =>
    `${names.join(', ')}: the value may be a secret, so it is not written; declare it with \`secret\``,
  noPrefix: 'the provider has no `npmPrefix`',
}

export const refusals = {
  unknownMember: (alias: string, source: string, known: readonly string[]) =>
    said(
      `provider ${alias} has an unknown setting`,
      `the ${source} provider knows ${known.map((name) => `\`${name}\``).join(', ')} only`,
    ),
  noFolder: (alias: string, member: string) =>
    said(`provider ${alias} has no ${member}`, `set \`with: { ${member}: /srv/app }\`, the folder that it may manage`),
  relativeFolder: (alias: string, member: string) =>
    said(
      `the ${member} of provider ${alias} is relative, and this workspace has no folder on a machine`,
      'write an absolute path',
    ),
  homeOutside: (alias: string, root: string) =>
    said(
      `the home of provider ${alias} is not inside of its root ${root}`,
      'name a root that holds the home, or leave `root` out',
    ),
  prefixOutside: (alias: string, root: string) =>
    said(`\`npmPrefix\` of provider ${alias} is not inside of its root ${root}`, 'name a root that holds it too'),
  timeout: (alias: string) =>
    said(`\`timeoutMs\` of provider ${alias} is invalid`, 'write a whole number of milliseconds from 1000 to 3600000'),
  env: (alias: string, known: readonly string[]) =>
    said(
      `\`env\` of provider ${alias} has a variable that is not passed on`,
      `only texts for these: ${known.join(', ')}`,
    ),
  outside: (path: string, root: string) =>
    said(unknowns.outside(path, root), `name a file inside of the provider's root, without ".."`),
  both: (name: string, other: string) => said(`${name} and ${other} are both given`, 'keep one of them'),
  noText: (name: string) => said(`${name} is not a text`, 'write it as a text that is known beforehand'),
  noBase64: () => said('contentBase64 is not base64', 'encode the bytes with `base64 -w0 <file>`'),
  noMode: (mode: string) =>
    said(`"${mode}" is not a file mode`, 'write four octal digits in quotes, for example "0644"'),
  noPart: (detail: string) => said(detail, 'write it in another form'),
  secretLine: () =>
    said('the line is a secret, so that it cannot tell the line from others', 'add `startsWith`, a plain text'),
  linkTarget: () => said('the target is empty or has a NUL character', 'write the path that the link leads to'),
  credentialKey: (key: string) =>
    said(`\`settings\` has the key ${key}, which has an attribute of its own`, 'use that attribute'),
  gitKey: (key: string) => said(`"${key}" is no key of git`, 'write `section.name` or `section.subsection.name`'),
  gitValue: () => said('the value has a line feed or a NUL character', 'write it in one line'),
  secretArgument: (name: string) =>
    said(
      `${name} is a secret, and would be an argument of a program, which other users can see`,
      'write it into a file of its own',
    ),
  laterArgument: (name: string) =>
    said(`${name} is known during the apply only, and would be an argument of a program`, 'write it as a text'),
  longArgument: (name: string) =>
    said(`${name} is too long for an argument of a program`, 'write at most 100,000 bytes'),
  driver: (driver: string, known: readonly string[]) =>
    said(`there is no driver "${driver}"`, `use one of ${known.join(', ')}`),
  lack: (lack: string) => said(lack, 'set `npmPrefix` of the provider, the folder where npm installs global packages'),
  packageName: (driver: string) =>
    said(`this is no name of a package of ${driver}`, 'write the name as the driver lists it'),
  version: () => said('this is no version', 'write the exact version, as the driver lists it'),
  from: () =>
    said(
      'this is no absolute path and no https URL of plain characters',
      'write one of them: a path of letters, digits, spaces and `_ . @ + ~ , = -` without "..", or a URL in ASCII',
    ),
  fromCredentials: () =>
    said(
      'the URL holds a user or a password, and would be an argument of a program, which other users can see',
      'name a URL without them, or a file that was fetched before',
    ),
  fromApt: () => said('this is no absolute path of a .deb file', 'write the path of a package file'),
  scope: (scope: string) => said(`"${scope}" is no scope`, 'write system or user'),
  unit: (unit: string) => said(`"${unit}" is no name of a unit`, 'write it with its suffix, for example nginx.service'),
}

import { jsonnetFault } from '#core'

/** Joins the output of a program into one line: a message of several lines would hide the place. */
const oneLine = (said: string): string =>
  said
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)

const refuse = (message: string, fix: string) => ({ code: jsonnetFault, message, fix })

export const refusals = {
  noCommand: (file: string) =>
    refuse(
      `${file} is evaluated by the command jsonnet, and it is not installed`,
      `install it (Debian: apt-get install jsonnet; macOS: brew install go-jsonnet), or write what it evaluates to as JSON`,
    ),
  notStarted: (file: string, code: string) =>
    refuse(`the command jsonnet for ${file} could not be run: ${code}`, 'try `jsonnet --version`'),
  timeout: (file: string, ms: number) =>
    refuse(`${file} was not evaluated within ${ms / 1000} seconds`, 'look for a recursion that does not end'),
  flood: (file: string, bytes: number) =>
    refuse(`${file} evaluates to more than ${bytes} bytes`, 'split it in several files, and include them'),
  memory: (file: string, bytes: number) =>
    refuse(
      `${file} takes more than ${bytes / 1024 ** 3} GiB of memory to evaluate`,
      'look for a text or a list that grows without end',
    ),
  invalid: (file: string, said: string) =>
    refuse(`${file} cannot be evaluated: ${oneLine(said) || 'jsonnet does not say why'}`, 'correct it here'),
  outside: (path: string | undefined) =>
    refuse(
      path === undefined ? 'an import whose path has escapes' : `the import ${oneLine(path)} is no relative path`,
      'import files by relative paths, with forward slashes',
    ),
  manyImports: (most: number) => refuse(`more than ${most} imported files`, 'import fewer files'),
}

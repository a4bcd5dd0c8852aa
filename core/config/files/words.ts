import { diagnostics, said } from '../../values/diagnose.ts'

/* A bundle's files are named where no configuration is loaded, too: these two sentences come without all others. */

export const say = diagnostics({
  outside: (file: string) =>
    said(
      `${file} is outside the folder of the workspace`,
      'name a file in the folder of the configuration, relative to it',
    ),
  noFile: (file: string, fix: string) => said(`there is no file ${file}`, fix),
})

import { diagnostics, said } from '../../values/diagnose.ts'

/* Separate from the other messages because files of a bundle are also named where no configuration is loaded. */

export const say = diagnostics({
  outside: (file: string) =>
    said(
      `${file} is outside the folder of the workspace`,
      'name a file in the folder of the configuration, relative to it',
    ),
  noFile: (file: string, fix: string) => said(`there is no file ${file}`, fix),
})

import { diagnostics, said } from '../../values/diagnose.ts'

/* Separate from the other messages because files of a bundle are also named where no configuration is loaded. */

export const say = diagnostics({
  outside: (file: string) =>
    said(
      `${file} is outside the folder of the workspace`,
      'name a file relative to the configuration, with forward slashes: in its folder, or in its Git repository',
    ),
  noFile: (file: string, fix: string) => said(`there is no file ${file}`, fix),
})

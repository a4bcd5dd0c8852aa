import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError, type GivenValue, givenByEnvironment, givenByFile, givenText } from '#core'
import { asRefused, ifThere } from '../../adapters/files/system-errors.ts'
import { pair } from '../commands/command.ts'
import type { Context } from '../context.ts'

export type GivenOptions = Pick<Context, 'given' | 'host'>

const readValues = async (file: string, folder: string): Promise<readonly GivenValue[]> => {
  const path = resolve(folder, file)
  const text = await ifThere(readFile(path, 'utf8')).catch((error: unknown) => {
    throw asRefused(error, path)
  })
  if (text === undefined) throw new AppError('USAGE', { detail: `there is no file ${path} for --var-file` })
  const { values, issues } = givenByFile(file, text)
  if (issues.length > 0) throw new AppError('CONFIG_INVALID', { issues })
  return values
}

/**
 * Collects the given values of variables; a later source has priority: the environment, files in their order, options
 * in their order. Rejects with USAGE, FILE_REFUSED or CONFIG_INVALID.
 */
export const givenValues = async ({ given = {}, host }: GivenOptions): Promise<readonly GivenValue[]> => {
  const files = await Promise.all((given.varFile ?? []).map((file) => readValues(file, host.folder)))
  const options = (given.var ?? []).map((word) => {
    const [name, value] = pair(word, '--var name=value')
    return givenText(name, value, `--var ${name}`)
  })
  return [...givenByEnvironment(host.variables), ...files.flat(), ...options]
}

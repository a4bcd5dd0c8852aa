import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { AppError } from '#core'
import { jsonIn } from '../../adapters/json-in.ts'
import type { Host } from '../process/host.ts'
import { type SignedIn, sessionShape } from './signed-in.ts'

/* The tokens of `plumbline login`, in a file that only this user may read. */

const fileShape = z.object({ version: z.literal(1), endpoints: z.record(z.string(), sessionShape) })

type HostVariables = Pick<Host, 'variables'>

/** https://specifications.freedesktop.org/basedir-spec/latest/ */
const sessionsFile = ({ variables }: HostVariables): string =>
  join(variables['XDG_CONFIG_HOME'] || join(variables['HOME'] || homedir(), '.config'), 'plumbline', 'sign-in.json')

const load = async (host: HostVariables): Promise<Readonly<Record<string, SignedIn>>> => {
  const file = sessionsFile(host)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  const { data } = fileShape.safeParse(jsonIn(text))
  if (data === undefined)
    throw new AppError('SIGN_IN_EXPIRED', {
      endpoint: file,
      detail: 'the file is damaged, or of a later version; delete it',
    })
  return data.endpoints
}

/** Replaced as a whole, so that nobody ever reads half of it. */
const store = async (endpoints: Readonly<Record<string, SignedIn>>, host: HostVariables): Promise<void> => {
  const file = sessionsFile(host)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}`
  try {
    await writeFile(beside, `${JSON.stringify({ version: 1, endpoints }, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

export const findSession = async (endpoint: string, host: HostVariables): Promise<SignedIn | undefined> =>
  (await load(host))[endpoint]

export const keepSession = async (
  endpoint: string,
  session: SignedIn | undefined,
  host: HostVariables,
): Promise<void> => {
  const { [endpoint]: _, ...others } = await load(host)
  await store(session === undefined ? others : { ...others, [endpoint]: session }, host)
}

import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inOneOrder } from '../servers/run-server.ts'

/* A Waldur that runs: its script, its processes, its data base. */

/** Beside the repository, with the sources that it installs. */
export const script = resolve(import.meta.dirname, '../../../../shared/waldur/waldur.sh')

export interface Installed {
  readonly folder: string
  readonly baseUrl: string
  readonly dataPort: number
  readonly env: Readonly<Record<string, string>>
}

export const staffToken = 'staff0token0123456789'
export const nobodysToken = 'nobody0token0123456789'

const execute = promisify(execFile)

/** One statement, and what it prints. */
export const administer = async ({ dataPort }: Installed, statement: string, base = 'waldur'): Promise<string> => {
  const where = ['-h', '127.0.0.1', '-p', String(dataPort), '-U', 'postgres']
  const { stdout } = await execute('psql', [...where, '-qAt', '-v', 'ON_ERROR_STOP=1', '-d', base, '-c', statement], {
    maxBuffer: 256 << 20,
  })
  return stdout.trim()
}

const run = async ({ env }: Installed, word: string, more: Readonly<Record<string, string>> = {}): Promise<void> => {
  await execute('bash', [script, word], { env: { ...process.env, ...env, ...more } })
}

/** The data base as it was seeded. */
export const reset = (installed: Installed, more?: Readonly<Record<string, string>>) => run(installed, 'reset', more)

export type Process = 'server' | 'worker'

/** Ends these processes with a signal and waits until they are gone. */
export const end = async (
  { folder }: Installed,
  processes: readonly Process[],
  signal: NodeJS.Signals,
): Promise<void> => {
  for (const name of processes) {
    const file = join(folder, `${name}.pid`)
    const pid = Number(readFileSync(file, 'utf8'))
    process.kill(pid, signal)
    for (let n = 0; n < 600 && isAlive(pid); n += 1) await pause(100)
    rmSync(file)
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Starts what does not run. `more` is its environment. */
export const start = (installed: Installed, more?: Readonly<Record<string, string>>) => run(installed, 'up', more)

/** What counts up by itself with each write, and what only tells that there was one. */
const told =
  /^(analytics_|constance_|logging_|reversion_|django_|authtoken_|notifications_|quotas_quotausage$)|_history$|_event|_stats/
const moving = [
  'modified',
  'last_login',
  'error_traceback',
  'changed_at',
  'backend_id',
  'backend_metadata',
  'action',
  'action_details',
  'current_usages',
  'start_time',
  'task_id',
]

/** Every row of every table, without what the passing of time and of requests moves. */
export const dump = async (installed: Installed): Promise<Readonly<Record<string, unknown>>> => {
  const tables = (await administer(installed, "select tablename from pg_tables where schemaname = 'public' order by 1"))
    .split('\n')
    .filter((name) => !told.test(name))
  const without = moving.map((name) => `'${name}'`).join(', ')
  const parts = tables.map((name) => `select '${name}' as at, to_jsonb(t) - array[${without}] as is from "${name}" t`)
  const rows = await administer(
    installed,
    `select jsonb_object_agg(at, rows) from (select at, jsonb_agg("is" order by "is"::text) as rows from (${parts.join(' union all ')}) as each group by at) as tables`,
  )
  return inOneOrder(JSON.parse(rows)) as Readonly<Record<string, unknown>>
}

type Dump = Awaited<ReturnType<typeof dump>>
type Row = Readonly<Record<string, unknown>>

/** The tables that two dumps tell apart; with the columns where no row came or went. A row that was only made anew is the same. */
export const tablesApart = (before: Dump, after: Dump): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((table) => {
    const [was, is] = [byId(before[table]), byId(after[table])]
    const ids = [...new Set([...was.keys(), ...is.keys()])]
    if (ids.some((id) => !was.has(id) || !is.has(id))) return sameRows(was, is) ? [] : [table]
    const columns = ids.flatMap((id) => columnsApart(was.get(id), is.get(id)))
    return columns.length === 0 ? [] : [`${table}: ${[...new Set(columns)].join(', ')}`]
  })

const byId = (rows: unknown): ReadonlyMap<string, Row> =>
  new Map(((rows ?? []) as readonly Row[]).map((row) => [JSON.stringify(row['id'] ?? row), row]))

const sameRows = (was: ReadonlyMap<string, Row>, is: ReadonlyMap<string, Row>): boolean => {
  const [left = '', right] = [was, is].map((rows) =>
    [...rows.values()]
      .map(({ id: _, ...row }) => JSON.stringify(row))
      .sort()
      .join(),
  )
  return left === right
}

const columnsApart = (was: Row = {}, is: Row = {}): readonly string[] =>
  Object.keys(is).filter((column) => JSON.stringify(was[column]) !== JSON.stringify(is[column]))

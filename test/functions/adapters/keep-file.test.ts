import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keepFile, writeDocument } from '../../../functions/adapters/files/keep-file.ts'
import { isLocked, takeLock } from '../../../functions/adapters/files/kernel-lock.ts'
import { long } from '../../builders/long.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-keep-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('a file of this program', () => {
  test('is replaced as a whole, for its owner only, and nothing remains beside it', async () => {
    const file = join(folder, 'x.json')
    await writeFile(file, 'an older one that is longer', { mode: 0o644 })
    await keepFile(file, 'new')
    expect(await readFile(file, 'utf8')).toBe('new')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['x.json'])
  })

  test('that is written once keeps its first content, whoever else writes', async () => {
    const file = join(folder, 'key')
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => keepFile(file, text, { once: true })))
    const [first] = await readFile(file, 'utf8')
    await keepFile(file, 'later', { once: true })
    expect(await readFile(file, 'utf8')).toBe(first)
    expect(await readdir(folder)).toEqual(['key'])
  })

  test('for people is never half written, and is overwritten with its own mode only where that is requested', async () => {
    const file = join(folder, 'x.yaml')
    expect(await writeDocument(file, 'one')).toBe(true)
    await chmod(file, 0o640)
    expect(await writeDocument(file, 'two')).toBe(false)
    expect(await readFile(file, 'utf8')).toBe('one')
    await symlink(file, join(folder, 'link'))
    expect(await writeDocument(join(folder, 'link'), 'three', true)).toBe(true)
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['three', 0o640])
    expect((await readdir(folder)).toSorted()).toEqual(['link', 'x.yaml'])
    await expect(writeDocument(folder, 'x', true)).rejects.toMatchObject({ code: 'FILE_REFUSED' })
  })

  test('is named in the error where the system refuses it', async () => {
    await writeFile(join(folder, 'file'), '')
    const refused = keepFile(join(folder, 'file', 'x'), 'x')
    await expect(refused).rejects.toMatchObject({ code: 'FILE_REFUSED', payload: { path: join(folder, 'file', 'x') } })
  })

  // The machine's own full disk: the kernel refuses each byte beyond the limit.
  test('does not exist at all where the disk is full in the middle of it', long, async () => {
    const module = new URL('../../../functions/adapters/files/keep-file.ts', import.meta.url).href
    const file = join(folder, 'key')
    const script = `
      process.on('SIGXFSZ', () => {})
      const { keepFile } = await import(${JSON.stringify(module)})
      await keepFile(${JSON.stringify(file)}, 'x'.repeat(5000), { once: true }).catch((error) => console.log(error.code))`
    const limited = spawn('sh', [
      '-c',
      'ulimit -f 2; exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ])
    await once(limited, 'close')
    expect((await readdir(folder)).filter((name) => name === 'key')).toEqual([])
    await keepFile(file, 'whole', { once: true })
    expect(await readFile(file, 'utf8')).toBe('whole')
  })
})

describe('the lock of the kernel', () => {
  test('has one holder, and is free when the holder releases it', async () => {
    const file = join(folder, 'lock')
    expect(await isLocked(file)).toBe(false)
    const lock = await takeLock(file, 0)
    expect(await isLocked(file)).toBe(true)
    expect(await takeLock(file, 0)).toBeUndefined()
    await lock?.close()
    expect(await isLocked(file)).toBe(false)
    expect(await readdir(folder)).toEqual(['lock'])
  })

  test('ends with its process, however that ends and whichever process gets its number next', long, async () => {
    const module = new URL('../../../functions/adapters/files/kernel-lock.ts', import.meta.url).href
    const file = join(folder, 'lock')
    const script = `
      const { takeLock } = await import(${JSON.stringify(module)})
      globalThis.lock = await takeLock(${JSON.stringify(file)}, 0)
      console.log('held')
      setInterval(() => {}, 1000)`
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    expect(await isLocked(file)).toBe(true)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    expect(await isLocked(file)).toBe(false)
  })
})

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AppError, callIn, isObject, type Json, type Request, type Response, type Transport } from '#core'
import { errno, ifThere, systemWords } from '../../files/system-errors.ts'

/**
 * Git would look a path up again after every check of it, and follow a link that was put there meanwhile. So git gets a
 * copy in a private folder, and the transport of files, which holds the folder open, reads the file and writes it back.
 */
export const gitOnCopy = (programs: Transport, files: Transport): Transport => ({
  send: (request, signal) => {
    const path = configPathIn(request)
    if (path === undefined) return programs.send(request, signal)
    return onCopy(path, { programs, files }, [request, signal])
  },
})

const configPathIn = ({ url, body }: Request): string | undefined => {
  const [command, option, path] = callIn(body)?.args ?? []
  return url === 'exec:///git' && command === 'config' && option === '--file' ? path : undefined
}

interface Ways {
  readonly programs: Transport
  readonly files: Transport
}

type Sent = Parameters<Transport['send']>

const onCopy = async (path: string, { programs, files }: Ways, [request, signal]: Sent): Promise<Response> => {
  const url = pathToFileURL(path).href
  const old = await files.send({ method: 'GET', url, effect: 'read' }, signal)
  if (old.status !== 200 && old.status !== 404) return old
  return inPrivate(request, async (copy) => {
    const before = bytesIn(old.body)
    if (before !== undefined) await writeFile(copy, before)
    const said = await programs.send({ ...request, body: withPath(request.body, copy) }, signal)
    const answer = { ...said, body: withWords(said.body, copy, path) }
    const after = await ifThere(readFile(copy))
    const isSame = after === undefined || before?.equals(after) === true
    if (said.status !== 200 || request.effect === 'read' || isSame) return answer
    const { etag } = old.headers
    const headers = etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag }
    const body = { contentBase64: after.toString('base64') }
    const written = await files.send({ ...request, method: 'PUT', url, headers, body }, signal)
    return written.status < 300 ? answer : written
  })
}

const inPrivate = async <Result>(
  { method, url }: Request,
  work: (copy: string) => Promise<Result>,
): Promise<Result> => {
  let folder: string | undefined
  try {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-git-'))
    return await work(join(folder, 'config'))
  } catch (error) {
    if (error instanceof AppError) throw error
    const code = errno(error) ?? 'unknown reason'
    const detail = `no copy in ${tmpdir()}: ${systemWords[code] ?? code}`
    throw new AppError('REQUEST_FAILED', { method, url, detail, reason: 'unsent' }, { cause: error })
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

const bytesIn = (body: Json): Buffer | undefined => {
  const { content, contentBase64 } = isObject(body) ? body : {}
  if (typeof content === 'string') return Buffer.from(content)
  return typeof contentBase64 === 'string' ? Buffer.from(contentBase64, 'base64') : undefined
}

const withPath = (body: Json | undefined, copy: string): Json => {
  const { args = [], env = {} } = callIn(body) ?? {}
  return { args: [...args.slice(0, 2), copy, ...args.slice(3)], env }
}

/** What git says names the file, not the copy. */
const withWords = (body: Json, copy: string, path: string): Json =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, said]) => [
          name,
          typeof said === 'string' ? said.replaceAll(copy, path) : said,
        ]),
      )
    : body

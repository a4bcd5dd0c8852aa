import { AppError } from '#core'
import { readAll } from '../../adapters/read-all.ts'
import { fetchFrom } from '../backend/http-client.ts'
import type { Host } from '../process/host.ts'
import { openBytes } from './read-input.ts'

/** The largest public descriptions have about 40 MB. */
const maxBytes = 64_000_000
const timeoutMs = 60_000

export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text)

const failed = (address: string, detail: string): AppError =>
  new AppError('ENDPOINT_FAILED', { endpoint: address, detail })

const textOf = async (chunks: AsyncIterable<Uint8Array>, tooLarge: () => AppError): Promise<string> => {
  const bytes = await readAll(chunks, maxBytes)
  if (bytes === undefined) throw tooLarge()
  return new TextDecoder().decode(bytes)
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const fetchText = async (address: string, version: string): Promise<string> => {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '')
    throw new AppError('USAGE', { detail: `"${url?.host ?? address}" is no http or https address without credentials` })
  return fetchFrom(address, timeoutMs, async (signal) => {
    const accept = 'application/json, application/yaml;q=0.9, */*;q=0.8'
    const response = await fetch(url, { signal, headers: { accept, 'user-agent': `plumbline/${version}` } })
    if (!response.ok) throw failed(address, `status ${response.status}`)
    return textOf(response.body ?? nothing(), () => failed(address, `more than ${maxBytes} bytes`))
  })
}

/** Reads a text from a file, standard input (`-`) or an http(s) URL. Rejects with USAGE or ENDPOINT_FAILED. */
export const readText = async (
  from: string,
  host: Pick<Host, 'folder' | 'stdin' | 'version'>,
): Promise<{ readonly name: string; readonly text: string }> => {
  if (isAddress(from)) return { name: from, text: await fetchText(from, host.version) }
  const { name, chunks } = openBytes(from, host)
  const tooLarge = () => new AppError('USAGE', { detail: `${name} has more than ${maxBytes} bytes` })
  return { name, text: await textOf(chunks, tooLarge) }
}

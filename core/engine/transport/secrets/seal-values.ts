import { AppError, isAppError } from '../../errors/errors.ts'
import { fromPointer, setAt, valueAt } from '../../json/pointer.ts'
import { isSuccess, type Request, type Response, type SealedBox } from '../../schema/command.ts'
import type { Json } from '../../schema/json.ts'
import type { BoxSealer } from '../../schema/ports.ts'
import { urlParts } from '../../values/url.ts'
import { knownReason } from '../answer/unknown.ts'
import { boxFaults } from '../words.ts'

export interface Sealing {
  readonly sealBox: BoxSealer
  /** Reads the public key, signed in like the request itself. */
  readonly ask: (request: Request) => Promise<Response>
  /** Called with each sealed text before it is sent. The text is not secret, but is shown nowhere. */
  readonly learn?: ((text: string) => void) | undefined
}

type WholeBox = SealedBox & { readonly url: string }

/**
 * Encrypts values of the request into sealed boxes. `request` must not contain marks. The key is read each time,
 * because it may have been replaced since the plan; without a usable key nothing is sent.
 */
export const sealValues = async (request: Request, box: SealedBox, sealing: Sealing): Promise<Request> => {
  const { body = null } = request
  const places = box.values.map(fromPointer).filter((steps) => valueAt(body, steps) !== undefined)
  if (places.length === 0) return request
  const url = urlParts(box.url).join('')
  const { key, id } = await readKey(request, { ...box, url }, sealing)
  let sealed: Json = body
  for (const steps of places) {
    const text = valueAt(body, steps)
    if (typeof text !== 'string') throw unsent(request, boxFaults.noText)
    const bytes = await sealing.sealBox(text, key)
    if (bytes === undefined) throw unsent(request, boxFaults.weakKey(url))
    const shown = Buffer.from(bytes).toString('base64')
    sealing.learn?.(shown)
    sealed = setAt(sealed, steps, shown)
  }
  return { ...request, body: box.id === undefined ? sealed : setAt(sealed, fromPointer(box.id.to), id ?? null) }
}

const readKey = async (
  request: Request,
  box: WholeBox,
  { ask }: Sealing,
): Promise<{ readonly key: Uint8Array; readonly id?: Json }> => {
  const response = await ask(keyRequest(request, box)).catch((error: unknown) => {
    if (!isAppError(error) || knownReason(error) === undefined) throw error
    throw unsent(request, boxFaults.noAnswer(error.message), error)
  })
  if (!isSuccess({}, response.status)) throw unsent(request, boxFaults.refused(box.url, response.status))
  const key = bytesOf(valueAt(response.body, fromPointer(box.key)))
  if (key === undefined) throw unsent(request, boxFaults.noKey(box.url, box.key))
  if (box.id === undefined) return { key }
  const id = valueAt(response.body, fromPointer(box.id.from))
  if ((typeof id === 'string' && id !== '') || typeof id === 'number') return { key, id }
  throw unsent(request, boxFaults.noId(box.url, box.id.from))
}

const keyRequest = ({ headers = {}, auth, socket }: Request, { url }: WholeBox): Request => {
  const own = Object.entries(headers).filter(([name]) => !/^(content-type|if-.*)$/i.test(name))
  const read: Request = { method: 'GET', url, effect: 'read', headers: Object.fromEntries(own) }
  return { ...read, ...(auth !== undefined && { auth }), ...(socket !== undefined && { socket }) }
}

/** Refuses invalid Base64, which Node would skip and so make another key. */
const bytesOf = (text: Json | undefined): Uint8Array | undefined => {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]{43}=$/.test(text)) return undefined
  return new Uint8Array(Buffer.from(text, 'base64'))
}

const unsent = ({ method, url }: Request, detail: string, cause?: unknown): AppError =>
  new AppError('REQUEST_INCOMPLETE', { method, url, detail }, { cause })

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { AppError, type IsSigned } from '#core'
import { keepFile } from './files/keep-file.ts'
import { readKeyFile } from './files/read-key-file.ts'

const isOnCurve = ({ asymmetricKeyDetails }: KeyObject): boolean => asymmetricKeyDetails?.namedCurve === 'prime256v1'

/**
 * Returns the check of signatures by a public key in PEM: ECDSA with P-256 and SHA-256, DER, in base64, as KMS signs.
 * `undefined`: the text is no such key.
 */
export const signedBy = (pem: string): IsSigned | undefined => {
  if (!/^-----BEGIN PUBLIC KEY-----/.test(pem.trim())) return undefined
  try {
    const key = createPublicKey(pem)
    if (!isOnCurve(key)) return undefined
    return (text, signature) => verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'))
  } catch {
    // The caller says that it is no key.
    return undefined
  }
}

const privateIn = (pem: string): KeyObject | undefined => {
  try {
    const key = createPrivateKey(pem)
    return isOnCurve(key) ? key : undefined
  } catch {
    // The parser's error may quote the key.
    return undefined
  }
}

const readPem = async (file: string): Promise<string> => {
  const text = await readKeyFile(file)
  if (text !== undefined) return text
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await keepFile(file, String(privateKey.export({ type: 'pkcs8', format: 'pem' })), { once: true })
  // The file is read again, because another process may have created it first.
  return (await readKeyFile(file)) ?? ''
}

/** The key of the anchors of this machine, made at its first use; only its owner can read it. Rejects with KEY_INVALID. */
export const openAnchorKey = async (file: string) => {
  const key = privateIn(await readPem(file))
  if (key === undefined) throw new AppError('KEY_INVALID', { file, detail: 'it is not a private key of P-256 in PEM' })
  return {
    publicKey: String(createPublicKey(key).export({ type: 'spki', format: 'pem' })),
    sign: (text: string): string => sign('sha256', Buffer.from(text), key).toString('base64'),
  }
}

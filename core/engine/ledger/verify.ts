import { digestOfText } from '../json/digest.ts'
import { verifyWith } from './walk.ts'

/** With the hash function of Node; a browser has one of its own. */
export const { verify, verifySome, verifyLines } = verifyWith(digestOfText)

/**
 * Returns the value of a JSON text, or `undefined` if the text is invalid. The parser's error is not thrown, because it
 * would quote the text.
 */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

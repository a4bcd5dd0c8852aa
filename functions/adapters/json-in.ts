/** What a JSON text holds; `undefined`, which is no JSON, where it is invalid: the parser's message would quote the text. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

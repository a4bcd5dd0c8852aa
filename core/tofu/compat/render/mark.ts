/**
 * Colours by name in the page's own words, as in `[red]-[reset]`. What is put in between is left as it is, also where it
 * looks like a colour. Codes: https://www.ecma-international.org/publications-and-standards/standards/ecma-48/
 */
const codes: Readonly<Record<string, number>> = {
  reset: 0,
  bold: 1,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
  dark_gray: 90,
}

const names = /\[(reset|bold|red|green|yellow|cyan|dark_gray)\]/g

export type Mark = (words: TemplateStringsArray, ...values: readonly string[]) => string

const withCodes = (words: string): string => words.replace(names, (_, name: string) => `\u001b[${codes[name]}m`)

/** OpenTofu closes every text that has a colour once more at its end. */
export const colored: Mark = (words, ...values) => {
  const text = words.reduce((joined, part, index) => joined + withCodes(part) + (values[index] ?? ''), '')
  return words.some((part) => part.search(names) >= 0) ? `${text}\u001b[0m` : text
}

export const plain: Mark = (words, ...values) =>
  words.reduce((joined, part, index) => joined + part.replace(names, '') + (values[index] ?? ''), '')

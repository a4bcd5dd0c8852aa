/*
 * Reads what our own pages are written in: elements with quoted attributes, texts, comments none. Anything else is an
 * error, so that a text which came on a page as it is cannot pass for our own.
 */

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (Element | string)[]
}

const empty = new Set(['meta', 'br', 'link', 'img', 'input', 'wbr'])
const tag = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/
const attribute = / ([a-z-]+)(?:="([^"<>]*)")?/g
const entity = /&(?:amp|lt|gt|quot|#39);/g
const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

const decoded = (text: string): string => {
  if (/&|>/.test(text.replaceAll(entity, ''))) throw new Error(`not escaped: ${text.slice(0, 80)}`)
  return text.replaceAll(entity, (one) => characters[one] ?? '')
}

/** The root element of a page that begins with our doctype. */
export const readHtml = (page: string): Element => {
  const root: Element = { name: '', attributes: {}, children: [] }
  const open = [root]
  let rest = page.replace(/^<!doctype html>\n/, '')
  if (rest === page) throw new Error('no doctype')
  // The one element whose text is not escaped.
  const sheets = rest.match(/<style>[^<]*<\/style>/g) ?? []
  if (sheets.length !== 1) throw new Error(`${sheets.length} sheets`)
  rest = rest.replace(/<style>[^<]*<\/style>/, '<style></style>')
  while (rest !== '') {
    const next = rest.indexOf('<')
    const text = next === -1 ? rest : rest.slice(0, next)
    if (text !== '') open.at(-1)?.children.push(decoded(text))
    rest = rest.slice(text.length)
    if (rest === '') break
    const [whole, slash, name = '', attributes = ''] = tag.exec(rest) ?? []
    if (whole === undefined) throw new Error(`no tag: ${rest.slice(0, 80)}`)
    rest = rest.slice(whole.length)
    if (slash === '/') {
      const last = open.pop()
      if (last?.name !== name) throw new Error(`</${name}> ends <${last?.name}>`)
      continue
    }
    const element: Element = {
      name,
      attributes: Object.fromEntries(
        [...attributes.matchAll(attribute)].map(([, key = '', value = '']) => [key, decoded(value)]),
      ),
      children: [],
    }
    open.at(-1)?.children.push(element)
    if (!empty.has(name)) open.push(element)
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.name}> is not closed`)
  return root
}

export const elementsOf = (root: Element): readonly Element[] => {
  const found: Element[] = []
  const rest = [root]
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    found.push(one)
    for (const child of one.children.toReversed()) if (typeof child !== 'string') rest.push(child)
  }
  return found
}

export const textOf = (element: Element): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')

type Paint = (text: string) => string

/** Colours by meaning of the symbol, never the only cue: each line also has its symbol or word. */
export interface Palette {
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
  readonly dim: Paint
  readonly bold: Paint
  /** For the changed part of a line: bold and underlined, because colour alone is not enough to see it. */
  readonly mark: Paint
}

// Select Graphic Rendition: https://www.ecma-international.org/publications-and-standards/standards/ecma-48/
const code =
  (open: number, close: number): Paint =>
  (text) =>
    text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`

const plain: Paint = (text) => text

const colours: Palette = {
  red: code(31, 39),
  green: code(32, 39),
  yellow: code(33, 39),
  cyan: code(36, 39),
  dim: code(2, 22),
  bold: code(1, 22),
  mark: (text) => code(1, 22)(code(4, 24)(text)),
}

const none: Palette = { red: plain, green: plain, yellow: plain, cyan: plain, dim: plain, bold: plain, mark: plain }

/** Without colour every one leaves the text as it is. */
export const palette = (color = false): Palette => (color ? colours : none)

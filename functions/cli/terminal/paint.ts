import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export interface Paint {
  readonly strong: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly warn: (text: string) => string
  readonly accent: (text: string) => string
}

/** Styles of the terminal; without colour every one leaves the text as it is. */
export const paint = (color: boolean): Paint => {
  const as =
    (style: Style) =>
    (text: string): string =>
      color ? styleText(style, text, { validateStream: false }) : text
  return {
    strong: as('bold'),
    dim: as('dim'),
    good: as('green'),
    bad: as('red'),
    warn: as('yellow'),
    accent: as('cyan'),
  }
}

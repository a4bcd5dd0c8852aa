/** Names of the entry file; the first one that exists in a folder counts. */
export const entryNames = [
  'plumbline.yaml',
  'plumbline.yml',
  'plumbline.json',
  'plumbline.jsonc',
  'plumbline.jsonnet',
] as const

/** The text `a, b or c`. */
export const anEntry = `${entryNames.slice(0, -1).join(', ')} or ${entryNames.at(-1)}`

/** Of the file with which a workspace begins; in a folder the first one that is there counts. */
export const entryNames = [
  'plumbline.yaml',
  'plumbline.yml',
  'plumbline.json',
  'plumbline.jsonc',
  'plumbline.jsonnet',
] as const

/** `a, b or c`: the names that an entry file may have. */
export const anEntry = `${entryNames.slice(0, -1).join(', ')} or ${entryNames.at(-1)}`

/** Of the file with which a workspace begins; in a folder the first one that is there counts. */
export const entryNames = [
  'plumbline.yaml',
  'plumbline.yml',
  'plumbline.json',
  'plumbline.jsonc',
  'plumbline.jsonnet',
] as const

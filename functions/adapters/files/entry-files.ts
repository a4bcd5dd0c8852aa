/** Of a workspace's folder; the first one that is there counts. */
export const entryFiles = ['plumbline.yaml', 'plumbline.json', 'plumbline.jsonc']

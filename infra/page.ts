import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build, type Metafile } from 'esbuild'

const entry = 'functions/page/main.tsx'

/** What a browser loads before anything is shown. */
const documentOf = (script: string, style: string, chunks: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>Plumbline</title>
<link rel="icon" href="assets/plumbline.svg" type="image/svg+xml">
<link rel="stylesheet" href="assets/${style}">
${chunks.map((chunk) => `<link rel="modulepreload" href="assets/${chunk}">\n`).join('')}<script type="module" src="assets/${script}"></script>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. The command and the HTTP API show the same.</noscript>
</body>
</html>
`

/** A weight on its line: what hangs plumb. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14532d"/><path d="M16 4v12" stroke="#bbf7d0" stroke-width="2"/><path d="M16 28 10.5 18.5 16 16l5.5 2.5z" fill="#4ade80"/></svg>
`

/** The chunks that a file needs before it runs. */
const neededBy = (file: string, { outputs }: Metafile, found = new Set<string>()): ReadonlySet<string> => {
  for (const { path, kind } of outputs[file]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(path)) continue
    found.add(path)
    neededBy(path, { outputs, inputs: {} }, found)
  }
  return found
}

export interface PageBundle {
  readonly metafile: Metafile
  /** The files that the first view loads, by name; the document is `index.html`. */
  readonly first: readonly string[]
}

/** Bundles the web page into a folder of its own, without folders in it: the API serves each file by its name. */
export const bundlePage = async (root: string, folder: string): Promise<PageBundle> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome119', 'firefox121', 'safari17.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  const made = Object.entries(metafile.outputs)
  const [script = '', { cssBundle = '' } = {}] = made.find(([, { entryPoint }]) => entryPoint === entry) ?? []
  const chunks = [...neededBy(script, metafile)].map((file) => basename(file))
  await writeFile(join(folder, 'index.html'), documentOf(basename(script), basename(cssBundle), chunks))
  await writeFile(join(folder, 'plumbline.svg'), icon)
  return { metafile, first: [basename(script), basename(cssBundle), ...chunks] }
}

import { isBuiltin } from 'node:module'

/** As esbuild writes them: `import a from"node:os";`, `import*as a from"node:os";` or `import{a as b,c}from"node:os";`. */
const statement = /(?<=^|[;}\n])import(?: ?([\w$]+|\*as [\w$]+|\{[^{}]*\}) ?from)?"((?:node:)?[\w/]+)";/g

const nameOf = (names: string): string =>
  names.startsWith('{') ? names.replaceAll(' as ', ':') : names.replace('*as ', '')

/**
 * `import` of a Node module reads all its exports, also those that Node loads when they are first read: `node:http`
 * loads fetch and WebSocket, `node:process` the streams. `require` reads only the used ones. `code`: minified, with a
 * banner that declares `require`.
 */
export const withRequired = (code: string): string =>
  code.replace(statement, (text, names: string | undefined, path: string) =>
    isBuiltin(path) ? `${names === undefined ? '' : `const ${nameOf(names)}=`}require("${path}");` : text,
  )

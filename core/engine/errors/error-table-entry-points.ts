import { firstOf } from '../values/texts/shorten.ts'
import { conflict, forbidden, invalid, notFound, ours, remote, user } from './error-entry.ts'

export const entryPointErrors = {
  ROUTE_FAILED: remote<{ route: string; detail: string }>({
    message: ({ route, detail }) => `the alert was not sent to ${route}: ${detail}`,
    hint: 'it is sent again for a day; check the receiver, and the secret that names it',
  }),
  REQUEST_INVALID: user<{ problems: readonly string[] }>({
    message: ({ problems }) => `the request is invalid: ${problems.join('; ')}`,
    hint: '/v1/openapi.json describes every request',
  }),
  BODY_TOO_LARGE: user<{ sent: number; unpacked: number }>({
    status: 413,
    message: ({ sent, unpacked }) =>
      `the request body is larger than ${sent} bytes${sent === unpacked ? '' : ` as it is sent, or than ${unpacked} bytes unpacked`}`,
    hint: 'send less, or pack it with gzip and `Content-Encoding: gzip`',
  }),
  ENCODING_UNSUPPORTED: user<{ found: string; known: readonly string[] }>({
    status: 415,
    message: ({ found, known }) =>
      `the content encoding "${found}" is not supported; supported are: ${known.join(', ')}`,
    hint: 'pack the body with gzip, or send it as it is without Content-Encoding',
  }),
  MEDIA_TYPE_UNSUPPORTED: user<{ found: string; known: readonly string[] }>({
    status: 415,
    message: ({ found, known }) => `the media type "${found}" is not supported; supported are: ${known.join(', ')}`,
    hint: 'set Content-Type to one of the listed types',
  }),
  NOT_ACCEPTABLE: user<{ detail: string }>({
    status: 406,
    message: ({ detail }) => `no acceptable response format: ${detail}`,
    hint: 'allow more in Accept or Accept-Encoding',
  }),
  METHOD_NOT_ALLOWED: user<{ method: string; path: string; allowed: readonly string[] }>({
    status: 405,
    message: ({ method, path, allowed }) => `${method} is not allowed for ${path}; allowed are: ${allowed.join(', ')}`,
    hint: '/v1/openapi.json lists every route',
  }),
  ENVIRONMENT_INVALID: ours<{ problems: readonly string[] }>({
    message: ({ problems }) => `the environment of this function is invalid: ${problems.join('; ')}`,
    hint: 'correct these variables in the configuration of the function',
  }),
  REQUEST_FOREIGN: forbidden<{ detail: string }>({
    message: ({ detail }) => `the request does not come from a program on this machine: ${detail}`,
    hint: 'call http://127.0.0.1:<port> or http://localhost:<port> from a program, not from a web page of another server',
  }),
  UNAUTHENTICATED: user<{ detail: string }>({
    status: 401,
    message: ({ detail }) => `the request is not authenticated: ${detail}`,
    hint: 'send a valid token as `Authorization: Bearer <token>`',
  }),
  SCOPE_MISSING: forbidden<{ needs: string; commands?: readonly string[] }>({
    message: ({ needs, commands }) =>
      commands === undefined
        ? `the token lacks the scope "${needs}"`
        : `the token lacks the scope "${needs}" for commands that cannot be undone for certain: ${firstOf(commands, 10)}`,
    hint: 'request this scope, for all workspaces or for this one: `<scope>:<workspace>`; an apply may leave resources out with `exclude`',
  }),
  ROUTE_NOT_FOUND: notFound<{ method: string; path: string }>({
    message: ({ method, path }) => `${method} ${path} does not exist`,
    hint: '/v1/openapi.json lists every route',
  }),
  IDEMPOTENCY_REUSED: invalid<{ key: string }>({
    message: ({ key }) => `the Idempotency-Key "${key}" was already used for another request`,
    hint: 'use a new key for a new request',
  }),
  ENDPOINT_FAILED: remote<{ endpoint: string; detail: string }>({
    message: ({ endpoint, detail }) => `the endpoint ${endpoint} failed: ${detail}`,
    hint: 'check the address and the token',
  }),
  USAGE: user<{ detail: string }>({
    message: ({ detail }) => detail,
    hint: 'run the command with `--help` to see its options',
  }),
  OPTION_INVALID: user<{ of: string; detail: string }>({
    message: ({ of, detail }) => `${of} was called with an option that is not valid: ${detail}`,
    hint: 'see docs/library.md#options',
  }),
  FILE_REFUSED: user<{ path: string; detail: string }>({
    message: ({ path, detail }) => `${path} cannot be used: ${detail}`,
    hint: 'check its owner, its permissions and the free space on its disk',
  }),
  PORT_IN_USE: user<{ port: number; purpose: string }>({
    message: ({ port, purpose }) => `port ${port} for the ${purpose} is already in use`,
    hint: 'stop the program that uses it, or choose another port with --port',
  }),
  KEY_INVALID: user<{ file: string; detail: string }>({
    status: 500,
    message: ({ file, detail }) => `the key in ${file} cannot be used: ${detail}`,
    hint: 'restore it from a backup. Without one, delete the file: a new key is created, existing tokens become invalid, and the next check records the secrets again',
  }),
  DEV_RUNNING: conflict<{ folder: string; process: string }>({
    message: ({ folder, process }) => `plumbline dev is already running for ${folder}: ${process}`,
    hint: 'use that one, or stop it with Ctrl-C in its terminal',
  }),
  PROVIDER_NOT_CONFORMANT: user<{ detail: string }>({
    message: ({ detail }) => `the provider breaks a promise: ${detail}`,
    hint: 'see in docs/writing-a-provider.md#test-it what each case of the conformance suite demands',
  }),
  PROVIDER_PACKAGE_FAILED: user<{ name: string; detail: string }>({
    status: 422,
    message: ({ name, detail }) => `the provider package ${name} failed: ${detail}`,
    hint: 'nothing was sent for it; report this to the author of the package, or install another version',
  }),
  URL_REFUSED: forbidden<{ method: string; url: string; baseUrls: readonly string[] }>({
    message: ({ method, url, baseUrls }) =>
      `${method} ${url} was not sent: the provider may only reach ${baseUrls.join(', ')}`,
    hint: 'if the URL belongs to its API, add it to `baseUrls` of the provider; if not, do not use the package',
  }),
} as const

import { conflict, entry, forbidden, invalid, notFound, ours, remote, user } from './error-entry.ts'

/** What the entry points reject: the HTTP API, the command, the services of one machine. */
export const entryPointErrors = {
  REQUEST_INVALID: entry<{ problems: readonly string[] }>({
    ...user,
    message: ({ problems }) => `the request is invalid: ${problems.join('; ')}`,
    hint: '/v1/openapi.json describes every request',
  }),
  BODY_TOO_LARGE: entry<{ limit: number }>({
    ...user,
    status: 413,
    message: ({ limit }) => `the request body is larger than ${limit} bytes`,
    hint: 'send less; a configuration contains texts, not archives',
  }),
  MEDIA_TYPE_UNSUPPORTED: entry<{ found: string; known: readonly string[] }>({
    ...user,
    status: 415,
    message: ({ found, known }) => `the media type "${found}" is not supported; supported are: ${known.join(', ')}`,
    hint: 'set Content-Type to one of the listed types',
  }),
  NOT_ACCEPTABLE: entry<{ detail: string }>({
    ...user,
    status: 406,
    message: ({ detail }) => `no acceptable response format: ${detail}`,
    hint: 'allow more in Accept or Accept-Encoding',
  }),
  METHOD_NOT_ALLOWED: entry<{ method: string; path: string; allowed: readonly string[] }>({
    ...user,
    status: 405,
    message: ({ method, path, allowed }) => `${method} is not allowed for ${path}; allowed are: ${allowed.join(', ')}`,
    hint: '/v1/openapi.json lists every route',
  }),
  ENVIRONMENT_INVALID: entry<{ problems: readonly string[] }>({
    ...ours,
    message: ({ problems }) => `the environment of this function is invalid: ${problems.join('; ')}`,
    hint: 'correct these variables in the configuration of the function',
  }),
  REQUEST_FOREIGN: entry<{ detail: string }>({
    ...forbidden,
    message: ({ detail }) => `the request does not come from a program on this machine: ${detail}`,
    hint: 'call http://127.0.0.1:<port> or http://localhost:<port> from a program, not from a web page of another server',
  }),
  UNAUTHENTICATED: entry<{ detail: string }>({
    ...user,
    status: 401,
    message: ({ detail }) => `the request is not authenticated: ${detail}`,
    hint: 'send a valid token as `Authorization: Bearer <token>`',
  }),
  SCOPE_MISSING: entry<{ needs: string }>({
    ...forbidden,
    message: ({ needs }) => `the token lacks the scope "${needs}"`,
    hint: 'request this scope, for all workspaces or for this one: `<scope>:<workspace>`',
  }),
  ROUTE_NOT_FOUND: entry<{ method: string; path: string }>({
    ...notFound,
    message: ({ method, path }) => `${method} ${path} does not exist`,
    hint: '/v1/openapi.json lists every route',
  }),
  IDEMPOTENCY_REUSED: entry<{ key: string }>({
    ...invalid,
    message: ({ key }) => `the Idempotency-Key "${key}" was already used for another request`,
    hint: 'use a new key for a new request',
  }),
  ENDPOINT_FAILED: entry<{ endpoint: string; detail: string }>({
    ...remote,
    message: ({ endpoint, detail }) => `the endpoint ${endpoint} failed: ${detail}`,
    hint: 'check the address and the token',
  }),
  USAGE: entry<{ detail: string }>({
    ...user,
    message: ({ detail }) => detail,
    hint: 'run the command with `--help` to see its options',
  }),
  FILE_REFUSED: entry<{ path: string; detail: string }>({
    ...user,
    message: ({ path, detail }) => `${path} cannot be used: ${detail}`,
    hint: 'check its owner, its permissions and the free space on its disk',
  }),
  PORT_IN_USE: entry<{ port: number; purpose: string }>({
    ...user,
    message: ({ port, purpose }) => `port ${port} for the ${purpose} is already in use`,
    hint: 'stop the program that uses it, or choose another port with --port',
  }),
  STORE_IN_USE: entry<{ file: string; holder: string }>({
    ...conflict,
    message: ({ file, holder }) => `${file} is in use by process ${holder}`,
    hint: 'stop that process, or use another folder for the data',
  }),
  KEY_INVALID: entry<{ file: string; detail: string }>({
    ...user,
    status: 500,
    message: ({ file, detail }) => `the key in ${file} is damaged: ${detail}`,
    hint: 'restore it from a backup. Without one, delete the file: a new key is created, existing tokens become invalid, and the next check records the secrets again',
  }),
  DEV_RUNNING: entry<{ folder: string; process: string }>({
    ...conflict,
    message: ({ folder, process }) => `plumbline dev is already running for ${folder}: ${process}`,
    hint: 'use that one, or stop it with Ctrl-C in its terminal',
  }),
  ENGINE_MISSING: entry<{ platform: string }>({
    ...user,
    message: ({ platform }) => `there is no embedded DynamoDB for ${platform}`,
    hint: 'start any DynamoDB and set AWS_ENDPOINT_URL_DYNAMODB to its address',
  }),
} as const

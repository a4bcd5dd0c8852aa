import { entry, ours, remote, user } from './error-entry.ts'

/** What a way in refuses by itself: HTTP API, command, this machine. */
export const waysIn = {
  REQUEST_INVALID: entry<{ problems: readonly string[] }>({
    ...user,
    message: ({ problems }) => `the request is not valid: ${problems.join('; ')}`,
    hint: '/v1/openapi.json describes every request',
  }),
  BODY_TOO_LARGE: entry<{ limit: number }>({
    ...user,
    status: 413,
    message: ({ limit }) => `the body of the request is larger than ${limit} bytes`,
    hint: 'send less; a configuration holds texts, not archives',
  }),
  MEDIA_TYPE_UNSUPPORTED: entry<{ found: string; known: readonly string[] }>({
    ...user,
    status: 415,
    message: ({ found, known }) => `a body of type "${found}" is not read here; these are: ${known.join(', ')}`,
    hint: 'set Content-Type to one of the listed types',
  }),
  NOT_ACCEPTABLE: entry<{ detail: string }>({
    ...user,
    status: 406,
    message: ({ detail }) => `no form of the answer is acceptable: ${detail}`,
    hint: 'widen Accept and Accept-Encoding',
  }),
  METHOD_NOT_ALLOWED: entry<{ method: string; path: string; allowed: readonly string[] }>({
    ...user,
    status: 405,
    message: ({ method, path, allowed }) => `${path} has no ${method}; it has: ${allowed.join(', ')}`,
    hint: '/v1/openapi.json lists every route',
  }),
  ENVIRONMENT_INVALID: entry<{ problems: readonly string[] }>({
    ...ours,
    message: ({ problems }) => `the environment of this function is not valid: ${problems.join('; ')}`,
    hint: 'correct these variables where the function is configured',
  }),
  REQUEST_FOREIGN: entry<{ detail: string }>({
    ...user,
    status: 403,
    message: ({ detail }) => `the request is not of a program on this machine: ${detail}`,
    hint: 'ask http://127.0.0.1:<port> or http://localhost:<port> from a program, not from a page of another server',
  }),
  UNAUTHENTICATED: entry<{ detail: string }>({
    ...user,
    status: 401,
    message: ({ detail }) => `the request is not authenticated: ${detail}`,
    hint: 'send a valid token as `Authorization: Bearer <token>`',
  }),
  SCOPE_MISSING: entry<{ needs: string }>({
    ...user,
    status: 403,
    message: ({ needs }) => `the caller lacks the scope "${needs}" for this`,
    hint: 'ask whoever gives rights for that scope, for all workspaces or with the name of this one behind it: `<scope>:<workspace>`',
  }),
  ROUTE_NOT_FOUND: entry<{ method: string; path: string }>({
    ...user,
    status: 404,
    message: ({ method, path }) => `there is no ${method} ${path}`,
    hint: '/v1/openapi.json lists every route',
  }),
  IDEMPOTENCY_REUSED: entry<{ key: string }>({
    ...user,
    status: 422,
    message: ({ key }) => `the Idempotency-Key "${key}" was used for another request`,
    hint: 'use a new key for a new request',
  }),
  ENDPOINT_FAILED: entry<{ endpoint: string; detail: string }>({
    ...remote,
    message: ({ endpoint, detail }) => `${endpoint} answered: ${detail}`,
    hint: 'check the address and the token',
  }),
  USAGE: entry<{ detail: string }>({
    ...user,
    message: ({ detail }) => detail,
    hint: '`--help` after the command shows how it is called',
  }),
  FILE_REFUSED: entry<{ path: string; detail: string }>({
    ...user,
    message: ({ path, detail }) => `${path} cannot be used: ${detail}`,
    hint: 'check whose file or folder it is, its mode, and the room on its disk',
  }),
  PORT_IN_USE: entry<{ port: number; purpose: string }>({
    ...user,
    message: ({ port, purpose }) => `port ${port} for the ${purpose} is in use`,
    hint: 'stop what uses it, or choose another with --port',
  }),
  STORE_IN_USE: entry<{ file: string; holder: string }>({
    ...user,
    status: 409,
    message: ({ file, holder }) => `${file} is in use by process ${holder}`,
    hint: 'end that process, or choose another folder for the data',
  }),
  KEY_INVALID: entry<{ file: string; detail: string }>({
    ...user,
    status: 500,
    message: ({ file, detail }) => `the key in ${file} is not whole: ${detail}`,
    hint: 'bring it back from a backup; without one remove the file: another key is made, tokens end and what is recorded of secrets is renewed by the next check',
  }),
  DEV_RUNNING: entry<{ folder: string; process: string }>({
    ...user,
    status: 409,
    message: ({ folder, process }) => `plumbline dev already runs for ${folder}: ${process}`,
    hint: 'use that one, or end it with Ctrl-C in its terminal',
  }),
  ENGINE_MISSING: entry<{ platform: string }>({
    ...user,
    message: ({ platform }) => `there is no embedded DynamoDB for ${platform}`,
    hint: 'start any DynamoDB and set AWS_ENDPOINT_URL_DYNAMODB to its address',
  }),
} as const

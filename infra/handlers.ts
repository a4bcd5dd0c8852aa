/** The names of the handler files are also the names of the functions. */
export const handlers = ['schedule', 'check', 'apply', 'api', 'watch'] as const
export type HandlerName = (typeof handlers)[number]

/** Those that run provider packages. */
export const withPackages: readonly HandlerName[] = ['check', 'apply', 'api']

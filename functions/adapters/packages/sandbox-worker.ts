import { workerData } from 'node:worker_threads'
import variant from '@jitl/quickjs-singlefile-mjs-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
} from 'quickjs-emscripten-core'
import type { FromGuest, SandboxData, ToGuest } from './sandbox-messages.ts'

/*
 * Runs one provider package in its own QuickJS machine, compiled to WebAssembly. The package's code sees the language
 * and `send`, and nothing of this thread. Only texts go in and out. The thread is ended from outside if the machine
 * does not answer.
 */

const { code, port, signal, memoryBytes, steps, textLength } = workerData as SandboxData

const quickjs = await newQuickJSWASMModuleFromVariant(variant)
const runtime = quickjs.newRuntime()
runtime.setMemoryLimit(memoryBytes)
runtime.setMaxStackSize(256 * 1024)
/** Steps are counted, not timed: the same code ends at the same place on every machine. */
let left = steps
runtime.setInterruptHandler(() => --left < 0)
const context: QuickJSContext = runtime.newContext()

const waiting = new Map<number, QuickJSDeferredPromise>()
let requests = 0

const post = (message: FromGuest): void => {
  port.postMessage(message)
  Atomics.add(signal, 0, 1)
  Atomics.notify(signal, 0)
}

const textOf = (handle: QuickJSHandle): string => {
  const length = context.getProp(handle, 'length').consume((each) => context.getNumber(each))
  return length > textLength ? '' : context.getString(handle)
}

const reasonOf = (error: QuickJSHandle): string => {
  const name = context.getProp(error, 'name').consume((each) => context.dump(each))
  const message = context.getProp(error, 'message').consume((each) => context.dump(each))
  return left < 0 ? 'it took too long' : `${String(name)}: ${String(message)}`.slice(0, 500)
}

const requestOf = (error: QuickJSHandle): number | undefined => {
  const value = context.getProp(error, 'request').consume((each) => context.dump(each))
  return typeof value === 'number' ? value : undefined
}

const send = context.newFunction('send', (call, request) => {
  const deferred = context.newPromise()
  requests += 1
  waiting.set(requests, deferred)
  post({ kind: 'send', call: context.getNumber(call), request: requests, text: textOf(request) })
  return deferred.handle
})

/** Runs the jobs that are due. Endless jobs are ended by the step limit, and the machine with them. */
const runJobs = (): void => {
  const jobs = runtime.executePendingJobs()
  if (jobs.error) jobs.error.dispose()
  if (left < 0) post({ kind: 'failed', detail: 'it took too long' })
}

const evaluate = (): QuickJSHandle => {
  const module = context.unwrapResult(context.evalCode(code, 'provider.mjs', { type: 'module' }))
  runJobs()
  const provider = context.getProp(module, 'provider')
  const enter = context.unwrapResult(context.evalCode(entry, 'entry.js'))
  const entered = context.callFunction(enter, context.undefined, provider, send)
  return context.unwrapResult(entered)
}

/** Runs inside the machine, after the module: changes that the module makes to the language affect only itself. */
const entry = `(provider, send) => {
  let types = {}
  const { parse, stringify } = JSON
  const calls = ['prepare', 'validate', 'urlOf', 'list']
  const text = (value) => stringify(value === undefined ? null : value)
  const transportOf = (call) => ({ send: async (request) => parse(await send(call, text(request))) })
  const run = {
    configure: (input) => {
      const answer = provider.configure({ ...input, files: { get: () => undefined, refusal: () => ({ message: '', fix: '' }) } })
      if (!answer.ok) return answer
      types = answer.provider.types
      return { ok: true, home: answer.provider.home, types: Object.values(types).map(({ name, schema, idNames, lifecycle, listWithin, listBy, ...rest }) =>
        ({ name, schema, idNames, lifecycle, listWithin, listBy, calls: calls.filter((call) => typeof rest[call] === 'function') })) }
    },
    commands: (name, change) => types[name].commands(change),
    prepare: (name, written) => types[name].prepare(written),
    validate: (name, attributes) => types[name].validate(attributes),
    urlOf: (name, attributes) => types[name].urlOf(attributes),
    read: (name, target) => types[name].read(target, { transport: transportOf(run.call) }),
    list: (name, scope) => types[name].list(scope, { transport: transportOf(run.call) }),
  }
  return (call, op, args) => {
    run.call = call
    const answer = run[op](...parse(args))
    return op === 'read' || op === 'list' ? Promise.resolve(answer).then(text) : text(answer)
  }
}`

const finish = (call: number, result: { readonly error: QuickJSHandle } | { readonly value: QuickJSHandle }): void => {
  if ('error' in result) {
    const request = result.error === undefined ? undefined : requestOf(result.error)
    post({ kind: 'failed', call, detail: reasonOf(result.error), ...(request === undefined ? {} : { request }) })
    return
  }
  const text = textOf(result.value)
  post(
    text === ''
      ? { kind: 'failed', call, detail: 'it answered no text, or too long a text' }
      : { kind: 'done', call, text },
  )
}

let enter: QuickJSHandle | undefined

const start = (message: Extract<ToGuest, { kind: 'call' }>): void => {
  enter ??= evaluate()
  const { call, op, args } = message
  const called = context.callFunction(
    enter,
    context.undefined,
    context.newNumber(call),
    context.newString(op),
    context.newString(args),
  )
  if (called.error) {
    finish(call, { error: called.error })
    // The next call gets steps again, after a synchronous call that used up all of them.
    left = Math.max(left, 0)
    return
  }
  if (op !== 'read' && op !== 'list') {
    finish(call, { value: called.value })
    return
  }
  void context
    .resolvePromise(called.value)
    .then((result) => finish(call, result.error ? { error: result.error } : { value: result.value }))
}

const answer = ({ request, text, error }: Extract<ToGuest, { kind: 'answer' }>): void => {
  const deferred = waiting.get(request)
  waiting.delete(request)
  if (deferred === undefined) return
  if (text !== undefined) {
    deferred.resolve(context.newString(text))
    return
  }
  const failure = context.newError({ name: 'TransportError', message: error ?? '' })
  context.setProp(failure, 'request', context.newNumber(request))
  deferred.reject(failure)
}

port.on('message', (message: ToGuest) => {
  left = steps
  try {
    if (message.kind === 'call') start(message)
    else answer(message)
    runJobs()
  } catch (error) {
    // The error comes from the machine itself, for example because there is no memory for an answer.
    const call = message.kind === 'call' ? message.call : undefined
    const told =
      left < 0
        ? 'it took too long'
        : error instanceof Error
          ? `${error.name}: ${error.message}`.slice(0, 500)
          : 'it stopped'
    post({ kind: 'failed', detail: told, ...(call === undefined ? {} : { call }) })
  }
  // This message is sent after the answers that this turn made.
  setImmediate(() => post({ kind: 'turn' }))
})

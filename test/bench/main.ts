/** Figures, not tests: `npm run bench`. With `--strict` it fails where the start of the command misses a goal. */
const write = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

// First, and before the others are loaded: its peak is that of the process.
write('# Planning (goal: 100,000 resources in 10 s and 512 MB)')
const { benchPlan } = await import('./plan.ts')
benchPlan(write)

write('\n# Modules and forEach: load, graph and plan (goal: 5,000 resources in 2 s, 100,000 in 12 s)')
const { benchModules } = await import('./modules.ts')
benchModules(write)

write('\n# Lambda bundles (goal: 540 KiB at import, import 70 ms of CPU more than bare node; least of 10)')
const { benchHandlers } = await import('./handlers.ts')
await benchHandlers(write)

write(`\n# Start of the command: CPU of whole calls more than bare node; least of 20`)
const { benchStart } = await import('./start.ts')
const missed = await benchStart(write)

write('\n# A check of 10,000 objects behind an API that takes 20 ms for each answer')
const { benchCheck } = await import('./check.ts')
await benchCheck(write)

write('\n# A tick with 10,000 workspaces due, at 10 ms a call (goal: 60 s)')
const { benchTick } = await import('./tick.ts')
await benchTick(write)

write('\n# Taking secrets out of an answer, in all spellings (goal: 100 ms for 1 MB)')
const { benchRedact } = await import('./redact.ts')
benchRedact(write)

write('\n# Kept answers of 1,000 repositories (goal: 20 operations of the store)')
const { benchAnswers } = await import('./answers.ts')
await benchAnswers(write)

write('\n# A push of 100,000 resources through the API, on each store')
const { benchPush } = await import('./push.ts')
await benchPush(write)

if (process.argv.includes('--strict') && missed.length > 0) {
  write(`\nmissed goals: ${missed.join(', ')}`)
  process.exitCode = 1
}

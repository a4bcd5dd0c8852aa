import { benchHandlers } from './handlers.ts'
import { benchPages } from './pages.ts'
import { benchPlan } from './plan.ts'

/** Figures, not tests: `npm run bench`. */
const write = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

write('# Lambda bundles (goal: 500 KiB, 80 ms)')
benchHandlers(write)
write('\n# Planning (goal: 100,000 resources in 10 s and 512 MB)')
benchPlan(write)

write('\n# Pages of OpenTofu plans')
benchPages(write)

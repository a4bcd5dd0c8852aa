import { stores } from '../../builders/time/stores.ts'
import { describeAnswers } from '../../suites/answers.ts'

for (const [name, create] of stores) describeAnswers(name, create)

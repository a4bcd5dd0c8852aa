import { stores } from '../../builders/time/stores.ts'
import { describeRepositories } from '../../suites/repositories.ts'

for (const [name, create] of stores) describeRepositories(name, create)

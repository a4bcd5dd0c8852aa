import { stores } from '../../builders/time/stores.ts'
import { describeStore } from '../../suites/store.ts'

for (const [name, create] of stores) describeStore(name, create)

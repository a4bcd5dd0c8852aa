import { stores } from '../../builders/time/stores.ts'
import { describeQuietEpisodes } from '../../suites/quiet-episodes.ts'

for (const [name, create] of stores) describeQuietEpisodes(name, create)

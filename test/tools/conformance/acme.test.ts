import { describe, it } from 'vitest'
import { describeProvider } from '../../../core/tools/conformance/index.ts'
import { acmeCase } from '../../builders/workspaces/acme-case.ts'

describeProvider('the provider of the tutorial', acmeCase, { describe, it })

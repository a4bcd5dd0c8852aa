/*
 * The import law: one row for each folder, with all that it may import. What is not in a row is forbidden. From this table come the
 * rules of dependency-cruiser, the violations that test/architecture.test.ts plants, and the table in docs/architecture.md.
 *
 * The most specific row of a file holds. A folder in `may` stands for all that is under it; a file stands for itself; `node:*` for
 * the built-ins of Node; anything else is a package. A file may import its own folder, without the rows below it.
 */

const engine = (...names) => names.map((name) => `core/engine/${name}`)
const shapes = engine('schema', 'values', 'json', 'errors')
const rest = (...names) => names.map((name) => `core/providers/rest/${name}`)
/** The steps of a check and of an apply stand on all that is below them. */
const parts = [
  ...shapes,
  ...engine('config', 'graph', 'diff', 'binding', 'plan', 'transport', 'provider', 'state', 'ledger', 'alert'),
]
const workflows = (...names) => names.map((name) => `core/engine/workflows/${name}`)
const base = [
  'core/engine/workflows/deps.ts',
  'core/engine/workflows/words.ts',
  'core/engine/workflows/within-deadline.ts',
]
/** What functions may use of the core. Bundles stay small because each is an entry point of its own (decision 0003). */
const doors = ['core/index.ts', 'core/pages/render/index.ts', 'core/engine/values/text-parts/index.ts']
const aws = ['@aws-sdk/*', '@smithy/signature-v4']

export const law = [
  { folder: 'core/engine/schema', may: ['zod'], why: 'shapes: attribute facts, plan, command, what is stored' },
  {
    folder: 'core/engine/json',
    may: [...engine('schema'), 'jsonc-parser', 'canonicalize', 'node:crypto'],
    why: 'reads, walks and digests JSON; does not know what a value means',
  },
  {
    folder: 'core/engine/values',
    may: engine('schema', 'json'),
    why: 'what one value means: normal forms, addresses, times, texts',
  },
  {
    folder: 'core/engine/errors',
    may: engine('schema', 'values', 'json'),
    why: 'the table of errors, which every folder may throw',
  },
  { folder: 'core/engine/graph', may: shapes, why: 'the order of resources' },
  {
    folder: 'core/engine/diff',
    may: [...engine('schema', 'values', 'json'), 'yaml'],
    why: 'the difference of two values',
  },
  {
    folder: 'core/engine/binding',
    may: engine('diff', 'schema', 'values'),
    why: 'which object each resource is: a function of observations, which reads nothing',
  },
  {
    folder: 'core/engine/plan',
    may: [...shapes, ...engine('graph', 'diff')],
    why: 'changes with their causes, commands with their preconditions: data, without even a type of a provider',
  },
  {
    folder: 'core/engine/config',
    may: [...engine('schema', 'values', 'json', 'errors'), 'yaml', 'jsonc-parser', 'zod', 'croner'],
    why: 'files to resources; uses neither a provider nor what is stored',
  },
  {
    folder: 'core/engine/transport',
    may: [...shapes, ...engine('diff/matching/match-list.ts'), 'p-limit'],
    why: 'what a request to a target passes through; a list is changed as the difference shows it',
  },
  {
    folder: 'core/engine/provider',
    may: engine('schema', 'transport'),
    why: 'the door for providers: the contract of a resource type',
  },
  { folder: 'core/engine/ledger', may: shapes, why: 'the hash chain, which can be verified with this folder alone' },
  {
    folder: 'core/engine/alert',
    may: engine('schema', 'values', 'json'),
    why: 'the life of an alert: a function of findings',
  },
  {
    folder: 'core/engine/state',
    may: [...shapes, ...engine('ledger'), 'node:zlib', 'node:util'],
    why: 'what is stored; knows shapes, and no workflow',
  },
  {
    folder: 'core/engine/workflows',
    may: [
      ...shapes,
      ...engine('config/files/source.ts', 'config/modules/foreign.ts', 'provider', 'state', 'transport'),
    ],
    why: 'the ports, and what all workflows share',
  },
  {
    folder: 'core/engine/workflows/session/plan',
    may: [...shapes, ...engine('binding', 'plan', 'diff', 'graph', 'provider', 'config/shared/configuration.ts')],
    why: 'a plan is a function of what is desired, recorded and observed: no port, so that a stored observation can be planned',
  },
  {
    folder: 'core/engine/workflows/session',
    may: [...parts, ...base, ...workflows('session/plan'), 'p-limit'],
    why: 'loads, reads and plans; stores no run and sends no command',
  },
  {
    folder: 'core/engine/workflows/check',
    may: [...parts, ...base, ...workflows('session'), 'p-limit'],
    why: 'a check cannot apply: it does not know how',
  },
  {
    folder: 'core/engine/workflows/apply/approved',
    may: [...shapes, ...engine('graph', 'transport', 'plan/policy.ts')],
    why: 'what may be sent is a function of what was approved and of what would be sent now',
  },
  {
    folder: 'core/engine/workflows/apply',
    may: [
      ...parts.filter((each) => each !== 'core/engine/config'),
      ...base,
      ...workflows('apply/approved', 'session', 'check/check-workspace.ts'),
      'p-limit',
    ],
    why: 'sends approved commands; reads no configuration of its own',
  },
  {
    folder: 'core/engine/workflows/schedule',
    may: [...shapes, ...engine('config/schedule', 'state'), ...base, 'p-limit'],
    why: 'which workspaces are due',
  },
  {
    folder: 'core/engine/workflows/anchor',
    may: [...shapes, ...engine('ledger', 'state'), ...base, 'p-limit'],
    why: 'has heads of ledgers signed and kept elsewhere',
  },
  {
    folder: 'core/engine/workflows/workspace',
    may: [...parts, ...base, ...workflows('session', 'apply', 'schedule')],
    why: 'stores, versions and removes workspaces',
  },
  {
    folder: 'core/engine/workflows/source',
    may: [...parts, ...base, ...workflows('session', 'check', 'workspace'), 'zod'],
    why: 'configurations from a Git repository',
  },
  {
    folder: 'core/engine/workflows/state',
    may: [...parts, ...base, ...workflows('workspace', 'apply/close-apply.ts', 'apply/lock')],
    why: 'shows and corrects what is recorded',
  },
  {
    folder: 'core/engine/workflows/records',
    may: [...parts, ...base, ...workflows('session', 'state')],
    why: 'shows runs, applies, ledger and graph',
  },

  {
    folder: 'core/providers/rest/document',
    may: [...shapes, ...engine('provider'), 'zod'],
    why: 'the shapes of a provider document and their meaning',
  },
  {
    folder: 'core/providers/rest/check',
    may: [...engine('schema', 'values', 'json', 'provider', 'transport/answer/absence.ts'), ...rest('document'), 'zod'],
    why: 'every mistake of a document is visible in the document alone',
  },
  {
    folder: 'core/providers/rest/request',
    may: [...shapes, ...engine('provider', 'transport'), ...rest('document')],
    why: 'a request is built from a document and values',
  },
  {
    folder: 'core/providers/rest/read',
    may: [...engine('schema', 'values', 'json', 'provider', 'transport'), ...rest('document', 'request')],
    why: 'what answers mean',
  },
  {
    folder: 'core/providers/rest/write',
    may: [...shapes, ...engine('provider', 'transport'), ...rest('document', 'request', 'read')],
    why: 'a change as requests',
  },
  {
    folder: 'core/providers/rest',
    may: [
      ...engine('schema', 'values', 'json', 'provider', 'transport'),
      ...rest('document', 'check', 'request', 'read', 'write'),
    ],
    why: 'any HTTP API, by a document',
  },
  {
    folder: 'core/providers/github',
    may: [...engine('schema', 'values', 'provider'), 'core/providers/rest/rest.ts'],
    why: 'an API that is shipped is a document on the REST provider, and no second engine',
  },
  {
    folder: 'core/providers/machine',
    may: [...engine('schema', 'values', 'provider', 'transport'), 'node:path'],
    why: 'files and programs of a machine',
  },
  {
    folder: 'core/providers/npm',
    may: [...shapes, ...engine('provider', 'transport'), 'zod'],
    why: 'providers in packages, whose code runs in a sandbox',
  },
  { folder: 'core/providers', may: [...engine('provider'), 'core/providers'], why: 'the registry of providers' },
  {
    folder: 'core/sources/otterdog',
    may: [
      ...engine(
        'schema',
        'values',
        'json',
        'config/modules/foreign.ts',
        'config/shape/shape-issues.ts',
        'config/syntax/parse-document.ts',
      ),
      'zod',
    ],
    why: 'an organisation file of Otterdog as resources: a function of its value',
  },
  {
    folder: 'core/sources',
    may: [...engine('config/modules/foreign.ts'), 'core/sources'],
    why: 'the registry of formats of other products',
  },
  { folder: 'core/pages/render', may: engine('schema', 'values', 'json'), why: 'a page is a function of the plan' },
  { folder: 'core/pages/tofu/read', may: shapes, why: 'plans and states of OpenTofu as data' },
  {
    folder: 'core/pages/tofu/view',
    may: [...shapes, ...engine('diff'), 'core/pages/tofu/read'],
    why: 'what differs, for readers',
  },
  {
    folder: 'core/pages/tofu/compat',
    may: [...shapes, 'core/pages/tofu/read'],
    why: "the products' own pages, byte for byte: no word, width or colour of ours",
  },
  {
    folder: 'core/pages/tofu/report',
    may: [...shapes, 'core/pages/tofu/view', 'core/pages/tofu/read', 'core/pages/render'],
    why: 'the view as our pages',
  },
  {
    folder: 'core/pages/tofu',
    may: [...shapes, ...engine('diff'), 'core/pages/render', 'core/pages/tofu'],
    why: 'plans of OpenTofu and Terraform as pages; uses no plan of ours',
  },
  {
    folder: 'core/tools/authoring/description',
    may: [...shapes, ...rest('document'), 'core/tools/authoring/document', 'yaml'],
    why: 'reads API descriptions',
  },
  {
    folder: 'core/tools/authoring',
    may: [
      ...parts,
      ...base,
      ...workflows('session', 'apply', 'check'),
      ...rest('document', 'check'),
      'core/tools/authoring',
      'p-limit',
      'yaml',
    ],
    why: 'writes, checks and tries documents; imports existing objects; accepts drift',
  },
  {
    folder: 'core/tools/conformance',
    may: [...shapes, ...engine('diff', 'transport', 'provider', 'plan'), ...workflows('apply/approved', 'session')],
    why: 'judges any provider by what a check and an apply do, and knows no provider',
  },
  { folder: 'core', may: ['core'], why: 'the entry point #core' },

  { folder: 'functions/metric-names.ts', may: [], why: 'the stack imports it' },
  { folder: 'functions/rights.ts', may: [], why: 'the stack imports it' },
  {
    folder: 'functions/adapters/packages/module-file.ts',
    may: ['node:buffer', 'node:crypto', 'node:fs', 'node:path'],
    why: 'the stack and the command read the module of a package alike',
  },
  {
    folder: 'functions/adapters',
    may: [
      'core/index.ts',
      'core/engine/values/text-parts/index.ts',
      'node:*',
      ...aws,
      'aws-lambda',
      'zod',
      'jose',
      'libsodium-wrappers',
      'quickjs-emscripten-core',
      '@jitl/quickjs-singlefile-mjs-release-sync',
      'functions/adapters/packages/module-file.ts',
    ],
    why: 'ports made real: only here are vendors used',
  },
  {
    folder: 'functions/middleware',
    may: [
      'core/index.ts',
      'functions/metric-names.ts',
      'functions/adapters/aws/sqs-delivery.ts',
      '@aws-lambda-powertools/*',
      '@middy/core',
      'aws-lambda',
    ],
    why: 'what all handlers have around them',
  },
  {
    folder: 'functions/api',
    may: [
      ...doors,
      'functions/env.ts',
      'functions/deps.ts',
      'functions/rights.ts',
      'functions/metric-names.ts',
      'functions/adapters/json-in.ts',
      'functions/adapters/files/page-files.ts',
      'functions/middleware',
      'aws-lambda',
      'zod',
      'node:buffer',
      'node:util',
      'node:zlib',
    ],
    why: 'the routes of the HTTP API',
  },
  {
    folder: 'functions/cli',
    may: [
      ...doors,
      'core/pages/tofu/index.ts',
      'core/tools/authoring/index.ts',
      'functions/adapters',
      'functions/dev/dev.ts',
      'functions/dev/view.ts',
      'commander',
      'openid-client',
      'zod',
      'node:*',
    ],
    why: 'the command',
  },
  {
    folder: 'functions/library',
    may: [
      'core/index.ts',
      'core/pages/render/index.ts',
      'functions/adapters/clock.ts',
      'functions/cli/backend',
      'functions/cli/commands/check/request.ts',
      'functions/cli/process',
      'functions/cli/state',
      'functions/cli/workspace/load-source.ts',
      'functions/cli/workspace/push.ts',
      'zod',
      'node:path',
    ],
    why: 'what the command does on this machine, for programs',
  },
  {
    folder: 'functions/dev',
    may: [...doors, 'functions', 'aws-lambda', 'jose', 'node:*'],
    why: 'the same functions on one machine',
  },
  {
    folder: 'functions/page',
    may: [
      'core/index.ts',
      'core/pages/render/draw.ts',
      'core/engine/ledger/walk.ts',
      'core/engine/transport/answer/answer-errors.ts',
      'core/engine/transport/curl/curl.ts',
      'core/engine/values/pending.ts',
      'functions/rights.ts',
      'openid-client',
      'preact',
      'uplot',
    ],
    why: 'the web page: a user of the HTTP API like others; of #core it has types alone',
  },
  {
    folder: 'functions',
    may: [
      'core/index.ts',
      'functions/adapters',
      'functions/api',
      'functions/middleware',
      'functions/rights.ts',
      'functions/metric-names.ts',
      '@aws-lambda-powertools/*',
      '@middy/core',
      'aws-lambda',
      'node:path',
      'zod',
    ],
    why: 'Lambda handlers: parse, call a workflow, answer',
  },
  {
    folder: 'infra',
    may: [
      'functions/metric-names.ts',
      'functions/rights.ts',
      'functions/adapters/packages/module-file.ts',
      'aws-cdk-lib',
      'constructs',
      'cdk-nag',
      'esbuild',
      '@cyclonedx/cyclonedx-library',
      'zod',
      'node:*',
    ],
    why: 'the stack; it names handlers by path',
  },
]

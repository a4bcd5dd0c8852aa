/** The import law of the design. Each rule says why; test/architecture.test.ts proves that a broken one is caught. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed },
})

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', comment: 'type imports count too', severity: 'error', from: {}, to: { circular: true } },
    only(
      'schema-stands-alone',
      '^core/schema/',
      ['^core/schema/', 'node_modules/zod/'],
      'shapes know nothing but shapes',
    ),
    only(
      'values-are-pure',
      '^core/values/',
      ['^core/(values|schema)/', '^core/digest\\.ts$', 'node_modules/'],
      'what one value means: no node built-ins, no clock, no other part',
    ),
    only('errors-stand-alone', '^core/error', ['^core/(schema/|values/|error)'], 'everybody imports it'),
    only(
      'diff-and-graph-are-pure',
      '^core/(graph|diff)/',
      ['^core/(graph|diff|schema|values)/', '^core/errors\\.ts$', 'node_modules/yaml/'],
      'no node built-ins, no clock',
    ),
    only(
      'binding-is-pure',
      '^core/binding/',
      ['^core/(binding|diff|schema|values)/'],
      'which object a resource is: decided from what was seen, never by asking',
    ),
    only(
      'plan-knows-no-provider',
      '^core/plan/',
      ['^core/(plan|graph|diff|schema|values)/', '^core/(errors|digest)\\.ts$'],
      'a plan is data; not even a type of a provider',
    ),
    only(
      'render-knows-shapes',
      '^core/render/',
      ['^core/(render|schema|values)/', 'node_modules/'],
      'a page is a function of the plan',
    ),
    only(
      'tofu-reads-plans-only',
      '^core/tofu/',
      ['^core/(tofu|diff|schema|values)/', '^core/errors\\.ts$'],
      "another product's plan becomes plain data, by our differ; it knows neither our plan nor a page",
    ),
    only(
      'opentofu-pages-stand-alone',
      '^core/render/opentofu/',
      ['^core/render/opentofu/', '^core/(schema|values)/'],
      'their pages share no words, widths or colours with ours',
    ),
    only(
      'config-reads-files-only',
      '^core/config/',
      ['^core/(config|schema|values)/', '^core/(errors|digest)\\.ts$', 'node_modules/(yaml|jsonc-parser|zod|croner)/'],
      'loading never asks a provider or the state',
    ),
    only(
      'rest-documents-are-data',
      '^core/providers/rest/document/',
      [
        '^core/providers/(provider\\.ts$|rest/document/)',
        '^core/(schema|values)/',
        '^core/(errors|digest)\\.ts$',
        'node_modules/zod/',
      ],
      'the shapes of a provider document and what they say; it asks nobody and sends nothing',
    ),
    only(
      'rest-checks-read-documents',
      '^core/providers/rest/check/',
      [
        '^core/providers/(provider\\.ts$|rest/(check|document)/)',
        '^core/(schema|values)/',
        '^core/command/absence\\.ts$',
        'node_modules/zod/',
      ],
      'what is wrong with a document is seen in the document',
    ),
    {
      name: 'rest-rooms-go-down',
      comment: 'write knows read, both know request, all know document, and none the other way',
      severity: 'error',
      from: { path: '^core/providers/rest/(document|check|request|read)/' },
      to: { path: '^core/providers/rest/(write/|rest\\.ts$)' },
    },
    {
      name: 'rest-requests-read-nothing',
      comment: 'a request is made of a document and values; what answers mean is for read',
      severity: 'error',
      from: { path: '^core/providers/rest/request/' },
      to: { path: '^core/providers/rest/(read|check)/' },
    },
    only(
      'descriptions-are-texts',
      '^core/authoring/(description|init|check)/',
      [
        '^core/authoring/(description|init|check)/',
        '^core/providers/rest/document/',
        '^core/(schema|values)/',
        '^core/errors\\.ts$',
        'node_modules/yaml/',
      ],
      'an API description is compared with a document, and a draft is written from it: pure, and no part of the engine',
    ),
    {
      name: 'authoring-knows-documents',
      comment: 'it writes, checks and tries documents; how they are carried out is for the provider',
      severity: 'error',
      from: { path: '^core/authoring/' },
      to: { path: '^core/providers/(rest/(?!(document|check)/)|host/)' },
    },
    {
      name: 'only-authoring-knows-rest',
      comment: 'for everything else a provider is its contract',
      severity: 'error',
      from: { path: '^core/', pathNot: '^core/(authoring|providers)/' },
      to: { path: '^core/(authoring|providers/[^/]+)/' },
    },
    only(
      'command-is-below-providers',
      '^core/command/',
      [
        '^core/(command|schema|values)/',
        '^core/(errors|digest)\\.ts$',
        '^(node:)?(crypto|fs|fs/promises|path)$',
        'node_modules/',
      ],
      'transport and requests',
    ),
    only(
      'ledger-is-small',
      '^core/ledger/',
      ['^core/(ledger|schema|command|values)/', '^core/(errors|digest)\\.ts$'],
      'it must be possible to verify a ledger with this folder alone',
    ),
    only(
      'alert-is-pure',
      '^core/alert/',
      ['^core/(alert|schema|values)/', '^core/(errors|digest)\\.ts$'],
      'episodes are a function of what was found',
    ),
    only(
      'state-is-below-workflows',
      '^core/state/',
      ['^core/(state|schema|ledger|alert|values)/', '^core/(errors|digest)\\.ts$', '^(node:)?(zlib|crypto|util)$'],
      'storage knows shapes, not the steps',
    ),
    {
      name: 'providers-stand-alone',
      comment: 'no state, plan, apply or workflow, and no other provider',
      severity: 'error',
      from: { path: '^core/providers/([^/]+)/' },
      to: {
        path: '^(core|functions|infra)/',
        pathNot: [
          '^core/(schema|command|values)/',
          '^core/(errors|digest)\\.ts$',
          '^core/providers/provider\\.ts$',
          '^core/providers/$1/',
        ],
      },
    },
    only(
      'apply-knows-no-registry',
      '^core/apply/',
      [
        '^core/(apply|schema|graph|command|ledger|values)/',
        '^core/(errors|digest)\\.ts$',
        '^core/providers/provider\\.ts$',
      ],
      'it walks commands; it does not choose providers or make prose',
    ),
    {
      name: 'core-is-below-all',
      comment: 'the product knows no Lambda, no AWS SDK and no place to run',
      severity: 'error',
      from: { path: '^core/' },
      to: {
        path: [
          '^(functions|infra|test)/',
          'node_modules/(@aws-sdk|@smithy|@middy|@aws-lambda-powertools|aws-lambda|aws-cdk)',
        ],
      },
    },
    {
      name: 'one-door',
      comment:
        'the ways in use #core, #pages for plans as pages, #authoring for what only the command does, and nothing behind them',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^(core/(?!(index|pages|authoring/index)\\.ts$)|infra/)' },
    },
    {
      name: 'vendors-in-adapters',
      comment: 'AWS clients are named in adapters and the composition root only',
      severity: 'error',
      from: { path: '^functions/', pathNot: '^functions/(adapters/|deps\\.ts$)' },
      to: { path: 'node_modules/(@aws-sdk|@smithy)/' },
    },
    {
      name: 'infra-names-no-code',
      comment: 'stacks name handler files by path; only infra/local runs them',
      severity: 'error',
      from: { path: '^infra/' },
      to: { path: '^core/' },
    },
    {
      name: 'stacks-run-nothing',
      comment:
        'names of metrics and the spelling of rights only, so that no alarm or setting is about what no function knows',
      severity: 'error',
      from: { path: '^infra/', pathNot: '^infra/local/' },
      to: { path: '^functions/', pathNot: '^functions/(metric-names|rights)\\.ts$' },
    },
    {
      name: 'shared-with-the-stack-stand-alone',
      comment: 'the stack reads them',
      severity: 'error',
      from: { path: '^functions/(metric-names|rights)\\.ts$' },
      to: { path: '.' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
    combinedDependencies: true,
  },
}

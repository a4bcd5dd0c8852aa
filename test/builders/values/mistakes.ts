/*
 * What new users write: a configuration, and the documents beside it. `@` stands for a provider that is right, and `shop.provider.yaml`
 * for a document that is right where a mistake has none of its own.
 */

export interface WrittenMistake {
  readonly text: string
  readonly document?: string
  readonly files?: Readonly<Record<string, string>>
}

const header =
  'workspace: shop\nproviders: { shop: { source: rest, definition: ./shop.provider.yaml, with: { url: "https://api.test", key: { secret: "env:KEY" } } } }\n'
const shop = '{ type: shop_shop, name: main, spec: { name: main, city: Rome } }'
const with_ = (more: string): WrittenMistake => ({ text: `${header}${more}` })
const resource = (text: string): WrittenMistake => with_(`resources:\n  - ${text}\n`)
const spec = (text: string): WrittenMistake =>
  resource(`{ type: shop_shop, name: main, spec: { name: main, ${text} } }`)
const provider = (text: string): WrittenMistake => ({
  text: `workspace: shop\nproviders:\n  shop: ${text}\nresources: []\n`,
})
const rest = 'source: rest, definition: ./shop.provider.yaml'

export const goodDocument = `
provider:
  id: shop
  with: { url: {}, key: { secret: true } }
  baseUrl: "{with.url}"
  pagination: { style: none }
  auth: { header: { name: X-Key, secret: "{with.key}" } }
resources:
  shop_shop:
    operations:
      list: { method: GET, path: /shops }
      create: { method: POST, path: /shops, produces: { id: id } }
      update: { method: PATCH, path: "/shops/{id}" }
      delete: { method: DELETE, path: "/shops/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts:
      - name: main
        read: list
        write: { op: update }
        attributes:
          name: { required: true }
          city: { leftOut: true }
          size: { type: number, leftOut: true }
          kind: { values: [small, large], leftOut: true }
          open: { type: boolean, leftOut: true }
          tags: { type: set, leftOut: true }
          token: { sensitive: true, writeOnly: true, leftOut: true }
          hours:
            type: set
            key: [day]
            leftOut: true
            element: { type: object, attributes: { day: { required: true }, from: { type: number } } }
`
const changed = (from: string, to: string): WrittenMistake => ({
  ...with_('resources: []\n'),
  document: goodDocument.replace(from, to),
})

const ruling = (text: string): WrittenMistake => ({
  ...resource(text),
  document: goodDocument.replace('    serverId:', '    discover: {}\n    serverId:'),
})

export const mistakes: Readonly<Record<string, WrittenMistake>> = {
  'a tab': { text: 'workspace: shop\nproviders:\n\tshop: {}\n' },
  'a text without its end': { text: 'workspace: "shop\nproviders: {}\n' },
  'a colon without a space': { text: 'workspace:shop\n' },
  'a list that is indented otherwise': with_('resources:\n  - type: shop_shop\n   name: main\n'),
  'a key twice': { text: 'workspace: shop\nworkspace: other\n' },
  'an alias without its anchor': with_('resources: [*shop]\n'),
  'an empty file': { text: '\n' },
  'a list for a file': { text: '- workspace: shop\n' },
  'a name for the workspace': { text: 'name: shop\n' },
  'a workspace in capital letters': { text: 'workspace: My Shop\n' },
  'resources as a mapping': with_('resources:\n  shop_shop: { name: main }\n'),
  'a resource as a pair': with_('resources:\n  - shop_shop: main\n'),
  'attributes beside the spec': resource('{ type: shop_shop, name: main, city: Rome }'),
  'the way of another product to wait': resource(
    '{ type: shop_shop, name: main, spec: { name: main }, depends_on: [] }',
  ),
  'a type that there is not': resource('{ type: shop_shpo, name: main, spec: {} }'),
  'a type of another product': resource('{ type: aws_instance, name: main, spec: {} }'),
  'no type': resource('{ name: main, spec: {} }'),
  'no name': resource('{ type: shop_shop, spec: { name: main } }'),
  'a name with a dot': resource('{ type: shop_shop, name: my.shop, spec: { name: main } }'),
  'no spec': resource('{ type: shop_shop, name: main }'),
  'an empty spec': resource('{ type: shop_shop, name: main, spec: }'),
  'a missing key': resource('{ type: shop_shop, name: main, spec: { city: Rome } }'),
  'an attribute with a mistake': spec('citty: Rome'),
  'a number for a text': spec('city: 4711'),
  'a text for a number': spec('size: "12"'),
  'a time for a number': spec('size: 09:00'),
  'yes for true': spec('open: yes'),
  'a text for a list': spec('tags: a, b'),
  'a word that there is not': spec('kind: medium'),
  'a list of texts for a list of objects': spec('hours: [mon, tue]'),
  'a member that elements do not have': spec('hours: [{ day: mon, untill: 12 }]'),
  'a key of elements twice': spec('hours: [{ day: mon }, { day: mon, from: 9 }]'),
  'a null for what is required': resource('{ type: shop_shop, name: main, spec: { name: null } }'),
  'one address twice': with_(`resources:\n  - ${shop}\n  - ${shop}\n`),
  'one object under two names': with_(
    `resources:\n  - ${shop}\n  - ${shop.replace('name: main, spec', 'name: other, spec')}\n`,
  ),
  'a reference to nothing': spec('city: "${resource.shop_shop.other.city}"'),
  'a reference to an attribute that there is not': with_(
    `resources:\n  - ${shop}\n  - { type: shop_shop, name: b, spec: { name: b, city: "\${resource.shop_shop.main.citty}" } }\n`,
  ),
  'a reference without its first word': spec('city: "${shop_shop.other.city}"'),
  'a reference to itself': spec('city: "${resource.shop_shop.main.city}"'),
  'a circle': with_(
    'resources:\n  - { type: shop_shop, name: a, spec: { name: a, city: "${resource.shop_shop.b.city}" } }\n  - { type: shop_shop, name: b, spec: { name: b, city: "${resource.shop_shop.a.city}" } }\n',
  ),
  'a variable that is not declared': spec('city: "${var.town}"'),
  'a variable without a value': with_('variables: { town: {} }\nresources: []\n'),
  'a secret as text': spec('token: abcdef'),
  'a secret without its kind': spec('token: { secret: "TOKEN" }'),
  'a dependence on nothing': resource(
    '{ type: shop_shop, name: main, spec: { name: main }, dependsOn: [shop_shop.other] }',
  ),
  'a lifecycle with a mistake': resource(
    '{ type: shop_shop, name: main, spec: { name: main }, lifecycle: { preventDestory: true } }',
  ),
  'changes to ignore that there are not': resource(
    '{ type: shop_shop, name: main, spec: { name: main }, lifecycle: { ignoreChanges: [citty] } }',
  ),
  'rules to ignore as addresses': with_('resources: []\nignore: [shop_shop.main.city]\n'),
  'a rule to ignore without its owner': with_('resources: []\nignore: [{ address: shop_shop.main, reason: x }]\n'),
  'a schedule as another program writes it': with_('schedule: "*/5 * * * *"\nresources: []\n'),
  'a schedule without brackets': with_('schedule: 5 minutes\nresources: []\n'),
  'alerts with a channel': with_('alerts: { slack: "https://hooks.test" }\nresources: []\n'),
  'a route without its address': with_('alerts: { routes: [{ kind: slack }] }\nresources: []\n'),
  'a route with what it has no use for': with_(
    'alerts: { routes: [{ kind: slack, url: { secret: "env:U" }, key: { secret: "env:K" } }] }\nresources: []\n',
  ),
  'a route with its address in the file': with_(
    'alerts: { routes: [{ kind: slack, url: "https://hooks.test/T0CANARY" }] }\nresources: []\n',
  ),
  'a route whose address is no secret': with_(
    'alerts: { routes: [{ kind: teams, url: { secret: "https://hooks.test/T0CANARY" } }] }\nresources: []\n',
  ),
  'a kind of route that there is not': with_(
    'alerts: { routes: [{ kind: opsgenie, url: { secret: "env:U" } }] }\nresources: []\n',
  ),
  'a severity that there is not': with_('alerts: { minSeverity: critical }\nresources: []\n'),
  'a policy with a mistake': with_('policy: { maxChange: 3 }\nresources: []\n'),
  'a share without its sign': with_('policy: { maxRemovals: "20" }\nresources: []\n'),
  'a move of a list': with_('moved: [shop_shop.a, shop_shop.b]\nresources: []\n'),
  'an import without an id': with_(`import: [{ to: shop_shop.main }]\nresources:\n  - ${shop}\n`),
  'a document as the source': provider('{ source: ./shop.provider.yaml }'),
  'changes to ignore as a text': resource(
    '{ type: shop_shop, name: main, lifecycle: { ignoreChanges: city }, spec: { name: main, city: Rome } }',
  ),
  'no source': provider('{ definition: ./shop.provider.yaml }'),
  'no document': provider('{ source: rest }'),
  'a document that there is not': provider('{ source: rest, definition: ./shops.provider.yaml }'),
  'an address without its scheme': provider(`{ ${rest}, with: { url: "127.0.0.1:8080", key: { secret: "env:KEY" } } }`),
  'an input that there is not': provider(
    `{ ${rest}, with: { baseUrl: "https://api.test", key: { secret: "env:KEY" } } }`,
  ),
  'an input that is missing': provider(`{ ${rest}, with: { url: "https://api.test" } }`),
  'a secret input as text': provider(`{ ${rest}, with: { url: "https://api.test", key: abc } }`),
  'a secret input as a shell writes it': provider(`{ ${rest}, with: { url: "https://api.test", key: $KEY } }`),
  'a module without its folder': with_('modules: [{ name: a, source: ./a }]\nresources: []\n'),
  'D: a word that is no type': changed('size: { type: number, leftOut: true }', 'size: { type: integer }'),
  'D: a method that there is not': changed('method: PATCH', 'method: UPDATE'),
  'D: a place of an operation that there is not': changed('write: { op: update }', 'write: { op: updat }'),
  'D: a key that is no attribute': changed('keys: [name]', 'keys: [nmae]'),
  'D: a variable that there is not': changed(
    'path: "/shops/{id}" }\n      delete',
    'path: "/shops/{ident}" }\n      delete',
  ),
  'D: a list without its pages': changed('style: none', 'style: pages'),
  'D: an API description': {
    ...with_('resources: []\n'),
    document: 'openapi: 3.0.0\ninfo: { title: Shop, version: "1" }\npaths: {}\n',
  },
  'a module that is called without its name': with_('modules: [{ source: ./a }]\nresources: []\n'),
  'a file to include as a text': with_('include: shop\nresources: []\n'),
  'a limit with a unit': with_('limits: { bytes: 5MB }\nresources: []\n'),
  'a duration without a unit': with_('limits: { time: 30 }\nresources: []\n'),
  'an expiry that is no day': with_(
    'ignore: [{ address: shop_shop.main, reason: x, owner: y, expires: tomorrow }]\nresources: []\n',
  ),
  'a removal with no reason': with_('removed: [{ address: shop_shop.main }]\nresources: []\n'),
  'a time zone of nowhere': with_('timezone: CEST\nresources: []\n'),
  'events without their secret': with_('events: { github: { organization: acme } }\nresources: []\n'),
  'a rule for objects that no list has': resource('{ type: shop_shop, name: all, forAll: {}, spec: { city: Rome } }'),
  'a rule for each of a list': ruling('{ type: shop_shop, name: a, forAll: {}, forEach: [x], spec: { city: Rome } }'),
  'a rule with a key in its spec': ruling('{ type: shop_shop, name: a, forAll: {}, spec: { name: main } }'),
  'a rule about an attribute that there is not': ruling(
    '{ type: shop_shop, name: a, forAll: { where: { town: Rome } }, spec: { city: Oslo } }',
  ),
  'a rule whose condition is a text': ruling(
    '{ type: shop_shop, name: a, forAll: { where: main }, spec: { city: Oslo } }',
  ),
  'a rule whose condition has another type': ruling(
    '{ type: shop_shop, name: a, forAll: { where: { open: "false" } }, spec: { city: Oslo } }',
  ),
  'a rule for what no condition says': ruling(
    '{ type: shop_shop, name: a, forAll: { where: [] }, spec: { city: Oslo } }',
  ),
  'a rule whose condition names a variable that there is not': ruling(
    '{ type: shop_shop, name: a, forAll: { where: { city: "${var.town}" } }, spec: { city: Oslo } }',
  ),
  'a value of a rule': ruling(
    '{ type: shop_shop, name: a, forAll: {}, spec: { city: Oslo } }\n  - { type: shop_shop, name: b, spec: { name: b, city: "${resource.shop_shop.a.id}" } }',
  ),
  'the address of what rules cover': ruling(
    '{ type: shop_shop, name: a, forAll: {}, spec: { city: Oslo } }\n  - { type: shop_shop, name: all, spec: { name: b } }',
  ),
  'D: no resources': { ...with_('resources: []\n'), document: 'provider: { id: shop, baseUrl: "https://api.test" }\n' },
  'null in a list': spec('hours: [null]'),
  'a key "secrets"': spec('token: { secrets: "env:TOKEN" }'),
  'a secret with a default': spec('token: { secret: "env:TOKEN", default: x }'),
  'quotes of a word processor': spec('size: “80”'),
  'such quotes in a reference': spec('city: "${resource.shop_shop.other[‘b’].city}"'),
  'an attribute beside the spec': resource('{ type: shop_shop, name: main, city: Rome, spec: { name: main } }'),
  'absent in lifecycle': resource('{ type: shop_shop, name: main, spec: { name: main }, lifecycle: { absent: true } }'),
  'a rule beside lifecycle': resource('{ type: shop_shop, name: main, spec: { name: main }, preventDestroy: true }'),
  'attributes beside the parts': changed('    parts:', '    attributes: { note: { leftOut: true } }\n    parts:'),
  'an operation beside the operations': changed(
    '    identity:',
    '    retrieve: { method: GET, path: "/shops/{id}" }\n    identity:',
  ),
  'an operation with a slip': changed('write: { op: update }', 'write: { op: updat }'),
  'a key with a slip': changed('keys: [name]', 'keys: [nane]'),
  'a default of another type': changed('size: { type: number', 'size: { type: number, default: "80"'),
  'a default that is no value': changed('values: [small, large]', 'values: [small, large], default: medium'),
}

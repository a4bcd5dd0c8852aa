/*
 * Whole documents as `tofu show -json` and `terraform show -json` write them, for what public plans hold rarely or never.
 * All resources are of types of one provider; `networkSchemas` describes them.
 */

/** Stands wherever a document holds a secret: no output may have it. */
export const canary = 'canary-6f1d'

const provider = 'registry.opentofu.org/acme/net'

type Members = Readonly<Record<string, unknown>>

interface Place {
  readonly type?: string
  readonly name?: string
  /** `module.eu["a"]`. */
  readonly module?: string
  readonly index?: number | string
  readonly mode?: 'managed' | 'data' | 'ephemeral'
  readonly deposed?: string
}

const addressOf = ({ type = 'net_host', name = 'a', module, index, mode = 'managed' }: Place): string => {
  const key = index === undefined ? '' : `[${JSON.stringify(index)}]`
  return [module, mode === 'managed' ? undefined : mode, `${type}.${name}${key}`].filter(Boolean).join('.')
}

/** One entry of `resource_changes` or `resource_drift`; `more` are further members of the entry. */
export const resourceChange = (actions: readonly string[], change: Members, place: Place = {}, more: Members = {}) => ({
  address: addressOf(place),
  ...(place.module === undefined ? {} : { module_address: place.module }),
  mode: place.mode ?? 'managed',
  type: place.type ?? 'net_host',
  name: place.name ?? 'a',
  ...(place.index === undefined ? {} : { index: place.index }),
  provider_name: provider,
  ...(place.deposed === undefined ? {} : { deposed: place.deposed }),
  change: {
    actions,
    before: null,
    after: null,
    after_unknown: {},
    before_sensitive: {},
    after_sensitive: {},
    ...change,
  },
  ...more,
})

export const tofuPlan = (changes: readonly object[], more: Members = {}) => ({
  format_version: '1.2',
  terraform_version: '1.11.0',
  resource_changes: changes,
  timestamp: '2026-08-22T10:00:00Z',
  errored: false,
  ...more,
})

export const tofuState = (resources: readonly object[], outputs: Members = {}, more: Members = {}) => ({
  format_version: '1.0',
  terraform_version: '1.11.0',
  values: { outputs, root_module: { resources } },
  ...more,
})

/** The answer of `providers schema -json` for resource and data types of this provider. */
export const tofuSchemas = (blocks: Members) => {
  const schemas = Object.fromEntries(Object.entries(blocks).map(([type, block]) => [type, { version: 0, block }]))
  return {
    format_version: '1.0',
    provider_schemas: { [provider]: { resource_schemas: schemas, data_source_schemas: schemas } },
  }
}

const text = { type: 'string', optional: true }

export const networkSchemas = tofuSchemas({
  net_host: {
    attributes: {
      id: { type: 'string', computed: true },
      name: { type: 'string', required: true },
      size: { type: 'number', optional: true },
      image: text,
      tags: { type: ['map', 'string'], optional: true },
      password: { type: 'string', optional: true, sensitive: true },
      password_wo: { type: 'string', optional: true, write_only: true },
      password_wo_version: { type: 'number', optional: true },
      policy: text,
      ports: { type: ['list', 'number'], optional: true },
    },
    block_types: {
      disk: { nesting_mode: 'list', block: { attributes: { name: text, size: { type: 'number', optional: true } } } },
      rule: {
        nesting_mode: 'set',
        block: {
          attributes: {
            from_port: { type: 'number', required: true },
            to_port: { type: 'number', required: true },
            protocol: text,
            cidr_blocks: { type: ['list', 'string'], optional: true },
          },
        },
      },
    },
  },
  net_zone: { attributes: { id: { type: 'string', computed: true }, name: text, serial: { type: 'number' } } },
})

export const host = (more: Members = {}): Members => ({
  id: 'h-1',
  name: 'web',
  size: 2,
  image: 'debian-13',
  tags: { team: 'edge' },
  ...more,
})

const created = (place: Place, more?: Members) =>
  resourceChange(['create'], { after: { name: 'web', size: 2 }, after_unknown: { id: true } }, place, more)

/** Only Terraform defers. The reasons are all that it knows, and one that nobody knows yet. */
export const deferredPlan = () =>
  tofuPlan([created({ name: 'now' })], {
    applyable: true,
    complete: false,
    deferred_changes: [
      'unknown',
      'instance_count_unknown',
      'resource_config_unknown',
      'provider_config_unknown',
      'deferred_prereq',
      'absent_prereq',
      'of_a_later_version',
    ].map((reason, place) => ({
      reason,
      resource_change: resourceChange(
        [reason === 'resource_config_unknown' ? 'read' : 'create'],
        { after: { name: `later-${place}` }, after_unknown: { id: true, size: true } },
        { name: reason, mode: reason === 'resource_config_unknown' ? 'data' : 'managed' },
      ),
    })),
  })

export const forgetPlan = () =>
  tofuPlan([
    resourceChange(
      ['forget'],
      { before: host() },
      { name: 'in_state' },
      {
        action_reason: 'forgot_because_lifecycle_destroy_in_state',
      },
    ),
    resourceChange(
      ['forget'],
      { before: host() },
      { name: 'in_config' },
      {
        action_reason: 'forgot_because_lifecycle_destroy_in_config',
      },
    ),
    resourceChange(['forget'], { before: host() }, { name: 'plain' }),
    resourceChange(['forget', 'create'], { before: host(), after: host({ image: 'debian-14' }) }, { name: 'anew' }),
    resourceChange(['create', 'forget'], { before: host(), after: host({ image: 'debian-14' }) }, { name: 'before' }),
  ])

/** An interrupted replacement left two objects behind; the current one stays. */
export const deposedPlan = () =>
  tofuPlan([
    resourceChange(['no-op'], { before: host(), after: host() }),
    resourceChange(['delete'], { before: host({ id: 'h-0' }) }, { deposed: 'ab12cd34' }),
    resourceChange(['delete'], { before: host({ id: 'h-9' }) }, { deposed: 'ef56ab78' }),
  ])

export const movedPlan = () =>
  tofuPlan([
    resourceChange(
      ['no-op'],
      { before: host(), after: host() },
      { name: 'only' },
      {
        previous_address: 'net_host.was',
      },
    ),
    resourceChange(
      ['update'],
      { before: host(), after: host({ size: 4 }) },
      { name: 'grown', module: 'module.eu["a"]' },
      { previous_address: 'net_host.grown' },
    ),
    resourceChange(
      ['delete'],
      { before: host() },
      { name: 'gone' },
      {
        previous_address: 'net_host.old',
        action_reason: 'delete_because_no_move_target',
      },
    ),
    resourceChange(
      ['delete', 'create'],
      {
        before: host(),
        after: { ...host({ image: 'debian-14' }), id: undefined },
        after_unknown: { id: true },
        replace_paths: [['image']],
      },
      { name: 'new', index: 1 },
      { previous_address: 'net_host.new[0]', action_reason: 'replace_because_cannot_update' },
    ),
  ])

export const importedByIdPlan = () =>
  tofuPlan([
    resourceChange(['no-op'], { before: host(), after: host(), importing: { id: 'h-1' } }, { name: 'as_it_is' }),
    resourceChange(
      ['update'],
      {
        before: host(),
        after: host({ size: 4 }),
        importing: { id: 'h-[red]2' },
        generated_config: 'resource "net_host" "changed" {\n  name = "web"\n}\n',
      },
      { name: 'changed' },
    ),
    resourceChange(
      ['delete', 'create'],
      { before: host(), after: host({ image: 'debian-14' }), importing: { id: 'h-3' }, replace_paths: [['image']] },
      { name: 'replaced' },
    ),
    resourceChange(['no-op'], { before: host(), after: host(), importing: { unknown: true } }, { name: 'unknown' }),
  ])

export const importedByIdentityPlan = () =>
  tofuPlan([
    resourceChange(
      ['no-op'],
      {
        before: host(),
        after: host(),
        importing: { identity: { account: '1234', region: 'eu', host: 'h-1' } },
        before_identity: { account: '1234', region: 'eu', host: 'h-1' },
        after_identity: { account: '1234', region: 'eu', host: 'h-1' },
      },
      { name: 'known' },
    ),
    resourceChange(
      ['update'],
      { before: host(), after: host({ size: 4 }), importing: { identity: { host: 'h-2' } }, generated_config: 'x' },
      { name: 'changed' },
    ),
  ])

/** To be read with `networkSchemas`: values tell nothing of what is never stored. */
export const writeOnlyPlan = () => {
  const stored = host({ password_wo: null, password_wo_version: 1 })
  return tofuPlan([
    resourceChange(['create'], { after: { name: 'web', password_wo: null, password_wo_version: 1 } }, { name: 'new' }),
    resourceChange(['update'], { before: stored, after: { ...stored, password_wo_version: 2 } }, { name: 'changed' }),
    resourceChange(['delete'], { before: stored }, { name: 'gone' }),
    resourceChange(
      ['delete', 'create'],
      { before: stored, after: stored, replace_paths: [['password_wo']] },
      { name: 'replaced' },
      { action_reason: 'replace_because_cannot_update' },
    ),
  ])
}

/** Ephemeral objects have no value on either side and are never shown. */
export const ephemeralPlan = () =>
  tofuPlan([
    resourceChange(['create'], {}, { type: 'net_token', name: 'hidden', mode: 'ephemeral' }),
    resourceChange(['update'], { before: host(), after: host({ size: 4 }) }, { name: 'shown' }),
  ])

const checkOf = (
  kind: string,
  display: string,
  status: string,
  instances: readonly { readonly at: string; readonly status: string; readonly problems?: readonly string[] }[] = [],
) => ({
  address: { kind, to_display: display },
  status,
  instances: instances.map(({ at, problems, ...instance }) => ({
    address: { to_display: at },
    ...instance,
    ...(problems === undefined ? {} : { problems: problems.map((message) => ({ message })) }),
  })),
})

export const checksPlan = () =>
  tofuPlan([resourceChange(['update'], { before: host(), after: host({ size: 4 }) })], {
    checks: [
      checkOf('resource', 'net_host.a', 'fail', [
        { at: 'net_host.a[0]', status: 'pass' },
        { at: 'net_host.a[1]', status: 'fail', problems: ['the host must have two disks', 'and a name'] },
        { at: 'net_host.a[2]', status: 'unknown' },
      ]),
      checkOf('check', 'check.health', 'error', [{ at: 'check.health', status: 'error' }]),
      checkOf('output_value', 'output.url', 'pass', [{ at: 'output.url', status: 'pass' }]),
      checkOf('var', 'var.size', 'fail', [{ at: 'var.size', status: 'fail', problems: ['at most 8'] }]),
      checkOf('resource', 'net_host.none', 'unknown'),
    ],
  })

const reasons: Readonly<Record<string, readonly [actions: readonly string[], place?: Place]>> = {
  replace_because_tainted: [['delete', 'create']],
  replace_because_cannot_update: [['delete', 'create']],
  replace_by_request: [['create', 'delete']],
  replace_by_triggers: [['delete', 'create']],
  delete_because_no_resource_config: [['delete']],
  delete_because_no_module: [['delete'], { module: 'module.gone["x"]' }],
  delete_because_wrong_repetition: [['delete'], { index: 0 }],
  delete_because_count_index: [['delete'], { index: 3 }],
  delete_because_each_key: [['delete'], { index: 'eu' }],
  delete_because_enabled_false: [['delete']],
  delete_because_no_move_target: [['delete']],
  read_because_config_unknown: [['read'], { mode: 'data' }],
  read_because_dependency_pending: [['read'], { mode: 'data' }],
  read_because_check_nested: [['read'], { mode: 'data' }],
  forgot_because_lifecycle_destroy_in_state: [['forget']],
  forgot_because_lifecycle_destroy_in_config: [['forget']],
  because_of_a_later_version: [['update']],
}

/** One entry for each `action_reason` that is known, its name that of the reason, and one for an unknown reason. */
export const reasonsPlan = () =>
  tofuPlan(
    Object.entries(reasons).map(([reason, [actions, place]]) => {
      const isThere = !actions.includes('read')
      const comes = actions.some((action) => action !== 'delete' && action !== 'forget')
      const path = reason === 'replace_because_cannot_update' ? { replace_paths: [['image']] } : {}
      return resourceChange(
        actions,
        { ...(isThere ? { before: host() } : {}), ...(comes ? { after: host({ image: 'debian-14' }) } : {}), ...path },
        { ...place, name: reason },
        { action_reason: reason },
      )
    }),
  )

/** Secrets as whole values, inside maps, lists, blocks and outputs, on either side and on both. */
export const secretsPlan = () => {
  const secret = (n: number): string => `${canary}-${n}`
  const before = host({
    password: secret(1),
    tags: { team: 'edge', token: secret(2) },
    ports: [1, 2],
    disk: [{ name: 'root', size: 1, key: secret(3) }],
    policy: JSON.stringify({ user: 'a', password: secret(4) }),
  })
  const after = {
    ...before,
    password: secret(5),
    tags: { team: 'core', token: secret(2) },
    disk: [{ name: 'root', size: 2, key: secret(3) }],
    policy: JSON.stringify({ user: 'b', password: secret(4) }),
  }
  const sensitive = {
    password: true,
    tags: { token: true },
    disk: [{ key: true }],
    policy: true,
    ports: [false, false],
  }
  return tofuPlan(
    [
      resourceChange(['update'], { before, after, before_sensitive: sensitive, after_sensitive: sensitive }),
      resourceChange(['create'], { after, before_sensitive: false, after_sensitive: sensitive }, { name: 'new' }),
      resourceChange(['delete'], { before, before_sensitive: sensitive, after_sensitive: false }, { name: 'gone' }),
      resourceChange(
        ['update'],
        { before: host({ name: secret(6) }), after: host({ name: secret(7) }), after_sensitive: { name: true } },
        { name: 'becomes_secret' },
      ),
    ],
    {
      output_changes: {
        token: {
          actions: ['update'],
          before: secret(8),
          after: { inner: secret(9) },
          after_unknown: false,
          before_sensitive: true,
          after_sensitive: true,
        },
      },
    },
  )
}

/** Drift of which one is relevant, by the resource as a whole although it has instances. */
export const driftPlan = () =>
  tofuPlan([resourceChange(['update'], { before: host(), after: host({ size: 4 }) }, { name: 'user' })], {
    resource_drift: [
      resourceChange(['update'], { before: host(), after: host({ image: 'other' }) }, { name: 'source', index: 0 }),
      resourceChange(['update'], { before: host(), after: host({ image: 'other' }) }, { name: 'source', index: 1 }),
      resourceChange(['update'], { before: host(), after: host({ image: 'other' }) }, { name: 'apart' }),
      resourceChange(['delete'], { before: host() }, { name: 'lost', type: 'net_zone' }),
    ],
    relevant_attributes: [
      { resource: 'net_host.source', attribute: ['image'] },
      { resource: 'net_zone.lost', attribute: ['id'] },
    ],
  })

/** Modules, outputs, unknown values and where they come from. */
export const modulesPlan = () => {
  const references = (...names: readonly string[]) => ({ references: names })
  const resources = [
    {
      address: 'net_host.a',
      mode: 'managed',
      type: 'net_host',
      name: 'a',
      expressions: { name: references('var.name') },
    },
  ]
  return tofuPlan(
    [
      created({}),
      created({ module: 'module.eu["a"]', index: 0 }),
      created({ module: 'module.eu["a"].module.web', name: 'front' }),
      resourceChange(
        ['update'],
        { before: host(), after: { ...host(), image: undefined }, after_unknown: { image: true, id: true } },
        { module: 'module.eu["b"]' },
      ),
      resourceChange(['delete'], { before: host() }, { module: 'module.old' }),
    ],
    {
      output_changes: {
        url: {
          actions: ['create'],
          before: null,
          after_unknown: true,
          before_sensitive: false,
          after_sensitive: false,
        },
        zone: { actions: ['update'], before: 'a', after: 'b', after_unknown: false },
        still: { actions: ['no-op'], before: 'a', after: 'a', after_unknown: false },
        old: { actions: ['delete'], before: ['x'], after: null, after_unknown: false },
      },
      configuration: {
        root_module: {
          resources,
          module_calls: {
            eu: {
              module: {
                resources: [
                  {
                    mode: 'managed',
                    type: 'net_host',
                    name: 'a',
                    expressions: { image: references('data.net_image.base.id', 'data.net_image.base') },
                  },
                ],
              },
            },
          },
        },
      },
    },
  )
}

export const erroredPlan = () => ({ ...modulesPlan(), errored: true })

export const emptyPlan = () => tofuPlan([resourceChange(['no-op'], { before: host(), after: host() })])

/** One renamed, one re-keyed, and two of which only the type is the same. */
export const twinsPlan = () => {
  const comes = (name: string, index?: string, more: Members = {}) =>
    resourceChange(
      ['create'],
      { after: { ...host(more), id: undefined }, after_unknown: { id: true } },
      { name, ...(index === undefined ? {} : { index }) },
    )
  const goes = (name: string, index?: string, more: Members = {}) =>
    resourceChange(
      ['delete'],
      { before: host({ id: `h-${name}`, ...more }) },
      { name, ...(index === undefined ? {} : { index }) },
      { action_reason: index === undefined ? 'delete_because_no_resource_config' : 'delete_because_each_key' },
    )
  return tofuPlan([
    comes('web'),
    goes('front'),
    goes('shard', 'eu', { name: 'shard', tags: null }),
    comes('shard', 'eu-west', { name: 'shard', tags: null }),
    goes('other', undefined, { size: 7 }),
    comes('another', undefined, { size: 8 }),
  ])
}

/** Only Terraform invokes actions of providers. */
export const actionsPlan = () => {
  const action = (name: string, more: object) => ({
    address: `action.net_page.${name}`,
    type: 'net_page',
    name,
    config_values: { text: canary },
    config_sensitive: { text: true },
    config_unknown: {},
    provider_name: 'registry.terraform.io/x/net',
    ...more,
  })
  const trigger = { triggering_resource_address: 'net_host.a', action_trigger_event: 'AfterUpdate' }
  return tofuPlan([resourceChange(['update'], { before: host(), after: host({ size: 4 }) })], {
    action_invocations: [
      action('team', { lifecycle_action_trigger: trigger }),
      action('all', { invoke_action_trigger: {} }),
    ],
    deferred_action_invocations: [
      {
        reason: 'provider_config_unknown',
        action_invocation: action('later', {
          config_values: { text: canary, number: 7, unset: null },
          config_unknown: { to: true },
          invoke_action_trigger: {},
        }),
      },
    ],
    complete: false,
    novelty: { secret: canary },
  })
}

/** Objects that are damaged, left over, secret in part, and in a module. */
export const objectsState = () => {
  const object = (place: string, more: Members = {}) => ({
    address: `net_host.${place}`,
    mode: 'managed',
    type: 'net_host',
    name: place,
    provider_name: provider,
    values: host({ password: canary }),
    sensitive_values: { password: true },
    ...more,
  })
  const state = tofuState([object('a', { tainted: true }), object('a', { deposed_key: 'ab12cd34' })], {
    ports: { value: [1, 2], sensitive: false },
    token: { value: canary, sensitive: true },
  })
  const module = { address: 'module.eu["a"]', resources: [object('b', { address: 'module.eu["a"].net_host.b' })] }
  return {
    ...state,
    values: { ...state.values, root_module: { ...state.values.root_module, child_modules: [module] } },
  }
}

/** All plans of this file, by name. */
export const tofuPlans: Readonly<Record<string, object>> = {
  deferred: deferredPlan(),
  forget: forgetPlan(),
  deposed: deposedPlan(),
  moved: movedPlan(),
  'imported by id': importedByIdPlan(),
  'imported by identity': importedByIdentityPlan(),
  'write-only': writeOnlyPlan(),
  ephemeral: ephemeralPlan(),
  checks: checksPlan(),
  reasons: reasonsPlan(),
  secrets: secretsPlan(),
  drift: driftPlan(),
  modules: modulesPlan(),
  errored: erroredPlan(),
  empty: emptyPlan(),
  twins: twinsPlan(),
  actions: actionsPlan(),
}

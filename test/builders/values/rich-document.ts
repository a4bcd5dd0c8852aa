/** A sound provider document that says nearly everything that one can say. */
export const richDocument = `provider:
  id: rich
  description: An API with every habit.
  openapi: ./openapi.json
  with:
    baseUrl: { description: Address of the API., default: "https://api.test" }
    user: {}
    password: { secret: true }
    project: { default: p1 }
  baseUrl: "{with.baseUrl}/v1"
  auth:
    login:
      url: /login
      method: POST
      body: { user: "{with.user}", password: "{with.password}" }
      token: auth.token
      expires: auth.seconds
      send: { header: X-Token, template: "{token}" }
  tls: { ca: "{with.password}", cert: "{with.password}", key: "{with.password}" }
  params: { project_id: "{with.project}" }
  headers: { X-Client: plumbline }
  pagination: { style: offset, param: offset, size: { param: limit, value: 50 }, total: meta.total, maxPages: 20 }
  reads: { absent: [404, 410], unknown: { 418: server_error } }
  errors:
    message: [error.text, error]
    when:
      - { place: error, exists: true, means: 500 }
  envelope: { body: { payload: "{fields}" }, answer: payload }
  encodePath: plain
  maxBodyBytes: 1000000
  timeoutMs: 5000
  concurrency: 2
  rate: { requests: 10, per: second, burst: 5 }

resolvers:
  region:
    list: { method: GET, path: /regions }
    items: regions
    name: [label, code]

resources:
  rich_network:
    description: What servers are in.
    operations:
      list: { method: GET, path: "/projects/{project_id}/networks", query: { detail: true } }
      create: { method: POST, path: "/projects/{project_id}/networks", produces: { id: id } }
      delete: { method: DELETE, path: "/projects/{project_id}/networks/{id}", success: [204], grade: lossy }
    identity: { keys: [name] }
    lookup: { list: { op: list, query: { kind: all }, items: networks, absent: [404] }, match: [name], where: { hidden: false } }
    serverId: { id: id }
    discover: { op: list, items: networks, ignore: [{ name: "system-*" }] }
    lifecycle: { preventDelete: false, onImmutable: replace, replace: { order: deleteFirst } }
    parts:
      - name: main
        read: list
        attributes:
          name: { required: true, immutable: true, normalise: [trim, lower] }
          cidr: { immutable: true, compareAs: [oneSpace] }
          region: { immutable: true, ref: { resolver: region, emit: id } }

  rich_server:
    operations:
      list: { method: GET, path: "/projects/{project_id}/servers" }
      retrieve: { method: GET, path: "/projects/{project_id}/servers/{id}" }
      limits: { method: POST, path: "/servers/{id}/limits/query", effect: read, body: { of: "{id}" } }
      create: { method: POST, path: "/projects/{project_id}/servers", success: [202], produces: { id: id } }
      update: { method: PATCH, path: "/projects/{project_id}/servers/{id}" }
      setLimits: { method: PUT, path: "/servers/{id}/limits", contentType: application/json }
      setRules: { method: POST, path: "/servers/{id}/rules", body: "{fields}", wait: none }
      addDisk: { method: POST, path: "/servers/{id}/disks" }
      removeDisk: { method: DELETE, path: "/servers/{id}/disks/{el.label}" }
      restart: { method: POST, path: "/servers/{id}/restart", body: none }
      delete: { method: DELETE, path: "/projects/{project_id}/servers/{id}" }
    identity: { keys: [name] }
    lookup:
      list: { items: servers }
      match: [name]
    serverId: { id: id }
    lock: { etag: true, weak: false }
    wait:
      poll: retrieve
      state: state
      ok: [OK]
      error: [ERRED]
      message: error_message
      intervalSeconds: 2
      timeoutSeconds: 600
    lifecycle:
      onImmutable: report
      states: { at: state, busy: [UPDATING], error: [BROKEN], message: error_message }
    actions:
      restart: { on: [flavor], op: restart, order: after, alongside: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: mergePatch }
        attributes:
          name: { required: true, immutable: true }
          flavor: { type: any }
          image: { immutable: true, whenUndeclared: default, default: debian }
          tags: { type: set, element: {}, as: comma, normalise: [commaList], nullMeans: empty }
          labels: { type: map, element: {}, manage: declared, ignoreKeys: ["system/*"], omit: [owner] }
          password: { writeOnly: true, sensitive: true, witness: hash }
          hash: { computed: true }
          ram: { type: number, path: memory.mib, send: memory.mib, scale: 1024, values: [1, 2, 4] }
          note: { clearAs: null, missing: [""], sendOn: update, unlessSent: [password] }
          network: { refersTo: { type: rich_network, attribute: name }, immutable: true }
          ports:
            type: set
            key: [number]
            element:
              type: object
              attributes:
                number: { type: number }
                host: { cases: [{ when: { number: [53] }, normalise: [ip] }] }
      - name: limits
        read: { op: limits, absent: [404] }
        onCreate: after
        write: { op: setLimits, send: full }
        attributes:
          cpu: { type: number, default: 1 }
      - name: rules
        read: retrieve
        onCreate: after
        collection:
          field: rules
          key: [port]
          default: []
          ignore: [{ port: 22 }]
          element: { port: { type: number }, from: {} }
          write: { op: setRules, batch: 10, body: { rules: "{changes}" }, upsert: "{el}", remove: { port: "{key.port}", gone: true } }
      - name: disks
        read: retrieve
        onCreate: after
        collection:
          field: disks
          key: [label]
          default: []
          element: { label: {}, size: { type: number } }
          write: { each: { create: addDisk, remove: removeDisk } }
`

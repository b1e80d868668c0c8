/**
 * The shape of the source, as docs/architecture.md has it: who may import whom, who may write which table, and the
 * "never" rules that lint cannot say (those it can are in biome.json).
 */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { endpoints } from '../../src/server/endpoints.ts'
import { assertNothing, root, shipped } from './source_files.ts'

/** The wing of a file below `src`: the first folder of its path, or the file itself. */
const wingOf = (path: string): string => path.split('/')[1] as string

/** The folder of a file below its wing: `platform/db`. */
const partOf = (path: string): string => path.split('/').slice(1, 3).join('/')

/** Is this the `endpoints.ts` of a resource? */
const isModule = (path: string): boolean => /^src\/.+\/endpoints\.ts$/.test(path) && path !== 'src/server/endpoints.ts'

/** The wings, from the bottom up: each may import those before it. */
const wings = [
  'platform',
  'identity',
  'spaces',
  'code',
  'collaboration',
  'planning',
  'ci',
  'review',
  'delivery',
  'integrations',
  'portal',
  'server',
]

/** The explicit lists of what is served. */
const lists: ReadonlySet<string> = new Set(['src/server/endpoints.ts', 'src/server/pages.ts', 'src/server/administration_pages.ts'])

describe('who may import whom', () => {
  /** May a file of the wing `from` import one of the wing `to`? The runner is a program of its own, which the server starts. */
  const isBelow = (from: string, to: string): boolean => {
    if (from === 'main.ts') return to === 'server' || to === 'platform'
    if (from === 'runner') return to === 'platform'
    if (to === 'runner') return from === 'server'
    return wings.includes(to) && wings.indexOf(to) < wings.indexOf(from)
  }

  test('src holds the wings, the runner and main.ts', async () => {
    assert.deepEqual((await readdir(join(root, 'src'))).sort(), [...wings, 'main.ts', 'runner'].sort())
  })

  test('a wing imports only the wings below it', () => {
    const found = shipped.flatMap(({ path, imports }) =>
      imports
        .filter(other => other.startsWith('src/') && wingOf(other) !== wingOf(path) && !isBelow(wingOf(path), wingOf(other)))
        .map(other => `${path} imports ${other}`),
    )
    assertNothing(
      found,
      'a wing imports one above it (docs/architecture.md has the order). Move the code to where it may be known, pass in what it needs, or declare what it asks for and have src/server fulfil it',
    )
  })

  /** Within the platform: kernel → access, events, git → db */
  const below: Readonly<Record<string, readonly string[]>> = {
    'secret.ts': [],
    db: ['secret.ts'],
    git: ['secret.ts'],
    expansion: [],
    access: ['db', 'secret.ts'],
    events: ['db', 'networks.ts'],
    object_store: ['db', 'config.ts', 'secret.ts'],
    // The names of the tiers, and the forms of the addresses of a bucket and of a mail server; these in turn read the configuration's type.
    'config.ts': ['kernel', 'mail', 'object_store', 'mistyped_variables.ts', 'networks.ts', 'secret.ts', 'settings.ts'],
    kernel: ['access', 'events', 'git', 'object_store', 'db', 'bounded_json.ts', 'config.ts', 'networks.ts', 'secret.ts'],
  }

  for (const [part, allowed] of Object.entries(below))
    test(`${part} imports ${allowed.length === 0 ? 'nothing else of ours' : `only ${allowed.join(', ')}`}`, () => {
      const found = shipped
        .filter(({ path }) => partOf(path) === `platform/${part}`)
        .flatMap(({ path, imports }) => imports.map(other => [path, other] as const))
        .filter(([, other]) => partOf(other) !== `platform/${part}` && !allowed.some(name => partOf(other) === `platform/${name}`))
      assertNothing(
        found.map(([path, other]) => `${path} imports ${other}`),
        `${part} lies below what it imports. Pass in what it needs, or move the code to where it may be known`,
      )
    })

  /** Within ci, from the bottom up: each part may import those before it. Pipelines are rows and lists; what moves them is above their jobs. */
  const partsOfCi = [
    'config',
    'cron',
    'named_ref.ts',
    'commits.ts',
    'states.ts',
    'own.ts',
    'detailed_status.ts',
    'run_variables',
    'runners',
    'job_token_scope',
    'pipelines',
    'jobs',
    'runner_jobs',
    'agents',
    'resource_groups',
    'usage',
    'pipeline_processing',
    'commit_statuses',
    'artifacts',
    'plan_limits',
    'variables',
    'clusters',
    'job_variables',
    'status_badges',
    'traces',
    'reports',
    'pipeline_actions',
    'pipeline_creation',
    'lint',
    'downstream',
    'triggers',
    'schedules',
    'pushes',
    'runner_protocol',
  ].map(part => `ci/${part}`)

  test('a part of ci imports only the parts below it', () => {
    const inCi = shipped.filter(({ path }) => wingOf(path) === 'ci')
    assert.deepEqual([...new Set(inCi.map(({ path }) => partOf(path)))].sort(), [...partsOfCi].sort())
    const found = inCi.flatMap(({ path, imports }) =>
      imports
        .filter(other => wingOf(other) === 'ci' && partsOfCi.indexOf(partOf(other)) > partsOfCi.indexOf(partOf(path)))
        .map(other => `${path} imports ${other}`),
    )
    assertNothing(found, 'a part of ci imports one above it, in the order of `partsOfCi`. Move the code to where both are known')
  })

  test('the lists of endpoints alone import the endpoints of a resource, and the forms that show them', () => {
    const found = shipped
      // A form is an endpoint's declaration, shown: the portal has the forms.
      .filter(({ path }) => !lists.has(path) && !path.startsWith('src/portal/'))
      .flatMap(({ path, imports }) => imports.filter(isModule).map(other => `${path} imports ${other}`))
    assertNothing(found, 'a resource uses the entity, queries, commands and scope of another one, never its endpoints')
  })
})

describe('who writes', () => {
  /** Tables that more than one folder writes. May only shrink. */
  const shared: Readonly<Record<string, readonly string[]>> = {
    // A person's namespace is made and moved with the account.
    namespaces: ['identity/users', 'spaces/groups'],
    // A blocked user, or one with a new password, is signed out; using a session prolongs it.
    sessions: ['identity/sessions', 'identity/users', 'platform/access'],
    // Who asks is found, and the asking noted, in one place for all requests.
    oauth_access_tokens: ['identity/oauth', 'platform/access'],
    personal_access_tokens: ['platform/access', 'spaces/tokens'],
    users: ['identity/users', 'platform/access'],
  }

  test('each table is written by one folder (house rule "Never", 4)', () => {
    const writers = new Map<string, Set<string>>()
    for (const { path, text } of shipped)
      for (const match of text.matchAll(
        /(?:updateTable|insertInto|deleteFrom)\('(\w+)'\)|sql(?:<[^`]*>)?`\s*(?:update|insert into|delete from) (\w+)/g,
      )) {
        const table = (match[1] ?? match[2]) as string
        writers.set(table, (writers.get(table) ?? new Set()).add(partOf(path)))
      }
    const several = Object.fromEntries(
      [...writers].filter(([, folders]) => folders.size > 1).map(([table, folders]) => [table, [...folders].sort()]),
    )
    assert.deepEqual(
      several,
      shared,
      'you are here because a table is written by another folder than its own: call a command of the folder that owns it. If a line of `shared` is no longer true, remove it',
    )
  })

  test('rows are inserted as they were elsewhere by the folders that read archives alone', () => {
    const callers = shipped
      .filter(({ path, text }) => /\binsertRows(?:WithIds)?\(/.test(text) && !path.endsWith('/insert_rows.ts'))
      .map(({ path }) => partOf(path))
    assert.deepEqual([...new Set(callers)].sort(), [
      'integrations/archives',
      'integrations/group_archives',
      'integrations/project_archives',
    ])
  })
})

describe('who makes an actor', () => {
  /**
   * Where an actor is made otherwise than by `actingAs`, which looks the account up now and answers nothing for one that is not active. By file,
   * what it calls. May only shrink.
   */
  const makers: Readonly<Record<string, readonly string[]>> = {
    // The makers themselves.
    'src/platform/access/actor.ts': ['provenMachine', 'provenUser', 'asUser'],
    'src/platform/access/credentials/credentials.ts': ['provenUser', 'asUser'],
    // A credential that was proved before, looked up again: the caller judges the account.
    'src/platform/access/current_actor.ts': ['provenMachine', 'provenUser'],
    // Conditions in which the id of the user is left open; asked for active users alone.
    'src/platform/access/visible.ts': ['literal'],
    // Authentication: a credential was proved, and the account is active.
    'src/platform/kernel/request/authenticate.ts': ['provenUser'],
    'src/code/git_http/dialect.ts': ['provenUser'],
    'src/code/git_http/tokens.ts': ['provenMachine', 'provenUser'],
    'src/integrations/scim/dialect.ts': ['provenMachine'],
    'src/integrations/incoming_mail/service/dialect.ts': ['provenMachine'],
    // Whose mail it is: an account that is not active is refused in words of its own; and the support bot, whose account nobody can end.
    'src/integrations/incoming_mail/sender.ts': ['authorOf'],
    'src/integrations/service_desk/requests.ts': ['authorOf'],
    'src/platform/system/monitoring.ts': ['provenMachine'],
    'src/platform/pages/dialect.ts': ['provenUser'],
    'src/ci/triggers/fire.ts': ['provenUser'],
    // Notes about a push that was received carry the name of its author, and those about a merge that was given up the name of who asked for it.
    'src/review/merge_requests/merging/pushed/process.ts': ['authorOf'],
    'src/review/merge_requests/merging/auto_merge/auto_merge.ts': ['authorOf'],
    // Who an audit entry names, by id: no ability is asked about it.
    'src/platform/events/audit/entry.ts': ['literal'],
    // The operator of the machine, for the demo world and for questions.
    'src/server/cli/seed/seed.ts': ['asUser'],
    'src/server/cli/why.ts': ['asUser'],
  }

  test('an actor in the background is looked up now, by `actingAs`', () => {
    const found = Object.fromEntries(
      shipped.flatMap(({ path, text }) => {
        const calls = ['provenMachine', 'provenUser', 'asUser', 'authorOf'].filter(name => new RegExp(`\\b${name}(?: = )?\\(`).test(text))
        const isLiteral = /\.\.\.anonymous\b|\{[^{}]*\bsudoBy: (?!ActingUser)/.test(text) && path !== 'src/platform/access/actor.ts'
        const made = [
          ...calls.filter(name => name !== 'authorOf' || path !== 'src/platform/access/credentials/credentials.ts'),
          ...(isLiteral ? ['literal'] : []),
        ]
        return made.length === 0 ? [] : [[path, made]]
      }),
    )
    assert.deepEqual(
      found,
      makers,
      'you are here because an actor is made in a new place. In the background use `actingAs` of platform/access/credentials/credentials.ts, which finds active accounts alone. If a line of `makers` is no longer true, remove it',
    )
  })

  /** Files that read memberships which may have ended, and why they may. */
  const readsEnded: Record<string, string> = {
    // The level that a bot was given, also where it has ended.
    'src/spaces/tokens/queries.ts': 'botTokens',
  }

  test('whether a membership has ended is decided in access/memberships.ts', () => {
    const reading = /\b(?:from|join) (?:members|memberships)\b|(?:selectFrom|innerJoin|leftJoin)\('(?:members|memberships)\b/
    const own = 'src/platform/access/memberships.ts'
    const found = shipped.filter(({ path, text, imports }) => path !== own && reading.test(text) && !imports.includes(own))
    assert.deepEqual(
      found.map(({ path }) => path),
      Object.keys(readsEnded),
      'these files read memberships that may have ended. Narrow them by `isCurrentMembership`, or take levels by `highestLevel`',
    )
    assertNothing(
      shipped.filter(({ path, text }) => path !== own && /\bm(?:embers)?\.expires_at > /.test(text)).map(({ path }) => path),
      'these files decide themselves when a membership ends. Use `isCurrentMembership` of access/memberships.ts',
    )
  })

  /** Files that parse JSON of ours, of the operator, or in a thread of its own. */
  const parsesOwnJson = [
    'src/ci/reports/lines/json_elements.ts',
    'src/collaboration/notes/writing/authorship.ts',
    'src/delivery/signed_tokens/sign.ts',
    'src/delivery/sites/serving/sign_in.ts',
    'src/delivery/terraform_states/content.ts',
    'src/identity/providers/file.ts',
    'src/integrations/hooks/deliveries/entity.ts',
    'src/integrations/integration_deliveries/send.ts',
    'src/integrations/project_archives/exporting/write.ts',
    'src/integrations/scim/protocol/filter.ts',
    'src/platform/bounded_json.ts',
    'src/platform/config.ts',
    'src/platform/mail/outbox.ts',
    'src/platform/openpgp/signing.ts',
    'src/platform/pages/assets/files.ts',
    'src/platform/yaml/read.ts',
    'src/spaces/integration_settings/secrets.ts',
  ]

  test('JSON that others write is read by platform/bounded_json.ts', () => {
    const ours = /^src\/(?:server|runner|platform\/db|platform\/pages\/client)\//
    const found = shipped.filter(({ path, text }) => !ours.test(path) && !parsesOwnJson.includes(path) && text.includes('JSON.parse('))
    assertNothing(
      found.map(({ path }) => path),
      'these files parse JSON without bounds: a megabyte of `[` takes a second of the event loop. Use `parseJson` of platform/bounded_json.ts',
    )
  })

  test('whether a user is an administrator is decided by `isAdmin`, which knows of the state of the account', () => {
    const found = shipped.filter(
      ({ path, text }) => path !== 'src/platform/access/actor.ts' && /\b(?:actor|caller)\.user\??\.admin\b/.test(text),
    )
    assertNothing(
      found.map(({ path }) => path),
      'these files read `actor.user.admin`. Call `isAdmin(actor)` of access/actor.ts',
    )
  })
})

describe('endpoints', () => {
  test('every endpoint that a module declares is served', async () => {
    const modules = shipped.filter(({ path }) => isModule(path))
    assert.ok(modules.length > 5)
    const listed = shipped.filter(({ path }) => lists.has(path)).flatMap(({ imports }) => imports)
    assertNothing(
      modules.filter(({ path }) => !listed.includes(path)).map(({ path }) => path),
      'these modules are not in src/server/endpoints.ts or pages.ts, so nobody serves what they declare. Add a line for each',
    )
    const served = new Set(endpoints.map(endpoint => endpoint.route))
    for (const { path } of modules) {
      const exported = Object.values(await import(join(root, path))).flat(2)
      const declared = exported.filter(
        (value): value is { route: never } => typeof value === 'object' && value !== null && 'route' in value,
      )
      assertNothing(
        declared.filter(({ route }) => !served.has(route)).map(({ route }) => `${path}: ${route}`),
        'these endpoints are declared and not served. Add them to src/server/endpoints.ts',
      )
    }
  })

  test('whatever answers differences takes a slot for expensive work', () => {
    const answersDifferences = /\/(?:diffs?|raw_diffs|changes|compare|versions\/:version_id)$|\.(?:diff|patch)$/
    const found = endpoints.filter(({ method, path, cost }) => method === 'GET' && answersDifferences.test(path) && cost !== 'heavy')
    assertNothing(
      found.map(({ route }) => route),
      "many of these together keep all others waiting. Declare `cost: 'heavy'`",
    )
  })

  test('no two endpoints have one address', () => {
    const addresses = endpoints.map(({ method, dialect, path }) => `${method} ${dialect.prefix}${path}`)
    assertNothing(
      addresses.filter((address, index) => addresses.indexOf(address) !== index),
      'these addresses are declared twice',
    )
  })
})

describe('never', () => {
  test('transactions wait for their turn, so that work within them finds a connection', () => {
    // One lasts as long as a project is read; and what runs in `server` is alone, before the server starts or beside it.
    const exempt = new Set([
      'src/integrations/account_exports/task.ts',
      'src/integrations/group_archives/exporting/task.ts',
      'src/integrations/project_archives/exporting/task.ts',
      'src/platform/db/handles.ts',
    ])
    const found = shipped.filter(
      ({ path, text }) => !exempt.has(path) && !path.startsWith('src/server/') && /\.(?:transaction|startTransaction)\(\)/.test(text),
    )
    assertNothing(
      found.map(({ path }) => path),
      '`db.transaction()` is not counted among the transactions under way; use one of those of platform/db/transact.ts',
    )
  })

  test('the time is `ctx.now`, so that tests can set it (house rule "Never", 6)', () => {
    /** Time that no request sees: the clock itself, and the check of it, log lines, waiting for processes, windows of rate limits, the age of files of git, the runner's log. May only shrink. */
    const allowed = [
      'src/server/setup/',
      'src/server/doctor/',
      'src/platform/log.ts',
      'src/platform/db/',
      'src/platform/git/refs/loose-refs.ts',
      'src/platform/git/refs/state.ts',
      'src/platform/kernel/request/rate_limit.ts',
      'src/runner/',
    ]
    const found = shipped.filter(
      ({ path, text }) => /new Date\(\)|Date\.now\(\)/.test(text) && !allowed.some(prefix => path.startsWith(prefix)),
    )
    assertNothing(
      found.map(({ path }) => path),
      'these files ask the machine for the time. Take `now` from the context, or from `deps.now()`',
    )
  })

  test('a handler sees no reply (house rule "Never", 1)', () => {
    // The test bench answers with faults in place of endpoints; files of sites are no endpoints.
    const allowed = ['src/platform/kernel/', 'src/server/app.ts', 'src/server/testing/bench.ts', 'src/delivery/sites/serving/server.ts']
    const found = shipped.filter(
      ({ path, text }) => /\bFastifyReply\b|\breply\./.test(text) && !allowed.some(prefix => path.startsWith(prefix)),
    )
    assertNothing(
      found.map(({ path }) => path),
      'only the kernel answers. Return what `answers` declares, and throw a refusal of kernel/errors.ts for the rest',
    )
  })
})

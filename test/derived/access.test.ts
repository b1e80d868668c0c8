/**
 * Who may do what, tried out: the valid request of every endpoint by everybody, in a private and in a public place. The
 * table of the answers is test/golden/access.txt: changing who may do what is a visible difference there.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { assertGolden, committedGolden, isEntryWanted, isUpdating } from '../golden.ts'
import { parameters, parametersFor, pathFor, paths } from './examples.ts'
import { ROWS } from './making.ts'
import { attributesOf, rowsOf, titleOf } from './titles.ts'
import { addressFor, openWorld, personas, requestFor, visibilities } from './world.ts'

/** Endpoints whose example is meant to be refused for every sender. May only shrink. */
const alwaysRefused: readonly string[] = [
  // The examples ask no other server.
  'POST /import/github',
  // No project of the examples has a site.
  'GET /projects/:id/pages',
  // No commit is signed.
  'GET /projects/:id/repository/commits/:sha/signature',
  'GET /projects/:id/repository/tags/:tag_name/signature',
  // The examples have push rules, to be changed.
  'POST /projects/:id/push_rule',
  'POST /groups/:id/push_rule',
  'POST /admin/push_rule',
  // Only with the instance ID of a project.
  'GET /feature_flags/unleash/:project_id',
  'GET /feature_flags/unleash/:project_id/client/features',
  'GET /feature_flags/unleash/:project_id/features',
  'POST /feature_flags/unleash/:project_id/client/register',
  'POST /feature_flags/unleash/:project_id/client/metrics',
  // Only with the secret of a mail, of the program that hands mails over, or with the answer of a provider.
  'POST /users/password/edit',
  'POST /-/incoming_mail',
  'POST /users/auth/:provider/callback',
  // Only signed in in the browser.
  'PUT /user/email',
  // Only about tokens that OAuth gave.
  'GET /oauth/token/info',
  'GET /oauth/userinfo',
  'POST /oauth/userinfo',
  // Only where the instance has a directory.
  'POST /groups/:id/ldap_group_links',
  'GET /ldap/:provider/groups',
  // Only with the secret of a mail, or its signature.
  'POST /users/confirmation',
  'POST /users/unlock',
  // No project and no group has an archive.
  'GET /groups/:id/export/download',
  'GET /projects/:id/export/download',
  'GET /:project_path/download_export',
  // Only with a passkey.
  'POST /users/passkeys',
  // No account has two factors.
  'PATCH /users/:id/disable_two_factor',
  // No repository has a submodule.
  'PUT /projects/:id/repository/submodules/:submodule',
]

const world = await openWorld()

/** Every status by place, then by persona. */
async function statusesOf(endpoint: Endpoint): Promise<number[][]> {
  const statuses: number[][] = []
  const known = new Map<string, number>()
  for (const visibility of visibilities) {
    const row: number[] = []
    for (const persona of personas) {
      const request = requestFor(world, endpoint, persona, visibility)
      // What is not in a place is the same request twice.
      const key = JSON.stringify([persona, request.path, request.query, request.body])
      const status = known.get(key) ?? (await world.send(persona, request)).status
      known.set(key, status)
      row.push(status)
    }
    statuses.push(row)
  }
  return statuses
}

const committed = rowsOf(await committedGolden('access.txt'))
const written = new Set(committed.keys())

const results: { endpoint: Endpoint; statuses: number[][] }[] = []

/** Parameters that take an ability of their own, with a value that their thing does not have: a row of the table for each. */
const otherValues: Readonly<Record<string, unknown>> = {
  visibility: 'internal',
  path: 'elsewhere',
  emails_disabled: true,
}

/** The statuses of a request that gives one attribute and nothing else, by place, then by persona. */
async function statusesOfAttribute(endpoint: Endpoint, name: string): Promise<number[][]> {
  assert.ok(
    name in otherValues,
    `you are here because ${name} of ${endpoint.route} takes an ability of its own: add a value to \`otherValues\``,
  )
  const statuses: number[][] = []
  for (const visibility of visibilities) {
    const row: number[] = []
    for (const persona of personas) {
      const request = requestFor(world, endpoint, persona, visibility)
      row.push((await world.send(persona, { ...request, body: { ...request.body, [name]: otherValues[name] } })).status)
    }
    statuses.push(row)
  }
  return statuses
}

const taking = attributesOf(endpoints)
const attributes: { title: string; statuses: number[][] }[] = []

// Each is reported: a process that reports nothing for long is taken for one that hangs (silence.ts).
test('everybody sends the request of every endpoint', async t => {
  for (const endpoint of endpoints)
    if (isEntryWanted(titleOf(endpoint), written))
      await t.test(titleOf(endpoint), async () => void results.push({ endpoint, statuses: await statusesOf(endpoint) }))
  for (const { endpoint, name, title } of taking)
    if (isEntryWanted(title, written))
      await t.test(title, async () => void attributes.push({ title, statuses: await statusesOfAttribute(endpoint, name) }))
})

const isGood = (status: number) => status < 400

/** Of tests that compare no golden file: only some endpoints may have been tried. */
const whenComparing = { skip: isUpdating }

test('the table of access is what was looked at', async () => {
  const tried = new Map(
    [...results.map(({ endpoint, statuses }) => ({ title: titleOf(endpoint), statuses })), ...attributes].map(
      ({ title, statuses: [closed = [], open = []] }) => [
        title,
        personas.map((_, index) => (closed[index] === open[index] ? `${closed[index]}` : `${closed[index]}/${open[index]}`)),
      ],
    ),
  )
  const lines = [...endpoints.map(titleOf), ...taking.map(({ title }) => title)]
    .map(title => [title, ...(tried.get(title) ?? committed.get(title) ?? [])])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  await assertGolden('access.txt', table([['', ...personas], ...lines]))
})

function table(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)))
  const title = 'The status of the valid request of every endpoint, by who sends it; private/public place where they differ.\n\n'
  return (
    title +
    lines
      .map(
        line =>
          `${line
            .map((cell, column) => cell.padEnd(widths[column] ?? 0))
            .join('  ')
            .trimEnd()}\n`,
      )
      .join('')
  )
}

test('every endpoint has a caller who can use it', whenComparing, () => {
  const unusable = results.filter(({ statuses }) => !statuses.flat().some(isGood)).map(({ endpoint }) => endpoint.route)
  assert.deepEqual(
    unusable.filter(route => !alwaysRefused.includes(route)),
    [],
    'you are here because nobody got a good answer from these endpoints: give their required parameters `examples` that work, or a line in test/derived/examples.ts',
  )
  assert.deepEqual(
    alwaysRefused.filter(route => !unusable.some(other => other === route)),
    [],
    'these endpoints are no longer refused: remove them from `alwaysRefused`',
  )
})

test('a caller who may see less may never do more', whenComparing, () => {
  // In both places each role holds what the roles below it hold.
  const order = ['guest', 'reporter', 'developer', 'maintainer', 'owner', 'admin'] as const
  const surprising = results.flatMap(({ endpoint, statuses }) =>
    statuses.flatMap(row => {
      const good = order.map(persona => isGood(row[personas.indexOf(persona)] as number))
      return good.some((able, index) => able && good.slice(index).includes(false)) ? [endpoint.route] : []
    }),
  )
  assert.deepEqual(surprising, [])
})

test('an attribute that takes an ability of its own is for those who have it', whenComparing, () => {
  assert.ok(attributes.length > 0)
  for (const { title, statuses } of attributes)
    for (const row of statuses)
      for (const persona of ['outsider', 'external', 'guest', 'reporter', 'developer', 'maintainer', 'job'] as const) {
        const status = row[personas.indexOf(persona)] as number
        // Pages lead those without a session to the sign-in page.
        assert.ok([401, 403, 404, 302].includes(status), `${title}: ${persona} got ${status}`)
      }
})

/** Endpoints that a token among the parameters opens, for every sender. May only shrink. */
const openedByParameter: readonly string[] = [
  'POST /projects/:id/trigger/pipeline',
  // Its reference is in the path.
  'POST /projects/:id/ref/:ref/trigger/pipeline',
]

test('a private place does not exist for callers outside of it (document 1, Request conventions 6; decision 8)', whenComparing, () => {
  const outside = ['anonymous', 'outsider', 'external'] as const
  for (const { endpoint, statuses } of results) {
    if (!/^\/(projects|groups)\/:id/.test(endpoint.path) || openedByParameter.includes(endpoint.route)) continue
    for (const persona of outside) {
      const status = statuses[0]?.[personas.indexOf(persona)] as number
      assert.ok(status === 404 || (persona === 'anonymous' && status === 401), `${endpoint.route} answered ${persona}: ${status}`)
    }
  }
})

test('every exception among the examples is needed', whenComparing, async () => {
  const needless: string[] = []
  for (const route of new Set([...Object.keys(paths), ...Object.keys(parameters)])) {
    const endpoint = endpoints.find(candidate => candidate.route === route)
    assert.ok(endpoint, `test/derived/examples.ts has a line for ${route}, which does not exist: remove it`)
    const path = addressFor(endpoint, pathFor(world, endpoint, 'admin', 'private', false))
    const plain = parametersFor(world, endpoint, 'private', false)
    const sent = endpoint.method === 'GET' ? { query: plain as Record<string, string> } : { body: plain }
    const { status, body } = await world.send('admin', { dialect: endpoint.dialect, method: endpoint.method, path, ...sent })
    // A list may be there without its line, and too short to be measured (queries.test.ts).
    const isShort = endpoint.answers.kind === 'page' && body.length < ROWS
    if (isGood(status) && !isShort) needless.push(route)
  }
  assert.deepEqual(needless, [], 'these work without their line in test/derived/examples.ts: remove it')
})

/** `ingot/testing` as a project that installs the package has it: real servers, a client library, git. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Gitlab } from '@gitbeaker/rest'
import { newDirectory, runIngot, startIngot as startProgram } from '../cli/scene.ts'

// As `npm run build` makes it.
await import('./client/build.ts')
const { startIngot } = await import('ingot/testing')

const cwd = await newDirectory()
const worldFile = join(import.meta.dirname, 'world.yml')
const record = join(cwd, 'requests.jsonl')
const [server, other] = await Promise.all([startIngot({ world: worldFile, record }), startIngot({ world: worldFile })])
after(async () => {
  await Promise.all([server.stop(), other.stop()])
  await rm(cwd, { recursive: true, force: true })
})

const PROJECT = '/api/v4/projects/tools%2Fanvil'

const call = (path: string, { token = server.token, at = server.url, ...more }: { token?: string; at?: string } & RequestInit = {}) =>
  fetch(`${at}${path}`, { ...more, headers: { 'private-token': token, ...(more.body != null && { 'content-type': 'application/json' }) } })

const lists = [
  '',
  '/issues',
  '/issues/1/notes',
  '/merge_requests',
  '/pipelines',
  '/jobs',
  '/releases',
  '/labels',
  '/milestones',
  '/members',
  '/repository/branches',
  '/repository/tags',
  '/repository/commits?all=true',
]

/** What follows from chance, from the port, or from the time of day. */
const BY_CHANCE = new Set([
  'runners_token',
  'ssh_url_to_repo',
  'updated_at',
  'last_activity_at',
  'queued_duration',
  'duration',
  'container_registry_image_prefix',
  'collected_at',
  'evidences',
])

/** All that a world says, as its server shows it. */
async function shown(at: string, token: string): Promise<unknown[]> {
  const answers = await Promise.all(lists.map(list => call(`${PROJECT}${list}`, { at, token })))
  const texts = await Promise.all(answers.map(answer => answer.text()))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  return texts.map(text => JSON.parse(text.replaceAll(at, ''), (key, value) => (BY_CHANCE.has(key) ? undefined : value)))
}

const ids = (list: unknown): unknown[] => (list as { id: unknown }[]).map(({ id }) => id)

test('a world is what its file says, and the same on each server', async () => {
  const [one, two] = await Promise.all([shown(server.url, server.token), shown(other.url, other.token)])

  assert.deepEqual(one, two)
  const [, issues, , proposals, pipelines] = one as { iid: number; state: string; status: string; created_at: string }[][]
  assert.deepEqual(
    issues?.map(({ iid, state }) => [iid, state]),
    [
      [2, 'closed'],
      [1, 'opened'],
    ],
  )
  assert.deepEqual(
    proposals?.map(({ iid, state }) => [iid, state]),
    [
      [2, 'opened'],
      [1, 'merged'],
    ],
  )
  assert.deepEqual(
    pipelines?.map(({ status }) => status),
    ['success', 'running', 'failed'],
  )
  assert.equal(issues?.[1]?.created_at, '2026-03-02T09:00:16.000Z')
})

test('people have the tokens and passwords of the file, and roles', async () => {
  assert.equal(server.people.ada?.token, 'token-of-ada-0123456789')
  const me = await (await call('/api/v4/user', { token: 'token-of-grace-0123456789' })).json()
  const signIn = new URLSearchParams({ grant_type: 'password', username: 'ada', password: 'correct horse battery' })
  const signedIn = await fetch(`${server.url}/oauth/token`, { method: 'POST', body: signIn })
  const settings = await call(PROJECT, { token: 'token-of-grace-0123456789', method: 'PUT', body: '{"description":"Hers"}' })

  assert.equal((me as { username: string }).username, 'grace')
  assert.equal(signedIn.status, 200)
  assert.equal(settings.status, 403)
})

test('what a client library and git change is gone after a reset, and ids begin again', async () => {
  const before = await shown(server.url, server.token)
  const api = new Gitlab({ host: server.url, token: server.token })
  const clone = join(cwd, 'clone')
  const git = (...args: string[]) =>
    promisify(execFile)('git', ['-C', clone, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args])
  const change = async () => {
    const issue = await api.Issues.create('tools/anvil', 'Made by a library', { labels: 'new' })
    await api.Issues.edit('tools/anvil', 1, { stateEvent: 'close' })
    await promisify(execFile)('git', [
      'clone',
      '-q',
      server.url.replace('//', `//ada:${server.people.ada?.token}@`).concat('/tools/anvil.git'),
      clone,
    ])
    await git('commit', '-q', '--allow-empty', '-m', 'Nothing')
    await git('push', '-q', 'origin', 'HEAD:main', 'HEAD:refs/heads/new')
    await api.Branches.remove('tools/anvil', 'tongs')
    const made = await api.Projects.create({ name: 'Another', initializeWithReadme: true })
    await api.Projects.remove('grace/notes')
    await rm(clone, { recursive: true })
    return [issue.id, issue.iid, made.id]
  }

  const first = await change()
  assert.notDeepEqual(await shown(server.url, server.token), before)
  await server.reset()
  assert.deepEqual(await shown(server.url, server.token), before)
  const notes = await call('/api/v4/projects/grace%2Fnotes/repository/files/a.txt/raw?ref=main')
  assert.deepEqual([notes.status, await notes.text()], [200, 'a'])
  assert.deepEqual(await change(), first)
  await server.reset()
  assert.deepEqual(await shown(server.url, server.token), before)
})

test('resets come one after the other, also while clients work', async () => {
  const path = '/api/v4/projects/tools%2Fanvil/issues'
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      ...[1, 2, 3].map(n => call(path, { method: 'POST', body: JSON.stringify({ title: `Issue ${n}` }) })),
      server.reset(),
    ])
    assert.deepEqual(
      answers.slice(0, 3).map(answer => answer?.status),
      [201, 201, 201],
    )
  }
  await server.reset()
  assert.deepEqual(ids(await (await call(path)).json()), [2, 1])
})

test('requests are remembered without secrets, in memory and in the file', async () => {
  await server.reset()
  await call(`${PROJECT}/issues?per_page=5&private_token=${server.token}`)
  await call(`${PROJECT}/issues`, {
    method: 'POST',
    token: 'token-of-ada-0123456789',
    body: JSON.stringify({ title: 'Very secret', labels: ['a'], weight: 2 }),
  })
  await fetch(`${server.url}/api/v4/projects/absent`)

  const expected = [
    {
      method: 'GET',
      path: `${PROJECT}/issues`,
      query: { per_page: '5', private_token: '[masked]' },
      status: 200,
      body: null,
      user: 'root',
      fault: false,
    },
    {
      method: 'POST',
      path: `${PROJECT}/issues`,
      query: {},
      status: 201,
      body: { title: 'string', labels: ['string'], weight: 'number' },
      user: 'ada',
      fault: false,
    },
    { method: 'GET', path: '/api/v4/projects/absent', query: {}, status: 404, body: null, user: null, fault: false },
  ]
  assert.deepEqual(await server.requests(), expected)
  const text = await readFile(record, 'utf8')
  assert.deepEqual(
    text
      .trimEnd()
      .split('\n')
      .slice(-3)
      .map(line => JSON.parse(line)),
    expected,
  )
  assert.ok(!text.includes(server.token) && !text.includes('Very secret'))
  await server.reset()
  assert.deepEqual(await server.requests(), [])
})

test('the next answers of a path are faults, and then its own again', async () => {
  const path = `${PROJECT}/issues`
  await server.fail('/api/v4/projects/*/issues', { status: 429, retryAfter: 7, times: 2, method: 'GET' })
  await server.fail('/api/v4/user', { cut: true })
  await server.fail('/api/v4/version', { delay: 150 })
  await server.fail('/tools/**', { status: 500 })

  const limited = await call(path)
  const made = await call(path, { method: 'POST', body: '{"title":"While others fail"}' })
  const again = await call(path)
  const after = await call(path)
  assert.deepEqual([limited.status, limited.headers.get('retry-after'), made.status, again.status, after.status], [429, '7', 201, 429, 200])
  assert.deepEqual(await limited.json(), { message: '429 Fault on demand' })
  await assert.rejects(call('/api/v4/user'))
  assert.equal((await call('/api/v4/user')).status, 200)
  const begun = performance.now()
  assert.equal((await call('/api/v4/version')).status, 200)
  assert.ok(performance.now() - begun >= 145)
  const cloned = promisify(execFile)('git', ['clone', '-q', `${server.url}/tools/anvil.git`, join(cwd, 'none')])
  await assert.rejects(cloned, /500/)
  const faults = (await server.requests()).filter(({ fault }) => fault).map(({ path: at, status }) => [at, status])
  assert.deepEqual(faults.slice(0, 3), [
    [path, 429],
    [path, 429],
    ['/api/v4/user', null],
  ])

  await server.fail('/**', { status: 503, times: 100 })
  assert.equal((await call(path)).status, 503)
  await server.clearFaults()
  assert.equal((await call(path)).status, 200)
})

test('administrators alone use the test bench, and only faults that mean something are taken', async () => {
  const faults = '/-/testing/faults'
  const post = (body: object, token = server.token) => call(faults, { method: 'POST', body: JSON.stringify(body), token })
  const statuses = [
    (await fetch(`${server.url}${faults}`)).status,
    (await call(faults, { token: 'token-of-ada-0123456789' })).status,
    (await call('/-/testing/reset', { token: 'token-of-ada-0123456789', method: 'POST' })).status,
    (await call(faults)).status,
    (await post({ path: '/api' })).status,
    (await post({ path: '/api', status: 200 })).status,
    (await post({ path: 'api', status: 500 })).status,
    (await post({ path: '/api', cut: true, status: 500 })).status,
    (await post({ path: '/api', delay: 5, retry_after: 1 })).status,
    (await post({ status: 500 })).status,
  ]

  assert.deepEqual(statuses, [401, 403, 403, 200, 400, 400, 400, 400, 400, 400])
  assert.deepEqual(await (await call(faults)).json(), [])
})

test('a server with data that last has no test bench', async () => {
  const lasting = await startProgram(['--data-dir', join(cwd, 'data')], { cwd })
  try {
    const headers = { 'private-token': lasting.token as string }
    for (const [method, path] of [
      ['POST', 'reset'],
      ['GET', 'requests'],
      ['POST', 'faults'],
      ['DELETE', 'faults'],
    ])
      assert.equal((await fetch(`${lasting.url}/-/testing/${path}`, { method: method as string, headers })).status, 404)
  } finally {
    await lasting.end('SIGTERM')
  }
  const refusals = await Promise.all(
    [
      ['--world', worldFile],
      ['--record', 'a'],
      // Neither may find the port in use by the other, which is looked at first.
    ].map(args => runIngot(['start', '--port', '0', ...args], { cwd })),
  )
  assert.deepEqual(
    refusals.map(({ code, stderr }) => [code, stderr]),
    [
      [2, 'ingot: --world is for --ephemeral alone\n'],
      [2, 'ingot: --record is for --ephemeral alone\n'],
    ],
  )
})

test('a wrong world ends the start with a message that names the line', async () => {
  const typo = startIngot({ world: { people: [{ username: 'ada', pasword: 'x' } as never] } })
  const refused = startIngot({ world: { projects: [{ path: 'root/a', merge_requests: [{ title: 'A', source: 'absent' }] }] } })

  await assert.rejects(typo, /world\.json:5: people\[0\]\.pasword is not known here/)
  await assert.rejects(refused, /world\.json:6: projects\[0\]\.merge_requests\[0\]: POST .* answered 400/)
})

test('the schema is printed, and files are checked without a server', async () => {
  const [schema, checked, wrong] = await Promise.all([
    runIngot(['world', 'schema'], { cwd }),
    runIngot(['world', 'check', worldFile], { cwd }),
    runIngot(['world', 'check', 'absent.yml'], { cwd }),
  ])

  assert.equal((JSON.parse(schema.stdout) as { title: string }).title, 'A world for tests')
  assert.match(checked.stdout, /world\.yml is a world of 3 people, 2 groups and 2 projects\n$/)
  assert.deepEqual([wrong.code, wrong.stderr], [2, 'ingot: --world: cannot read absent.yml (ENOENT)\n'])
})

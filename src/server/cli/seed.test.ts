import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { newDirectory, runIngot, startIngot } from './scene.ts'
import { UNFINISHED } from './seed/team/story.ts'
import { sizes, worldOf } from './seed/world.ts'

const TOKEN = 'given-token-0123456789'

const cwd = await newDirectory()
after(() => rm(cwd, { recursive: true, force: true }))

test('the demo world is made once, also while a server runs, and is the same everywhere; why says who may do what in it', async () => {
  // Where a server runs already, its worker makes the pipelines, with the time of day.
  const first = await runIngot(['seed', '--size', 'small', '--data-dir', 'data'], { cwd, env: { INGOT_ROOT_TOKEN: TOKEN } })
  const ingot = await startIngot(['--data-dir', 'data'], { cwd })
  try {
    const again = await runIngot(['seed', '--size', 'small', '--data-dir', 'data'], { cwd })
    const project = 'demo-division-1/region-1/site-1/department-1/team-1/squad-1/archive-6'
    const reasons = await Promise.all(
      [
        ['demo-1', 'push_code', project],
        ['anonymous', 'read_project', project],
        ['anonymous', 'push_code', project],
        ['demo-1', 'admin_group', 'demo-division-1'],
        ['demo-1', 'update_own', 'demo-2'],
        ['demo-1', 'fly', project],
      ].map(question => runIngot(['why', ...question, '--data-dir', 'data'], { cwd })),
    )
    const get = async (path: string) => (await fetch(`${ingot.url}/api/v4${path}`)).json()
    const headers = { 'private-token': TOKEN }
    const counted = async (path: string) =>
      (await fetch(`${ingot.url}/api/v4/projects/demo-team%2Fbeacon${path}`, { headers })).headers.get('x-total')
    const counts = {
      open: await counted('/issues?state=opened'),
      closed: await counted('/issues?state=closed'),
      merged: await counted('/merge_requests?state=merged'),
      red: await counted('/pipelines?status=failed'),
      green: await counted('/pipelines?status=success'),
      deployed: await counted('/deployments?status=success'),
      releases: await counted('/releases'),
    }
    assert.deepEqual(counts, { open: '4', closed: '4', merged: '3', red: '2', green: '9', deployed: '2', releases: '2' })
    const pipelines = (await get('/projects/demo-team%2Fbeacon/pipelines?sort=asc')) as { created_at: string }[]
    const age = Date.now() - Date.parse(pipelines[0]?.created_at as string)
    assert.ok(age > 20 * 24 * 60 * 60 * 1000, 'the first pipeline is weeks old')
    const commits = (await get(`/projects/${encodeURIComponent(project)}/repository/commits`)) as {
      id: string
      title: string
    }[]

    assert.deepEqual([first.code, first.stderr], [0, ''])
    const said =
      /^The demo world has 10 people, 7 groups and 7 projects; 23 of these are new\nLook at demo-team\/beacon for .*\nSign in as demo-1 to demo-10 with the password (\S{20})\n$/
    const password = said.exec(first.stdout)?.[1] as string
    assert.match(again.stdout, /; 0 of these are new\nLook at .*\n$/)
    const form = new URLSearchParams({ grant_type: 'password', username: 'demo-3', password })
    assert.equal((await fetch(`${ingot.url}/oauth/token`, { method: 'POST', body: form })).status, 200)
    assert.deepEqual(
      commits.map(({ title }) => title),
      ['Add step 4', 'Add step 3', 'Add step 2', 'Begin the archive'],
    )
    assert.deepEqual(
      reasons.map(({ stdout, stderr }) => (stdout + stderr).trimEnd().split('\n').at(-1)),
      [
        'yes',
        'yes',
        'no: 403, or 401 without credentials',
        'yes',
        'no: 403, or 401 without credentials',
        'ingot: there is no ability "fly": see the handbook, “Permissions”',
      ],
    )
    assert.match(
      reasons[0]?.stdout ?? '',
      /^push_code: Members of the project with the role Developer or a higher one\n[\s\S]*\n {2}on: project\n {2}role: Owner\n {2}visibility: public\n {2}archived: no\n/,
    )
    assert.equal(commits[0]?.id, '18b3ff6f43040274b801344163b1302b977b7851')
  } finally {
    await ingot.end('SIGTERM')
  }
})

test('runners of the instance take no part in the demo world, and one that was left unfinished is named', async () => {
  const data = ['--data-dir', 'with-runner']
  const ingot = await startIngot([...data, '--ssh-port', 'off', '--builtin-runner'], { cwd, env: { INGOT_ROOT_TOKEN: TOKEN } })
  try {
    const headers = { 'private-token': TOKEN }
    const get = async (path: string) => (await fetch(`${ingot.url}/api/v4${path}`, { headers })).json()

    const seeded = await runIngot(['seed', '--size', 'small', ...data], { cwd })

    assert.deepEqual([seeded.code, seeded.stderr], [0, ''])
    const pipelines = (await get('/projects/demo-team%2Fbeacon/pipelines?per_page=100')) as { status: string }[]
    const ended = (status: string) => pipelines.filter(pipeline => pipeline.status === status).length
    assert.deepEqual([ended('failed'), ended('success')], [2, 9])
    const { shared_runners_enabled } = (await get('/projects/demo-team%2Fbeacon')) as { shared_runners_enabled: boolean }
    assert.equal(shared_runners_enabled, true)

    const left = new URLSearchParams({ description: UNFINISHED })
    assert.equal((await fetch(`${ingot.url}/api/v4/groups/demo-team`, { method: 'PUT', headers, body: left })).status, 200)
    const again = await runIngot(['seed', '--size', 'small', ...data], { cwd })
    assert.deepEqual([again.code, again.stdout], [1, ''])
    assert.match(again.stderr, /^ingot: an earlier run has left the group demo-team unfinished: delete it, and run this again\n$/)
  } finally {
    await ingot.end('SIGTERM')
  }
})

test('the large world holds the small one', () => {
  const [small, large] = [worldOf(sizes.small), worldOf(sizes.large)]

  assert.deepEqual(large.people.slice(0, small.people.length), small.people)
  assert.deepEqual(worldOf(sizes.small), small)
})

test('groups hang six levels deep, each below one that was made before it', () => {
  const { groups } = worldOf(sizes.large)

  const depths = groups.map(({ full_path }) => full_path.split('/').length)

  assert.equal(Math.max(...depths), 6)
  for (const [index, { parent }] of groups.entries())
    assert.ok(parent === undefined || groups.slice(0, index).some(({ full_path }) => full_path === parent), `${index}`)
})

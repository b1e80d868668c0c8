import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { longPollsOf } from '../runner_protocol/assignment/long_polls.ts'
import { info, jobIn, registered, registrationToken, runnerWith } from '../runner_protocol/scene.ts'
import { isOnline, runnerContactOf, runnerStatusOf } from './summary.ts'

const scene = await openScene()
const configured = await openScene({ settings: { runnersRegistrationToken: 'registration-token' } })

const ids = (answer: { body: { id: number }[] }) => answer.body.map(({ id }) => id)

test('what a runner is follows from whether it may run jobs and when it last asked', () => {
  const now = new Date('2021-06-01T12:00:00Z')
  for (const [active, contacted_at, status, online] of [
    [true, '2021-06-01T11:59:00Z', 'online', true],
    [true, '2021-06-01T10:00:00Z', 'offline', false],
    [true, null, 'not_connected', false],
    [false, '2021-06-01T11:59:00Z', 'paused', true],
  ] as const)
    assert.deepEqual([runnerStatusOf({ active, contacted_at }, now), isOnline({ contacted_at }, now)], [status, online])
})

test('a runner is shown to users who manage it, with the facts that it reported and without its token (runners API at 14.0)', async () => {
  const { group, owner } = await scene.group()
  const { project, developer } = await scene.project({ group, members: ['developer'] })
  const runner = await registered(
    scene,
    { project },
    { description: 'shed', tag_list: ['ruby', 'linux'], maximum_timeout: 3600, locked: true },
  )

  const shown = await owner.get(`/runners/${runner.id}`)

  const { contacted_at, ...rest } = shown.body
  assert.equal(contacted_at, null)
  assert.deepEqual(
    [shown.status, rest],
    [
      200,
      {
        id: runner.id,
        description: 'shed',
        ip_address: '127.0.0.1',
        active: true,
        paused: false,
        is_shared: false,
        runner_type: 'project_type',
        name: 'gitlab-runner',
        online: false,
        status: 'not_connected',
        tag_list: ['ruby', 'linux'],
        run_untagged: true,
        locked: true,
        maximum_timeout: 3600,
        access_level: 'not_protected',
        version: '14.0.0',
        revision: '3b6f852e',
        platform: 'linux',
        architecture: 'amd64',
        projects: [
          {
            id: project.id,
            name: project.name,
            name_with_namespace: `${group.name} / ${project.name}`,
            path: project.path,
            path_with_namespace: project.full_path,
          },
        ],
        groups: [],
      },
    ],
  )
  await runner.ask()
  assert.deepEqual([(await owner.get(`/runners/${runner.id}`)).body.status], ['online'])
  assert.deepEqual(await developer.get(`/runners/${runner.id}`), { status: 404, body: { message: '404 Runner Not Found' } })
})

test('runners of the instance are everybody`s to see and administrators` to change', async () => {
  const person = await scene.user()
  const { id } = await registered(scene)

  const answers = [
    await person.get(`/runners/${id}`),
    await person.put(`/runners/${id}`, { active: false }),
    await person.delete(`/runners/${id}`),
  ]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 403, 403],
  )
  assert.equal((await scene.root.put(`/runners/${id}`, { paused: true })).body.active, false)
  assert.equal((await scene.root.delete(`/runners/${id}`)).status, 204)
  assert.equal((await person.get(`/runners/${id}`)).status, 404)
})

test('a runner is changed by its managers; one that could run nothing is refused', async () => {
  const { project, owner } = await scene.project()
  const { id } = await registered(scene, { project })
  const changes = {
    description: 'new',
    tag_list: 'a,b,a',
    run_untagged: false,
    access_level: 'ref_protected',
    maximum_timeout: 600,
    active: false,
  }

  const { status, body } = await owner.put(`/runners/${id}`, changes)

  assert.equal(status, 200)
  const { description, tag_list, run_untagged, access_level, maximum_timeout, active } = body
  assert.deepEqual({ description, tag_list, run_untagged, access_level, maximum_timeout, active }, { ...changes, tag_list: ['a', 'b'] })
  const without = await owner.put(`/runners/${id}`, { tag_list: '' })
  assert.deepEqual(without, {
    status: 400,
    body: { message: { tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] } },
  })
  assert.equal((await owner.put(`/runners/${id}`, { maximum_timeout: 0 })).body.maximum_timeout, null)
})

test('a runner without contact for three months is stale, whether or not it ever made contact', async () => {
  const now = new Date('2021-06-30T12:00:00Z')
  for (const [contacted_at, created_at, contact] of [
    ['2021-06-30T11:00:00Z', '2020-01-01T00:00:00Z', 'online'],
    ['2021-06-30T09:00:00Z', '2020-01-01T00:00:00Z', 'offline'],
    ['2021-03-30T12:00:00Z', '2020-01-01T00:00:00Z', 'stale'],
    [null, '2021-06-01T00:00:00Z', 'never_contacted'],
    [null, '2021-03-01T00:00:00Z', 'stale'],
  ] as const)
    assert.equal(runnerContactOf({ contacted_at, created_at }, now), contact, `${contacted_at} ${created_at}`)
})

test('lists are narrowed to runners that are stale, or that never made contact', async () => {
  const { project, owner } = await scene.project()
  const { db } = scene.deps.database
  const old = new Date(Date.now() - 100 * 86_400_000)
  const [gone, silent, fresh] = [
    await registered(scene, { project }),
    await registered(scene, { project }),
    await registered(scene, { project }),
  ]
  await db.updateTable('runners').set({ contacted_at: old }).where('id', '=', gone.id).execute()
  await db.updateTable('runners').set({ contacted_at: null, created_at: old }).where('id', '=', silent.id).execute()
  await db.updateTable('runners').set({ contacted_at: null }).where('id', '=', fresh.id).execute()
  const list = async (status: string) => {
    const { body } = await owner.get(`${project.url}/runners`, { status })
    return (body as { id: number }[]).map(({ id }) => id)
  }

  assert.deepEqual(await list('stale'), [silent.id, gone.id])
  assert.deepEqual(await list('never_contacted'), [fresh.id, silent.id])
  assert.deepEqual(await list('offline'), [gone.id])
})

test('people list the runners that they manage, administrators all; by type, status, tags and the older scope', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group })
  const one = await registered(scene, { project }, { tag_list: 'ruby,linux' })
  const two = await registered(scene, { group }, { active: false })
  const shared = await registered(scene)
  await one.ask()
  const list = async (query: string) => ids(await owner.get(`/runners${query}`))

  assert.deepEqual(await list(''), [two.id, one.id])
  assert.deepEqual(await list('?type=group_type'), [two.id])
  assert.deepEqual(
    [await list('?status=paused'), await list('?status=active'), await list('?status=online')],
    [[two.id], [one.id], [one.id]],
  )
  assert.deepEqual([await list('?status=not_connected'), await list('?status=offline')], [[two.id], []])
  assert.deepEqual(
    [await list('?paused=true'), await list('?tag_list=ruby'), await list('?tag_list=ruby,windows')],
    [[two.id], [one.id], []],
  )
  assert.deepEqual([await list('?scope=paused'), await list('?scope=online')], [[two.id], [one.id]])
  assert.equal((await owner.get('/runners?scope=shared')).status, 400)
  assert.equal((await owner.get('/runners/all')).status, 403)
  const all = ids(await scene.root.get('/runners/all?per_page=100'))
  assert.ok([one, two, shared].every(({ id }) => all.includes(id)))
  const specific = ids(await scene.root.get('/runners/all?per_page=100&scope=specific'))
  assert.deepEqual([specific.includes(one.id), specific.includes(shared.id)], [true, false])
})

test('a project lists what it can use: its own, those of the groups above, and those of the instance where it shares them', async () => {
  const { group, owner } = await scene.group()
  const { project, developer } = await scene.project({ group, members: ['developer'] })
  const own = await registered(scene, { project })
  const above = await registered(scene, { group })
  const shared = await registered(scene)

  const open = ids(await owner.get(`${project.url}/runners?per_page=100`))
  await owner.put(project.url, { shared_runners_enabled: false })
  const closed = ids(await owner.get(`${project.url}/runners`))

  assert.ok([own, above, shared].every(({ id }) => open.includes(id)))
  assert.deepEqual(closed, [above.id, own.id])
  assert.equal((await developer.get(`${project.url}/runners`)).status, 403)
  assert.deepEqual(ids(await owner.get(`${group.url}/runners?type=group_type`)), [above.id])
})

test('a runner is given to a further project and taken from it; not a locked one, one of a group, or from its last project', async () => {
  const { project, owner } = await scene.project()
  const { project: other } = await scene.project({ owner })
  const { project: foreign } = await scene.project()
  const { group } = await scene.group({ owner })
  const runner = await registered(scene, { project })
  const locked = await registered(scene, { project }, { locked: true })
  const ofGroup = await registered(scene, { group })
  const unknown = await registered(scene, { project: foreign })
  const give = (runner_id: number) => owner.post(`${other.url}/runners`, { runner_id })

  const given = await give(runner.id)

  assert.deepEqual([given.status, given.body.id], [201, runner.id])
  await jobIn(scene, other)
  assert.equal((await runner.ask()).status, 201)
  assert.deepEqual([(await give(runner.id)).status, (await give(locked.id)).status, (await give(ofGroup.id)).status], [400, 403, 403])
  assert.equal((await give(unknown.id)).status, 404)
  assert.equal((await owner.delete(`/runners/${runner.id}`)).status, 403, 'others have it too')
  assert.equal((await owner.delete(`${other.url}/runners/${runner.id}`)).status, 204)
  assert.equal((await owner.delete(`${other.url}/runners/${runner.id}`)).status, 404)
  assert.equal((await owner.delete(`${project.url}/runners/${runner.id}`)).status, 403, 'it would have none')
})

test('the jobs of a runner are listed by status and in either order, as far as the reader may read them', async () => {
  const { project, owner } = await scene.project()
  const runner = await registered(scene, { project })
  const taken: number[] = []
  for (const status of ['success', 'failed', 'running'] as const)
    taken.push((await jobIn(scene, project, { status, runner_id: runner.id })).id)
  const url = `/runners/${runner.id}/jobs`

  const all = await owner.get(url)

  assert.deepEqual(ids(all), taken.toReversed())
  assert.equal(all.body[0].project.path_with_namespace, project.full_path)
  assert.deepEqual(ids(await owner.get(`${url}?sort=asc&order_by=id`)), taken)
  assert.deepEqual(ids(await owner.get(`${url}?status=failed`)), [taken[1]])
  assert.equal((await owner.get(`${url}?status=pending`)).status, 400)
})

test('a person makes a runner whose token is verified instead of registered (c.7)', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const input = { runner_type: 'project_type', project_id: project.id, description: 'new', tag_list: 'a' }

  const { status, body } = await owner.post('/user/runners', input)

  assert.equal(status, 201)
  assert.match(body.token, /^glrt-[A-Za-z0-9_-]{20}$/)
  const verified = await scene.anonymous.post('/runners/verify', { token: body.token, info, system_id: 's_1' })
  assert.deepEqual(verified.body, { id: body.id, token: body.token, token_expires_at: null })
  const { id } = await jobIn(scene, project, { tags: ['a'] })
  assert.equal((await runnerWith(scene.anonymous, body).ask()).body.id, id)
  assert.deepEqual(
    [await developer.post('/user/runners', input), await owner.post('/user/runners', { runner_type: 'instance_type' })].map(
      answer => answer.status,
    ),
    [403, 403],
  )
  assert.deepEqual((await owner.post('/user/runners', { runner_type: 'group_type' })).body, {
    message: '400 (Bad request) "group_id" not given',
  })
})

test('tokens are replaced: the former one opens nothing, what registered with it goes on', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group })
  for (const [place, url] of [
    [{ group }, group.url],
    [{ project }, project.url],
  ] as const) {
    const former = await registrationToken(scene, place)
    const runner = await registered(scene, place)
    const reset = await owner.post(`${url}/runners/reset_registration_token`)
    assert.equal(reset.status, 201)
    assert.deepEqual(
      [await scene.anonymous.post('/runners', { token: former }), await scene.anonymous.post('/runners', { token: reset.body.token })].map(
        a => a.status,
      ),
      [403, 201],
    )
    const own = await owner.post(`/runners/${runner.id}/reset_authentication_token`)
    assert.deepEqual([own.status, (await runner.ask()).status], [201, 403])
    const byItself = await scene.anonymous.post('/runners/reset_authentication_token', { token: own.body.token })
    assert.equal((await runnerWith(scene.anonymous, byItself.body).ask()).status, 204)
  }
})

test('who manages a runner by a project that it was given to neither gets its token nor opens it to more jobs', async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  const { project: other } = await scene.project({ owner: maintainer })
  const runner = await registered(scene, { project }, { access_level: 'ref_protected', tag_list: 'deploy,metal', run_untagged: false })
  const url = `/runners/${runner.id}`
  const reset = (person: typeof owner) => person.post(`${url}/reset_authentication_token`)
  assert.equal((await maintainer.post(`${other.url}/runners`, { runner_id: runner.id })).status, 201)
  assert.equal((await maintainer.put(url, { locked: true })).status, 200)
  assert.equal((await owner.delete(`${project.url}/members/${maintainer.id}`)).status, 204)

  const refused = { status: 403, body: { message: '403 Forbidden - Runner associated with more than one project' } }
  assert.deepEqual(await reset(maintainer), refused)
  assert.deepEqual(await maintainer.put(url, { access_level: 'not_protected' }), refused)
  assert.deepEqual(await maintainer.put(url, { locked: false }), refused)
  assert.deepEqual(await maintainer.put(url, { run_untagged: true }), refused)
  assert.deepEqual(await maintainer.put(url, { tag_list: 'deploy,linux' }), refused)
  assert.equal((await maintainer.put(url, { tag_list: 'deploy' })).status, 200)
  assert.equal((await maintainer.put(url, { description: 'shed', access_level: 'ref_protected', locked: true })).status, 200)
  assert.equal((await runner.ask()).status, 204, 'its token is what it was')
  assert.equal((await owner.put(url, { access_level: 'not_protected' })).status, 200)
  assert.equal((await reset(owner)).status, 201, 'it was made for their project')
  assert.equal((await owner.delete(`${project.url}/runners/${runner.id}`)).status, 204)
  assert.equal((await reset(maintainer)).status, 201, 'it serves their own project alone')
})

test('the token of the instance can be configured: it counts, and is not replaced', async () => {
  const registered = await configured.anonymous.post('/runners', { token: 'registration-token', info })
  const reset = await configured.root.post('/runners/reset_registration_token')

  assert.deepEqual([registered.status, reset.status], [201, 400])
  assert.equal((await configured.root.get(`/runners/${registered.body.id}`)).body.runner_type, 'instance_type')
})

test('when a runner last asked is kept to the minute, so that asking costs no write', async () => {
  const { project } = await scene.project()
  const runner = await registered(scene, { project })
  const contacted = async () => (await scene.root.get(`/runners/${runner.id}`)).body.contacted_at
  scene.setTime('2030-01-01T00:00:00Z')
  await runner.ask()
  const first = await contacted()
  scene.setTime('2030-01-01T00:00:59Z')
  await runner.ask()
  const second = await contacted()
  scene.setTime('2030-01-01T00:01:00Z')
  await runner.ask()
  // Who is known is written down with others, once a minute.
  await longPollsOf(scene.deps).known.write()
  const third = await contacted()
  scene.setTime(undefined)

  assert.deepEqual([first, second, third], ['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z', '2030-01-01T00:01:00.000Z'])
})

/** Pull mirrors, with real git over HTTP from another project of the instance. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { dumbGitServer } from '../../../../test/dumb_git_server.ts'
import { openScene, type SceneProject } from '../../../../test/scene.ts'
import { importProject } from '../../../code/imports/task.ts'
import { recordedEvents } from '../../../platform/events/recorded.ts'
import { deliver } from '../../../server/listeners.ts'
import { pullDueMirrors } from './commands.ts'
import { pullMirror } from './update.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { db } = scene.deps.database
const host = new URL(scene.url).host
const owner = await scene.user()
const addressOf = ({ full_path }: SceneProject, token = owner.token) => `http://oauth2:${token}@${host}/${full_path}.git`

let count = 0
/** A project with a commit, and one that pulls from it, after its import. */
async function mirrored(attributes: Record<string, unknown> = {}) {
  const { project: source } = await scene.project({ owner })
  await scene.commit(source, { 'README.md': 'One', '.gitlab-ci.yml': 'job: { script: [make] }' })
  const made = await owner.post('/projects', { name: `Pulling ${++count}`, import_url: addressOf(source), mirror: true, ...attributes })
  assert.deepEqual([made.status, made.body.mirror, made.body.mirror_user_id], [201, true, owner.id], JSON.stringify(made.body))
  const project = { ...made.body, url: `/projects/${made.body.id}` } as SceneProject
  await importProject(scene.deps, { project_id: project.id })
  const state = async () => (await owner.get(`${project.url}/mirror/pull`)).body
  const pull = async () => {
    await pullMirror(scene.deps, { project_id: project.id })
    return state()
  }
  return { source, project, pull, state }
}

const tipsOf = async ({ url }: SceneProject, kind: 'branches' | 'tags' = 'branches'): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await owner.get(`${url}/repository/${kind}`)).body.map((ref: { name: string; commit: { id: string } }) => [ref.name, ref.commit.id]),
  )

/** What listeners make of the moves of a project. */
async function delivered(project: SceneProject): Promise<number> {
  const events = await db
    .selectFrom('events')
    .select('id')
    .where('project_id', '=', project.id)
    .where('kind', '=', 'repository.updated')
    .orderBy('id')
    .execute()
  await deliver(
    scene.deps,
    await recordedEvents(
      db,
      events.map(({ id }) => id),
    ),
    { quiet: true },
  )
  return events.length
}

test('branches and tags follow the other repository as by a push of the user who pulls; nothing is deleted', async () => {
  const { source, project, pull } = await mirrored()
  const next = await scene.commit(source, { 'b.txt': 'b' })
  await scene.commit(source, { 'c.txt': 'c' }, { branch: 'topic', start_branch: 'main' })
  await owner.post(`${source.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })

  const done = await pull()
  assert.deepEqual([done.update_status, done.last_error, done.url], ['finished', null, `http://${host}/${source.full_path}.git`])
  assert.deepEqual(await tipsOf(project), await tipsOf(source))
  assert.deepEqual(await tipsOf(project, 'tags'), { v1: next })
  assert.equal(JSON.stringify(done).includes(owner.token), false)
  const events = (await owner.get(`${project.url}/events`, { action: 'pushed' })).body
  assert.ok(events.length > 0)
  assert.equal(events[0].author_username, owner.username)

  assert.equal(await delivered(project), 1)
  assert.deepEqual((await owner.get(`${project.url}/pipelines`)).body, [], 'no pipeline unless it is asked for')
  await owner.delete(`${source.url}/repository/branches/topic`)
  assert.equal((await pull()).update_status, 'finished')
  assert.deepEqual(Object.keys(await tipsOf(project)).sort(), ['main', 'topic'])
  const listed = await fetch(`${scene.url}/${project.full_path}.git/info/refs?service=git-upload-pack`, {
    headers: { authorization: `Basic ${Buffer.from(`oauth2:${owner.token}`).toString('base64')}` },
  })
  assert.doesNotMatch(await listed.text(), /refs\/ingot/)
})

test('pipelines are made where that is set', async () => {
  const { source, project, pull } = await mirrored({ mirror_trigger_builds: true })
  const next = await scene.commit(source, { 'b.txt': 'b' })
  await pull()
  await delivered(project)
  const pipelines = (await owner.get(`${project.url}/pipelines`)).body
  assert.deepEqual(
    pipelines.map(({ sha, source }: { sha: string; source: string }) => [sha, source]),
    [[next, 'push']],
  )
})

test('what has diverged is left as it is, and said of the default branch, or overwritten where that is set', async () => {
  const { source, project, pull } = await mirrored()
  await owner.post(`${source.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  await pull()
  const [ours, oursToo] = [
    await scene.commit(project, { 'ours.txt': 'a' }),
    await scene.commit(project, { 'ours.txt': 'b' }, { branch: 'topic' }),
  ]
  assert.equal((await pull()).update_status, 'finished', 'what is only ahead has not diverged')
  await scene.commit(source, { 'theirs.txt': 'a' })
  await scene.commit(source, { 'theirs.txt': 'b' }, { branch: 'topic' })

  const kept = await pull()
  assert.deepEqual(
    [kept.update_status, kept.last_error],
    ['to_retry', 'The default branch main has diverged from the other repository and was left as it is'],
  )
  assert.deepEqual(await tipsOf(project), { main: ours, topic: oursToo })
  await owner.put(project.url, { mirror_overwrites_diverged_branches: true })
  assert.deepEqual([(await pull()).last_error, await tipsOf(project)], [null, await tipsOf(source)])
})

test('only protected branches are pulled where that is set', async () => {
  const { source, project, pull } = await mirrored({ only_mirror_protected_branches: true })
  const next = await scene.commit(source, { 'b.txt': 'b' })
  await owner.post(`${source.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  await pull()
  assert.deepEqual(await tipsOf(project), { main: next })
})

test('the user who pulls needs the right to push, and names what they may not move', async () => {
  const { source, project, pull } = await mirrored()
  await owner.delete(`${project.url}/protected_branches/main`)
  await owner.post(`${project.url}/protected_branches`, { name: 'main', push_access_level: 0 })
  await scene.commit(source, { 'b.txt': 'b' })
  const topic = await scene.commit(source, { 'c.txt': 'c' }, { branch: 'topic', start_branch: 'main' })
  assert.equal((await pull()).last_error, 'The user who pulls may not move main, or the names are taken')
  assert.equal((await tipsOf(project)).topic, topic, 'the others follow')

  const guest = await scene.user()
  await scene.root.put(project.url, { mirror_user_id: guest.id })
  assert.match((await pull()).last_error, /^The user who pulls is not active, or may not push/)
})

test('failures are shown and tried again, later each time, until it is asked for; an address brings it back', async () => {
  const { source, project, pull } = await mirrored()
  const nextAt = async () =>
    (await db.selectFrom('pull_mirrors').select('next_update_at').where('project_id', '=', project.id).executeTakeFirstOrThrow())
      .next_update_at
  assert.equal((await owner.put(project.url, { import_url: addressOf(source, 'wrong') })).status, 200)
  scene.setTime('2031-01-01T10:00:00Z')
  const failed = await pull()
  assert.deepEqual([failed.update_status, failed.last_error], ['to_retry', 'The remote repository refuses the user or the password'])
  assert.equal(await nextAt(), '2031-01-01T10:01:00.000Z')
  for (let n = 0; n < 7; n++) await pull()
  assert.deepEqual([(await pull()).update_status, await nextAt()], ['failed', null])

  assert.equal(
    (await owner.put(project.url, { import_url: `http://${host}/${source.full_path}.git`, description: 'As it was read' })).status,
    200,
  )
  assert.equal(await nextAt(), null, 'the address as it is shown changes nothing')
  await owner.put(project.url, { import_url: addressOf(source) })
  assert.equal((await pull()).update_status, 'finished')
  assert.equal(await nextAt(), '2031-01-01T10:30:00.000Z')
  scene.setTime('2031-01-01T10:31:00Z')
  await pullDueMirrors(scene.deps)
  const { rows } = await sql<{
    run_at: string
  }>`select run_at from graphile_worker.jobs where key = ${`pull_mirror ${project.id}`}`.execute(db)
  assert.deepEqual([rows.length, await nextAt()], [1, '2031-01-01T11:01:00.000Z'])
  scene.setTime(undefined)
})

test('a project that exists begins to pull; Maintainers ask for it, and one that is no mirror refuses', async () => {
  const { project, maintainer, developer, owner: boss } = await scene.project({ members: ['maintainer', 'developer'] })
  const { project: source } = await scene.project({ owner })
  const theirs = await scene.commit(source, { 'README.md': 'Theirs' })
  const outsider = await scene.user()
  const pull = `${project.url}/mirror/pull`
  await scene.commit(project, { 'README.md': 'One' }, { branch: 'main' })
  for (const answer of [await maintainer.post(pull), await maintainer.get(pull)])
    assert.deepEqual(answer, { status: 400, body: { message: '400 Bad request - The project is not mirrored' } })
  assert.deepEqual(
    [(await developer.post(pull)).status, (await outsider.post(pull)).status, (await scene.anonymous.post(pull)).status],
    [403, 404, 401],
  )

  const set = await maintainer.put(project.url, { import_url: addressOf(source), mirror: true, mirror_overwrites_diverged_branches: true })
  assert.deepEqual([set.status, set.body.mirror_user_id, set.body.import_status], [200, maintainer.id, 'none'])
  assert.equal((await maintainer.get(pull)).body.update_status, 'none')
  const audit = async () =>
    (await boss.get(`${project.url}/audit_events`)).body.filter((entry: object) => JSON.stringify(entry).includes('import_url'))
  const [entry, ...more] = await audit()
  assert.deepEqual([entry.author_id, more.length], [maintainer.id, 0])
  assert.doesNotMatch(JSON.stringify(entry), new RegExp(owner.token))
  const asked = await maintainer.post(pull)
  assert.equal(asked.status, 200)
  await pullMirror(scene.deps, { project_id: project.id })
  assert.equal((await tipsOfAs(maintainer, project)).main, theirs)

  await boss.post(`${project.url}/archive`)
  assert.equal((await maintainer.post(pull)).status, 403)
  const before = (await maintainer.get(pull)).body
  await pullMirror(scene.deps, { project_id: project.id })
  assert.deepEqual((await maintainer.get(pull)).body, before)
  await boss.post(`${project.url}/unarchive`)
  await maintainer.put(project.url, { mirror: false })
  assert.equal((await maintainer.post(pull)).status, 400)
})

const tipsOfAs = async (person: typeof owner, { url }: SceneProject): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await person.get(`${url}/repository/branches`)).body.map((ref: { name: string; commit: { id: string } }) => [ref.name, ref.commit.id]),
  )

test('a mirror without an address says so, and local networks are not pulled from', async () => {
  const { project, owner: other } = await scene.project()
  const pulled = async () => {
    await pullMirror(scene.deps, { project_id: project.id })
    const { update_status, last_error } = (await other.get(`${project.url}/mirror/pull`)).body
    return [update_status, last_error]
  }
  await other.put(project.url, { mirror: true })
  assert.deepEqual(await pulled(), ['to_retry', 'No address is set to pull from'])
  await scene.commit(project, { 'a.txt': 'a' })
  await other.put(project.url, { import_url: 'http://10.0.0.1/x.git' })
  assert.deepEqual(await pulled(), ['failed', 'Requests to the local network are not allowed: 10.0.0.1'])
})

test('a project is set up to pull by the address of its mirror, with credentials apart, and stops again', async () => {
  const { project: source } = await scene.project({ owner })
  await scene.commit(source, { 'README.md': 'One' })
  const { project } = await scene.project({ owner })
  await scene.commit(project, { 'own.txt': 'own' })
  const path = `${project.url}/mirror/pull`
  assert.equal((await owner.put(path, { enabled: false })).status, 400, 'it has never pulled')

  const url = `http://${host}/${source.full_path}.git`
  const credentials = { auth_user: 'oauth2', auth_password: owner.token }
  const set = await owner.put(path, { enabled: true, url, ...credentials, mirror_overwrites_diverged_branches: true })
  const { enabled, url: shown, mirror_overwrites_diverged_branches: overwrites } = set.body
  assert.deepEqual([set.status, enabled, shown, overwrites], [200, true, url, true], JSON.stringify(set.body))
  await pullMirror(scene.deps, { project_id: project.id })
  assert.equal((await owner.get(path)).body.update_status, 'finished')
  assert.equal((await tipsOf(project)).main, (await tipsOf(source)).main)

  assert.deepEqual(await owner.put(path, { auth_user: 'x' }), {
    status: 400,
    body: { message: { url: ['is needed with auth_user and auth_password'] } },
  })
  assert.equal((await owner.put(path, { enabled: false })).body.enabled, false)
  assert.equal((await owner.get(project.url)).body.mirror, false)
})

test('nothing is pulled from a server that speaks the dumb protocol alone, whose objects git does not check', async () => {
  const { project, pull } = await mirrored()
  const before = await tipsOf(project)
  const hostile = await dumbGitServer('.git', 'gitdir: elsewhere')
  assert.equal((await owner.put(project.url, { import_url: hostile.url })).status, 200)

  const failed = await pull()
  assert.deepEqual(
    [failed.update_status, failed.last_error],
    ['to_retry', 'The remote repository does not speak the smart protocol of git'],
  )
  assert.deepEqual(await tipsOf(project), before)
  assert.equal((await owner.get(`${project.url}/repository/commits/${hostile.commit}`)).status, 404)
  assert.deepEqual(
    hostile.asked.filter(path => path.includes('/objects/')),
    [],
  )
})

test('who changes what is done with what a project pulls is the one who pulls from then on', async () => {
  const { project, owner: boss, maintainer } = await scene.project({ members: ['maintainer'] })
  const { project: source } = await scene.project({ owner })
  await scene.commit(source, { 'README.md': 'Theirs' })
  const puller = async () => (await boss.get(project.url)).body.mirror_user_id

  for (const change of [
    { mirror_overwrites_diverged_branches: true },
    { mirror_trigger_builds: true },
    { only_mirror_protected_branches: true },
  ]) {
    const set = await boss.put(project.url, { import_url: addressOf(source), mirror: true })
    assert.deepEqual([set.status, set.body.mirror_user_id], [200, boss.id])
    assert.equal((await maintainer.put(project.url, { description: 'Pulls' })).status, 200)
    assert.equal(await puller(), boss.id)

    assert.equal((await maintainer.put(project.url, change)).status, 200)

    assert.equal(await puller(), maintainer.id, JSON.stringify(change))
    // The same again changes nothing, and what the owner turns off is theirs.
    const off = Object.fromEntries(Object.keys(change).map(name => [name, false]))
    assert.equal((await boss.put(project.url, off)).status, 200)
    assert.equal((await maintainer.put(project.url, off)).status, 200)
    assert.equal(await puller(), boss.id)
  }
})

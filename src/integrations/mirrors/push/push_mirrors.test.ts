/** Push mirrors, with real git over HTTP: to other projects of the instance, and to servers that refuse, hang and redirect. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'
import { recordedEvents } from '../../../platform/events/recorded.ts'
import { deliver } from '../../../server/listeners.ts'
import { updateRemoteMirror } from './update.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const host = new URL(scene.url).host
const owner = await scene.user()

const addressOf = ({ full_path }: SceneProject, { token }: { token: string } = owner) => `http://oauth2:${token}@${host}/${full_path}.git`

/** A project with a commit, and one that it pushes to. */
async function mirrored(attributes: Record<string, unknown> = {}, of: Person = owner) {
  const [{ project }, { project: copy }] = [await scene.project({ owner: of }), await scene.project({ owner: of })]
  const first = await scene.commit(project, { 'README.md': 'One' })
  const made = await of.post(`${project.url}/remote_mirrors`, { url: addressOf(copy, of), enabled: true, ...attributes })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const url = `${project.url}/remote_mirrors/${made.body.id}`
  const update = async () => {
    await updateRemoteMirror(scene.deps, { mirror_id: made.body.id })
    return (await of.get(url)).body
  }
  return { project, copy, first, url, update, made: made.body }
}

const branchesOf = async (project: SceneProject): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await owner.get(`${project.url}/repository/branches`)).body.map((branch: { name: string; commit: { id: string } }) => [
      branch.name,
      branch.commit.id,
    ]),
  )
const tagsOf = async (project: SceneProject): Promise<string[]> =>
  (await owner.get(`${project.url}/repository/tags`)).body.map(({ name }: { name: string }) => name)

test('a project has fifty push mirrors and no more, also where several are added at a time', async () => {
  const { project } = await scene.project({ owner })
  const url = addressOf(project)
  const add = (name: number) => owner.post(`${project.url}/remote_mirrors`, { url: `http://${host}/copies/${name}.git`, enabled: false })
  const { body: first } = await add(0)
  const { db } = scene.deps.database
  const { id: _, ...values } = await db.selectFrom('remote_mirrors').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow()
  await db
    .insertInto('remote_mirrors')
    .values(Array.from({ length: 48 }, () => ({ ...values, url })))
    .execute()

  const sent = await Promise.all([1, 2, 3, 4].map(add))

  assert.deepEqual(sent.map(({ status }) => status).sort(), [201, 400, 400, 400])
})

test('branches and tags go to the other repository, and what is merged and deleted here goes there', async () => {
  const { project, copy, first, update, made } = await mirrored()
  await owner.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main', message: 'First' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'merged', ref: 'main' })
  await scene.commit(project, { 'a.txt': 'a' }, { branch: 'unmerged', start_branch: 'main' })
  assert.deepEqual(
    [made.update_status, made.last_update_at, made.last_error, made.only_protected_branches, made.keep_divergent_refs],
    ['none', null, null, false, false],
  )
  assert.equal(made.url, `http://*****:*****@${host}/${copy.full_path}.git`)

  const done = await update()
  assert.deepEqual([done.update_status, done.last_error], ['finished', null])
  assert.ok(done.last_update_started_at && done.last_update_at && done.last_successful_update_at)
  assert.deepEqual(await branchesOf(copy), await branchesOf(project))
  assert.deepEqual([(await branchesOf(copy)).main, await tagsOf(copy)], [first, ['v1']])

  for (const name of ['merged', 'unmerged']) await owner.delete(`${project.url}/repository/branches/${name}`)
  await owner.delete(`${project.url}/repository/tags/v1`)
  assert.equal((await update()).update_status, 'finished')
  assert.deepEqual([Object.keys(await branchesOf(copy)), await tagsOf(copy)], [['main', 'unmerged'], []])
})

test('a branch that has diverged is overwritten, or left as it is where that is asked for', async () => {
  const { project, copy, url, update } = await mirrored({ keep_divergent_refs: true })
  await owner.post(`${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  assert.equal((await update()).update_status, 'finished')
  const theirs = await scene.commit(copy, { 'theirs.txt': 'theirs' }, { branch: 'topic' })
  await scene.commit(project, { 'ours.txt': 'ours' }, { branch: 'topic' })
  const next = await scene.commit(project, { 'next.txt': 'next' })

  const kept = await update()
  assert.equal(kept.update_status, 'to_retry')
  assert.equal(kept.last_error, 'These have diverged in the remote and were left as they are: topic')
  assert.deepEqual(await branchesOf(copy), { main: next, topic: theirs })

  assert.equal((await owner.put(url, { keep_divergent_refs: false })).body.keep_divergent_refs, false)
  assert.deepEqual([(await update()).update_status, await branchesOf(copy)], ['finished', await branchesOf(project)])
})

test('only protected branches are pushed where that is set, and what the remote protects is named', async () => {
  const { project, copy, update } = await mirrored({ only_protected_branches: true })
  await scene.commit(project, { 'a.txt': 'a' }, { branch: 'topic', start_branch: 'main' })
  await scene.commit(project, { 'a.txt': 'a' }, { branch: 'release/1', start_branch: 'main' })
  await owner.post(`${project.url}/protected_branches`, { name: 'release/*' })
  assert.equal((await update()).last_error, null)
  assert.deepEqual(Object.keys(await branchesOf(copy)).sort(), ['main', 'release/1'])

  await owner.post(`${copy.url}/protected_branches`, { name: 'release/*', push_access_level: 0 })
  await scene.commit(project, { 'b.txt': 'b' }, { branch: 'release/1' })
  const main = await scene.commit(project, { 'b.txt': 'b' })
  assert.equal((await update()).last_error, 'The remote repository has refused release/1')
  assert.equal((await branchesOf(copy)).main, main, 'the others are pushed')
})

test('a push queues the update: immediately, then some minutes after the last one began', async () => {
  const { project, update, made } = await mirrored()
  const { db } = scene.deps.database
  const due = async () => {
    const { rows } = await sql<{ run_at: string }>`select run_at from graphile_worker.jobs where key = ${`push_mirror ${made.id}`}`.execute(
      db,
    )
    return rows.map(({ run_at }) => run_at)
  }
  const pushed = async () => {
    await scene.commit(project, { [`${Math.random()}`]: 'a' })
    const { id } = await db
      .selectFrom('events')
      .select('id')
      .where('project_id', '=', project.id)
      .where('kind', '=', 'repository.updated')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    await deliver(scene.deps, await recordedEvents(db, [id]), { quiet: true })
  }
  scene.setTime('2031-01-01T10:00:00Z')
  await pushed()
  const first = await due()
  await update()
  scene.setTime('2031-01-01T10:02:00Z')
  await pushed()
  scene.setTime('2031-01-01T10:03:00Z')
  await pushed()
  scene.setTime(undefined)
  assert.deepEqual([first, await due()], [['2031-01-01T10:00:00.000Z'], ['2031-01-01T10:05:00.000Z']])
})

test('credentials are kept encrypted, replaced by the address, and shown nowhere', async () => {
  const { copy, url, update, made } = await mirrored()
  const { db } = scene.deps.database
  const stored = () => db.selectFrom('remote_mirrors').select(['url', 'address']).where('id', '=', made.id).executeTakeFirstOrThrow()
  assert.equal(JSON.stringify(await stored()).includes(owner.token), false)

  const wrong = await owner.put(url, { url: addressOf(copy, { token: 'hush-hush' }) })
  assert.equal(wrong.body.url, made.url)
  const failed = await update()
  assert.deepEqual([failed.update_status, failed.last_error], ['to_retry', 'The remote repository refuses the user or the password'])
  const before = await stored()
  assert.equal((await owner.put(url, { url: made.url, enabled: true })).status, 200)
  assert.deepEqual(await stored(), before, 'the address as it is shown leaves the stored one')
  const elsewhere = await owner.put(url, { url: made.url.replace(copy.full_path, 'else/where') })
  assert.deepEqual([elsewhere.status, elsewhere.body], [400, { message: { url: ['needs the credentials in the place of the stars'] } }])

  await owner.put(url, { url: addressOf(copy) })
  assert.equal((await update()).update_status, 'finished')
  const audit = await scene.root.get('/audit_events', { entity_type: 'Project', per_page: 100 })
  const seen = JSON.stringify([audit.body, await owner.get(url)])
  assert.match(seen, /RemoteMirror/)
  assert.doesNotMatch(seen, new RegExp(`hush-hush|${owner.token}`))
})

describe('a remote that cannot be reached is an error in words, and is tried again', () => {
  const listening = async (answer: RequestListener) => {
    const server = createServer(answer)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    after(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://user:hush-hush@127.0.0.1:${(server.address() as AddressInfo).port}/x.git`
  }
  const cases: readonly (readonly [what: string, address: () => Promise<string>, error: RegExp, status: string])[] = [
    [
      'nobody listens',
      async () => 'http://127.0.0.1:1/x.git',
      /^The remote repository could not be read: no connection, or no answer$/,
      'to_retry',
    ],
    ['nothing there', async () => `http://oauth2:${owner.token}@${host}/no/such.git`, /^There is no repository at the address/, 'to_retry'],
    [
      'a redirect to an inner address',
      () => listening((_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/x.git/info/refs' }).end()),
      /^The remote redirects to another address, which is not followed$/,
      'to_retry',
    ],
    ['a server in trouble', () => listening((_request, response) => response.writeHead(503).end()), /answers with status 503$/, 'to_retry'],
    [
      'an answer that is no git',
      () => listening((_request, response) => response.end('<html>hush</html>')),
      /^The remote repository has refused main$/,
      'to_retry',
    ],
    ['an unknown host', async () => 'http://nothing.invalid/x.git', /^Host cannot be resolved: nothing.invalid$/, 'to_retry'],
  ]
  for (const [what, address, error, status] of cases)
    test(what, async () => {
      const { url, update, made } = await mirrored()
      await owner.put(url, { url: await address() })
      const failed = await update()
      assert.equal(failed.update_status, status)
      assert.match(failed.last_error, error)
      assert.equal(failed.last_successful_update_at, null)
      const { rows } = await sql<{ key: string }>`
        select key from graphile_worker.jobs where key = ${`push_mirror ${made.id}`} and run_at > now()`.execute(scene.deps.database.db)
      assert.equal(rows.length, 1, 'another attempt is queued')
      await update()
      assert.equal((await update()).update_status, 'failed', 'after three failures it says so')
    })

  test('one that does not answer is cut', async () => {
    const { url, made } = await mirrored()
    await owner.put(url, { url: await listening(() => {}) })
    await updateRemoteMirror(scene.deps, { mirror_id: made.id }, { timeoutMs: 300, askMs: 100 })
    assert.match((await owner.get(url)).body.last_error, /took too long/)
  })
})

test('a ring of mirrors comes to rest: what is there already is not pushed', async () => {
  const { project, copy, update } = await mirrored()
  const back = await owner.post(`${copy.url}/remote_mirrors`, { url: addressOf(project), enabled: true })
  await update()
  const before = await branchesOf(project)
  const events = async () =>
    (
      await scene.deps.database.db
        .selectFrom('events')
        .select('id')
        .where('project_id', '=', project.id)
        .where('kind', '=', 'repository.updated')
        .execute()
    ).length
  const seen = await events()
  await updateRemoteMirror(scene.deps, { mirror_id: back.body.id })
  assert.deepEqual([await branchesOf(project), await events()], [before, seen])
  const own = await owner.post(`${project.url}/remote_mirrors`, { url: addressOf(project) })
  assert.deepEqual([own.status, own.body], [400, { message: { url: ['is that of the project itself'] } }])
})

test('addresses that are refused', async () => {
  const { project } = await scene.project({ owner })
  const add = (url?: unknown) => owner.post(`${project.url}/remote_mirrors`, url === undefined ? {} : { url })
  for (const url of [
    'nonsense',
    'file:///etc',
    'ssh://git@example.com/a.git',
    'git@example.com:a/b.git',
    'ext::sh -c true',
    'http://10.0.0.1/x.git',
    'http://[::1]/x.git',
  ]) {
    const { status, body } = await add(url)
    assert.deepEqual([url, status, Object.keys(body.message)], [url, 400, ['url']])
  }
  assert.equal((await add()).status, 400)
  assert.deepEqual((await owner.get(`${project.url}/remote_mirrors`)).body, [])
})

test('Maintainers set mirrors up; nobody else sees them, and an archived project is not pushed', async () => {
  const { project, maintainer, developer, owner: boss } = await scene.project({ members: ['maintainer', 'developer'] })
  const outsider = await scene.user()
  const list = `${project.url}/remote_mirrors`
  const made = await maintainer.post(list, { url: 'https://git.example.com/x.git' })
  assert.deepEqual([made.status, made.body.enabled, made.body.url], [201, false, 'https://git.example.com/x.git'])
  const url = `${list}/${made.body.id}`
  assert.equal((await maintainer.post(`${url}/sync`)).status, 400, 'it is not enabled')
  for (const [person, status] of [[developer, 403] as const, [outsider, 404] as const, [scene.anonymous, 401] as const])
    assert.deepEqual(
      [(await person.get(list)).status, (await person.get(url)).status, (await person.put(url, { enabled: true })).status],
      [status, status, status],
    )
  assert.deepEqual(await maintainer.get(`${list}/99999999`), { status: 404, body: { message: '404 Not found' } })
  const { project: other } = await scene.project({ owner: boss })
  assert.equal((await boss.get(`${other.url}/remote_mirrors/${made.body.id}`)).status, 404)

  assert.equal((await maintainer.put(url, { enabled: true })).body.enabled, true)
  assert.equal((await maintainer.post(`${url}/sync`)).status, 204)
  await boss.post(`${project.url}/archive`)
  assert.equal((await maintainer.put(url, { enabled: false })).status, 403)
  await updateRemoteMirror(scene.deps, { mirror_id: made.body.id })
  assert.equal((await maintainer.get(url)).body.update_status, 'none')
  await boss.post(`${project.url}/unarchive`)
  assert.equal((await maintainer.delete(url)).status, 204)
  await updateRemoteMirror(scene.deps, { mirror_id: made.body.id })
  assert.deepEqual((await maintainer.get(list)).body, [])
})

/** Locks of files (Git LFS API, "File Locking"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'

const scene = await openScene()

/** Sends a lock request of git-lfs for a project. */
async function locks(project: SceneProject, person: Person, method: string, path = '', body?: object) {
  const answer = await fetch(`${scene.url}/${project.full_path}.git/info/lfs/locks${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`x:${person.token}`).toString('base64')}`,
      ...(body && { 'content-type': 'application/vnd.git-lfs+json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect
  return { status: answer.status, json: (await answer.json()) as any }
}
const paths = (list: { path: string }[]) => list.map(({ path }) => path)

test('a lock is created once, listed for all, and grouped by owner before a push', async () => {
  const { project, owner, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const { status, json } = await locks(project, developer, 'POST', '', { path: 'a.psd', ref: { name: 'refs/heads/main' } })
  assert.equal(status, 201)
  assert.deepEqual(json.lock, { id: json.lock.id, path: 'a.psd', locked_at: json.lock.locked_at, owner: { name: developer.name } })
  assert.equal(typeof json.lock.id, 'string')
  assert.deepEqual(await locks(project, owner, 'POST', '', { path: 'a.psd' }), {
    status: 409,
    json: { lock: json.lock, message: 'already locked' },
  })
  await locks(project, owner, 'POST', '', { path: 'b.psd' })
  assert.deepEqual(paths((await locks(project, reporter, 'GET')).json.locks), ['a.psd', 'b.psd'])
  assert.deepEqual(paths((await locks(project, reporter, 'GET', '?path=b.psd')).json.locks), ['b.psd'])
  assert.deepEqual(paths((await locks(project, reporter, 'GET', `?id=${json.lock.id}`)).json.locks), ['a.psd'])
  const verified = (await locks(project, owner, 'POST', '/verify', {})).json
  assert.deepEqual([paths(verified.ours), paths(verified.theirs)], [['b.psd'], ['a.psd']])
  for (const [method, path] of [
    ['POST', ''],
    ['POST', '/verify'],
  ] as const)
    assert.equal((await locks(project, reporter, method, path, { path: 'c.psd' })).status, 403)
})

test('of two concurrent requests to lock a file one succeeds', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const people = [owner, developer, owner, developer]
  const statuses = await Promise.all(people.map(async person => (await locks(project, person, 'POST', '', { path: 'a' })).status))
  assert.deepEqual(statuses.sort(), [201, 409, 409, 409])
})

test('a lock is deleted by its owner, or by a maintainer with force', async () => {
  const { project, developer, maintainer } = await scene.project({ members: ['developer', 'maintainer'] })
  const take = async (person: Person, path: string) => (await locks(project, person, 'POST', '', { path })).json.lock.id
  const own = await take(developer, 'own')
  assert.equal((await locks(project, developer, 'POST', `/${own}/unlock`, {})).json.lock.path, 'own')
  assert.equal((await locks(project, developer, 'POST', `/${own}/unlock`, {})).status, 404)
  const theirs = await take(developer, 'theirs')
  assert.equal((await locks(project, maintainer, 'POST', `/${theirs}/unlock`, {})).status, 403)
  assert.equal((await locks(project, maintainer, 'POST', `/${theirs}/unlock`, { force: true })).status, 200)
  const maintained = await take(maintainer, 'maintained')
  assert.equal((await locks(project, developer, 'POST', `/${maintained}/unlock`, { force: true })).status, 403)
})

test('a long list of locks is paged', async () => {
  const { project, owner } = await scene.project()
  for (const path of ['a', 'b', 'c', 'd', 'e']) await locks(project, owner, 'POST', '', { path })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { json } = await locks(project, owner, 'GET', `?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...paths(json.locks))
    cursor = json.next_cursor
  } while (cursor !== undefined)
  assert.deepEqual(seen, ['a', 'b', 'c', 'd', 'e'])
})

/** Wikis are cloned and pushed to with the system's `git`, over HTTP and SSH. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tasksOf } from '../../src/server/tasks.ts'
import { openCheckouts } from './checkouts.ts'
import { openSsh } from './ssh_scene.ts'

const { scene, workbench, commit, git, place, keyOf, attempt: attemptBySsh, addressOf, gitWith } = await openSsh()
const { address, attempt } = await openCheckouts(scene, workbench)

const wikiOf = ({ full_path }: { readonly full_path: string }) => ({ full_path: `${full_path}.wiki` })

/** The address of a wiki over HTTP, for a user. */
const httpOf = (place: { readonly full_path: string }, person: { readonly token: string }) =>
  address(wikiOf(place) as never, { password: person.token })

test('the wiki of a project is pushed to over HTTP and cloned over SSH, and counts to its size', async () => {
  const { project, owner } = await scene.project()
  const directory = place('wiki')
  await git(workbench.directory, 'init', '--quiet', '-b', 'trunk', directory)
  const first = await commit(directory, { 'home.md': '# Home\n' })
  await git(directory, 'push', '--quiet', httpOf(project, owner), 'trunk')

  const clone = place('clone')
  await gitWith(await keyOf(owner), workbench.directory, 'clone', '--quiet', addressOf(wikiOf(project)), clone)
  assert.equal(await git(clone, 'rev-parse', 'HEAD'), first)
  const second = await commit(clone, { 'other.md': 'Other\n' })
  await gitWith(await keyOf(owner), clone, 'push', '--quiet', 'origin', 'HEAD')

  assert.match(await git(directory, 'ls-remote', httpOf(project, owner)), new RegExp(`${second}\trefs/heads/trunk`))
  const { statistics } = (await owner.get(project.url, { statistics: true })).body
  assert.ok(statistics.wiki_size > 0, `${statistics.wiki_size}`)
  assert.equal((await owner.get(`${project.url}/repository/branches`)).body.length, 0)
})

test('who may fetch and push follows the role', async () => {
  const { project, guest, reporter, developer } = await scene.project({ members: ['guest', 'reporter', 'developer'] })
  const directory = place('wiki')
  await git(workbench.directory, 'init', '--quiet', directory)
  await commit(directory, { 'home.md': 'x' })
  const push = async (person: { readonly token: string }) => (await attempt(directory, 'push', httpOf(project, person), 'main')).code
  const list = async (person: { readonly token: string }) => (await attempt(directory, 'ls-remote', httpOf(project, person))).code

  assert.deepEqual([await push(guest), await push(reporter), await push(developer)], [128, 128, 0])
  const stranger = await scene.user()
  assert.deepEqual([await list(guest), await list(reporter), await list(stranger)], [128, 0, 128])
  const bySsh = await attemptBySsh(await keyOf(stranger), directory, 'ls-remote', addressOf(wikiOf(project)))
  assert.match(bySsh.stderr, /could not be found/)
  assert.match(
    (await attemptBySsh(await keyOf(reporter), directory, 'push', addressOf(wikiOf(project)), 'main')).stderr,
    /not allowed to push/,
  )
})

test('a project that is archived, or whose wiki is off, takes no pushes', async () => {
  const { project, owner } = await scene.project()
  const directory = place('wiki')
  await git(workbench.directory, 'init', '--quiet', directory)
  await commit(directory, { 'home.md': 'x' })
  await owner.post(`${project.url}/archive`)
  const archived = await attempt(directory, 'push', httpOf(project, owner), 'main')
  assert.match(archived.stderr, /archived/)
  await owner.post(`${project.url}/unarchive`)
  assert.equal((await attempt(directory, 'push', httpOf(project, owner), 'main')).code, 0)
  await owner.put(project.url, { wiki_access_level: 'disabled' })
  assert.equal((await attempt(directory, 'ls-remote', httpOf(project, owner))).code, 128)
})

test('references that a wiki does not have, and its default branch, are refused', async () => {
  const { project, owner } = await scene.project()
  const directory = place('wiki')
  await git(workbench.directory, 'init', '--quiet', directory)
  await commit(directory, { 'home.md': 'x' })
  assert.equal((await attempt(directory, 'push', httpOf(project, owner), 'main')).code, 0)
  for (const [reference, line] of [
    ['HEAD:refs/merge-requests/1/head', /Only branches, tags and notes/],
    [':main', /default branch cannot be deleted/],
  ] as const)
    assert.match((await attempt(directory, 'push', httpOf(project, owner), reference)).stderr, line)
})

test('the wiki of a group is pushed to, and goes with the group', async () => {
  const { group, owner } = await scene.group()
  const directory = place('wiki')
  await git(workbench.directory, 'init', '--quiet', directory)
  const tip = await commit(directory, { 'home.md': 'x' })
  assert.equal((await attempt(directory, 'push', httpOf(group, owner), 'main')).code, 0)
  assert.match(await gitWith(await keyOf(owner), directory, 'ls-remote', addressOf(wikiOf(group))), new RegExp(tip))
  const storage = scene.deps.storages.get('default')
  const repository = storage.repository({ folder: '@groups', id: group.id, suffix: 'wiki' })
  assert.equal(await storage.exists(repository), true)

  await owner.delete(group.url)

  const { id } = await scene.deps.database.db
    .selectFrom('events')
    .select('id')
    .where('kind', '=', 'group.deleted')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await tasksOf(scene.deps).deliver_event({ event_id: id }, undefined)
  assert.equal(await storage.exists(repository), false)
})

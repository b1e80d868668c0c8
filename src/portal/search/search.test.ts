import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, openScene } from '../../../test/scene.ts'

const scene = await openScene()

/** The results of a search, by their distinguishing field. */
async function found(who: Pick<Client, 'get'>, url: string, query: Record<string, string>, field = 'title'): Promise<string[]> {
  const { status, body } = await who.get(url, query)
  assert.equal(status, 200, JSON.stringify(body))
  return body.map((row: Record<string, string>) => row[field])
}

test('the instance and groups are searched by scope, restricted to what the caller may see', async () => {
  const { group, owner } = await scene.group({ name: 'Walrus group', visibility: 'private' })
  const { project, guest } = await scene.project({ group, owner, name: 'Walrus tank', members: ['guest'] })
  const outsider = await scene.user({ name: 'Walrus watcher' })
  await owner.post(`${project.url}/issues`, { title: 'Feed the walrus' })
  await owner.post(`${project.url}/issues`, { title: 'A secret', description: 'of the walrus', confidential: true })
  const closed = await owner.post(`${project.url}/issues`, { title: 'The walrus is well' })
  await owner.put(`${project.url}/issues/${closed.body.iid}`, { state_event: 'close' })
  await owner.post(`${project.url}/milestones`, { title: 'Walrus day' })
  await scene.mergeRequest(project, { author: owner, title: 'Wash the walrus' })

  for (const url of ['/search', `${group.url}/search`, `${group.url}/-/search`]) {
    const all = (who: Client, scope: string, more = {}, field = 'title') => found(who, url, { scope, search: 'walrus', ...more }, field)
    assert.deepEqual(await all(owner, 'issues'), ['The walrus is well', 'A secret', 'Feed the walrus'], url)
    assert.deepEqual(await all(owner, 'issues', { sort: 'asc', order_by: 'created_at', state: 'opened' }), ['Feed the walrus', 'A secret'])
    assert.deepEqual(await all(owner, 'issues', { confidential: 'true' }), ['A secret'])
    assert.deepEqual(await all(guest, 'issues'), ['The walrus is well', 'Feed the walrus'], 'no confidential ones (decision 34)')
    assert.deepEqual(await all(owner, 'merge_requests'), ['Wash the walrus'])
    assert.deepEqual(await all(owner, 'merge_requests', { state: 'merged' }), [])
    assert.deepEqual(await all(guest, 'merge_requests'), [], 'guests of a private project do not see its code')
    assert.deepEqual(await all(owner, 'milestones'), ['Walrus day'])
    assert.deepEqual(await all(guest, 'projects', {}, 'name'), ['Walrus tank'])
  }
  for (const scope of ['issues', 'merge_requests', 'milestones', 'projects'])
    assert.deepEqual(await found(outsider, '/search', { scope, search: 'walrus' }), [], scope)
  assert.deepEqual(await found(outsider, '/search', { scope: 'users', search: 'walrus watch' }, 'username'), [outsider.username])
  assert.deepEqual(await found(owner, `${group.url}/search`, { scope: 'users', search: 'name of' }, 'id'), [owner.id], 'of groups alone')
  assert.equal((await outsider.get(`${group.url}/search`, { scope: 'issues', search: 'walrus' })).status, 404)
})

test('people whose membership has ended are not found in the group', async () => {
  const { group, owner, developer } = await scene.group({ members: ['developer'] })
  const people = () => found(owner, `${group.url}/search`, { scope: 'users', search: developer.username }, 'id')
  assert.deepEqual(await people(), [developer.id])
  await scene.deps.database.db.updateTable('members').set({ expires_at: '2020-01-01' }).where('user_id', '=', developer.id).execute()
  assert.deepEqual(await people(), [])
})

test('members of a group are found by those who may see its members', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { group: hidden, guest: inside } = await scene.group({ parent: group, owner, visibility: 'private', members: ['guest'] })
  const outsider = await scene.user()
  const at = (who: Client, { url }: { readonly url: string }) =>
    found(who, `${url}/search`, { scope: 'users', search: 'name of' }, 'id').then(ids => ids.sort())
  assert.deepEqual(await at(outsider, group), [owner.id], 'no member of the private group below')
  assert.deepEqual(await at(owner, group), [owner.id, inside.id].sort())
  assert.deepEqual(await at(inside, group), [owner.id, inside.id].sort())

  // Guests of a project see the names of the groups around it, and not their members.
  const { project, guest } = await scene.project({ group: hidden, owner, members: ['guest'] })
  assert.equal((await guest.get(`${hidden.url}/members/all`)).status, 403)
  assert.deepEqual(await at(guest, hidden), [])
  assert.deepEqual(await at(guest, project), [owner.id, inside.id, guest.id].sort())
  const { group: top, owner: other } = await scene.group()
  const { group: sibling, guest: beside } = await scene.group({ parent: top, owner: other, members: ['guest'] })
  const { guest: invited } = await scene.project({ group: top, owner: other, members: ['guest'] })
  assert.deepEqual(await at(invited, top), [])
  assert.deepEqual(await at(beside, top), [beside.id], 'members of the group below, and not those of the group above')
  assert.deepEqual(await at(beside, sibling), [other.id, beside.id].sort())
})

test('a project is also searched for users, notes, commits and files, at a branch or tag', async () => {
  const { project, owner, guest, reporter } = await scene.project({ members: ['guest', 'reporter'] })
  await scene.commit(
    project,
    { 'docs/zoo.md': 'one\ntwo\nthree\nA Walrus here\nfive\nsix\nseven\n', 'b.txt': 'none\n' },
    { message: 'Begin' },
  )
  await scene.commit(project, { 'sea.txt': 'walrus\n' }, { branch: 'sea', start_branch: 'main', message: 'Bring the walrus [home]' })
  const issue = `${project.url}/issues/1`
  await owner.post(`${project.url}/issues`, { title: 'Tank' })
  await owner.post(`${issue}/notes`, { body: 'the walrus said so' })
  await owner.post(`${issue}/notes`, { body: 'between us: the walrus', confidential: true })
  const at = (who: Client, scope: string, field: string, more = {}) =>
    found(who, `${project.url}/search`, { scope, search: 'walrus', ...more }, field)

  assert.deepEqual(await at(owner, 'notes', 'body'), ['between us: the walrus', 'the walrus said so'])
  assert.deepEqual(await at(guest, 'notes', 'body'), ['the walrus said so'])
  assert.deepEqual((await at(owner, 'users', 'id', { search: 'name of' })).sort(), [owner.id, guest.id, reporter.id].sort())
  assert.deepEqual(await at(reporter, 'commits', 'title'), [])
  assert.deepEqual(
    await at(reporter, 'commits', 'title', { ref: 'sea', search: 'WALRUS [' }),
    ['Bring the walrus [home]'],
    'letter by letter',
  )
  assert.deepEqual((await reporter.get(`${project.url}/search`, { scope: 'blobs', search: 'walrus' })).body, [
    {
      basename: 'docs/zoo',
      data: 'two\nthree\nA Walrus here\nfive\nsix\n',
      path: 'docs/zoo.md',
      filename: 'docs/zoo.md',
      id: null,
      ref: 'main',
      startline: 2,
      project_id: project.id,
    },
  ])
  assert.deepEqual(await at(reporter, 'blobs', 'path', { ref: 'sea' }), ['docs/zoo.md', 'sea.txt'])
  assert.deepEqual(await at(reporter, 'blobs', 'path', { search: '--no-index' }), [], 'a dash is a letter like others')
  assert.deepEqual(await at(reporter, 'blobs', 'path', { ref: 'gone' }), [])
  assert.deepEqual(await at(guest, 'blobs', 'path'), [], 'who may not see the code finds nothing in it')
  assert.deepEqual(await found(owner, `${project.url}/-/search`, { scope: 'issues', search: '#1' }), ['Tank'], 'by number')
})

test('an anonymous caller finds nothing, and an unknown scope is a 400', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const query = { scope: 'issues', search: 'x' }
  for (const url of ['/search', `${project.url}/search`]) assert.equal((await scene.anonymous.get(url, query)).status, 401, url)
  assert.equal((await owner.get('/search', { scope: 'blobs', search: 'x' })).status, 400)
  assert.equal((await owner.get('/search', { scope: 'issues' })).status, 400)
  assert.equal((await owner.get('/search', { scope: 'issues', search: ' ' })).status, 400)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { nameCommitEmails } from '../../platform/application_settings/commands.ts'

const scene = await openScene()

const privateAddress = ({ id, username }: { id: number; username: string }) => `${id}-${username}@users.noreply.localhost`

/** A commit of one's own by the API, as it is answered. */
async function committed(by: Person, url: string, file: string) {
  const actions = [{ action: 'create', file_path: file, content: file }]
  const { status, body } = await by.post(`${url}/repository/commits`, { branch: 'main', commit_message: `Add ${file}`, actions })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

/** Does the page of a commit lead to this user as its author? */
async function isAuthorOnPage(path: string, sha: string, username: string): Promise<boolean> {
  const response = await fetch(`${scene.url}/${path}/-/commit/${sha}`)
  assert.equal(response.status, 200)
  return (await response.text()).includes(`<a class="quiet" href="/${username}">`)
}

test('commits of the API carry the private address, and are their author’s, under a later username too', async () => {
  const { project, owner } = await scene.project({ visibility: 'public', initialize_with_readme: true })
  const { group } = await scene.group({ owner, visibility: 'public' })
  const moved = await scene.root.put(`${project.url}/transfer`, { namespace: group.id })
  assert.equal(moved.status, 200)
  const mine = privateAddress(owner)

  const chosen = await owner.put('/user', { commit_email: '_private' })
  const commit = await committed(owner, project.url, 'lamp.txt')

  assert.deepEqual([chosen.status, chosen.body.commit_email], [200, mine])
  assert.deepEqual([commit.author_email, commit.committer_email], [mine, mine])
  assert.ok(await isAuthorOnPage(moved.body.path_with_namespace, commit.id, owner.username))
  const renamed = `${owner.username}-later`
  assert.equal((await scene.root.put(`/users/${owner.id}`, { username: renamed })).status, 200)
  assert.ok(await isAuthorOnPage(moved.body.path_with_namespace, commit.id, renamed))
  assert.equal((await owner.get('/user')).body.commit_email, privateAddress({ id: owner.id, username: renamed }))
  assert.equal((await owner.put('/user', { commit_email: '' })).body.commit_email, owner.email)
})

test('squash commits of others have the private address of the author', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const mergeRequest = await scene.mergeRequest(project, { author: developer })
  await developer.put('/user', { commit_email: privateAddress(developer) })

  const merged = await owner.put(`${mergeRequest.url}/merge`, { squash: true })

  assert.equal(merged.status, 200, JSON.stringify(merged.body))
  const squashed = await owner.get(`${project.url}/repository/commits/${merged.body.squash_commit_sha}`)
  assert.deepEqual([squashed.body.author_email, squashed.body.committer_email], [privateAddress(developer), owner.email])
})

test('a private address is nobody’s but its user’s, and no address that takes mail', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  const theirs = privateAddress(other)

  assert.equal((await person.put('/user', { commit_email: theirs })).status, 400)
  assert.equal((await person.put('/user', { public_email: privateAddress(person) })).status, 400)
  assert.equal((await person.post('/user/emails', { email: theirs.toUpperCase() })).status, 409)
  assert.equal((await scene.root.post(`/users/${person.id}/emails`, { email: theirs, skip_confirmation: true })).status, 409)
  const claimed = await scene.root.put(`/users/${person.id}`, { commit_email: theirs })
  assert.deepEqual(claimed, { status: 400, body: { message: { commit_email: ['is invalid'] } } })
  assert.equal((await scene.root.put(`/users/${person.id}`, { email: theirs })).status, 400)
  const account = { name: 'New', username: `new-${person.id}`, email: theirs, password: 'wide lanterns hum', skip_confirmation: true }
  assert.equal((await scene.root.post('/users', account)).status, 409)
  assert.equal((await person.get('/user')).body.commit_email, person.email)
})

test('an administrator chooses it for an account, also for a new one', async () => {
  const account = {
    name: 'Hidden',
    username: 'hidden',
    email: 'hidden@example.com',
    password: 'wide lanterns hum',
    skip_confirmation: true,
  }
  const { status, body } = await scene.root.post('/users', { ...account, commit_email: '_private' })

  assert.deepEqual([status, body.commit_email], [201, privateAddress(body)])
  assert.equal((await scene.root.put(`/users/${body.id}`, { commit_email: 'hidden@example.com' })).body.commit_email, account.email)
})

test('the domain follows the external URL until it has a name, and commits with another one are nobody’s', async t => {
  const { db } = scene.deps.database
  const url = '/application/settings'
  t.after(() => scene.root.put(url, { commit_email_hostname: 'users.noreply.localhost' }))
  const domain = async () => (await scene.root.get(url)).body.commit_email_hostname

  for (const unnamed of [undefined, 'http://192.0.2.1:8080', 'http://[2001:db8::1]']) await nameCommitEmails(db, unnamed)
  assert.equal(await domain(), 'users.noreply.localhost')
  await nameCommitEmails(db, 'https://git.example.com/')
  await nameCommitEmails(db, 'https://later.example.com/')

  assert.equal(await domain(), 'users.noreply.git.example.com')
  assert.equal((await scene.root.put(url, { commit_email_hostname: 'not a domain' })).status, 400)
  const person = await scene.user()
  const address = `${person.id}-x@users.noreply.git.example.com`
  assert.equal((await person.put('/user', { commit_email: '_private' })).body.commit_email, address.replace('-x@', `-${person.username}@`))
})

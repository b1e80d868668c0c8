/** Who may do what with the system's git: credentials in every place that git keeps them, scopes, roles, protection. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { openScene, type Person } from '../scene.ts'
import { openCheckouts } from './checkouts.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const { address, addressFor, attempt, clone, commit, git, place, pushedProject, remoteReferences } = await openCheckouts(scene, workbench)

test('credentials: a token under any name, a password, in the address', async () => {
  const password = 'a:b@c/d %é#?'
  const person = await scene.user({ password })
  const { project } = await pushedProject({ owner: person })
  const ways = [
    { password: person.token },
    { user: 'oauth2', password: person.token },
    { user: 'gitlab-ci-token', password: person.token },
    { user: person.username, password },
    { user: person.email, password },
  ]

  for (const way of ways) assert.equal((await remoteReferences(address(project, way))).length, 1, JSON.stringify(way))
})

test('credentials: a helper that git asks once the server has', async () => {
  const { project, owner, directory } = await pushedProject()
  const store = place('credentials')
  await git(directory, 'config', 'credential.helper', `store --file=${store}`)
  await git(directory, 'remote', 'set-url', 'origin', address(project))
  const { protocol, host } = new URL(scene.url)
  await workbench.run('git', ['credential', 'approve'], {
    cwd: directory,
    input: `protocol=${protocol.slice(0, -1)}\nhost=${host}\nusername=${owner.username}\npassword=${owner.token}\n`,
  })

  await commit(directory, { 'a.txt': 'a\n' })
  await git(directory, 'push', '--quiet')

  // git forgets credentials that a server refused.
  assert.match(await readFile(store, 'utf8'), new RegExp(owner.token))
})

test('credentials: http.extraHeader, as build machines send them', async () => {
  const { project, owner } = await pushedProject()
  const basic = Buffer.from(`x-access-token:${owner.token}`).toString('base64')

  for (const authorization of [`Basic ${basic}`, `Bearer ${owner.token}`]) {
    const checkout = await clone(address(project), '--config', `http.extraHeader=Authorization: ${authorization}`)
    await commit(checkout, { [`${authorization.slice(0, 6)}.txt`]: '' })
    await git(checkout, 'push', '--quiet')
  }
})

test('credentials: without them git asks, with wrong ones it says so', async () => {
  const { project } = await pushedProject()

  const without = await attempt(workbench.directory, 'ls-remote', address(project))
  const wrong = await attempt(workbench.directory, 'ls-remote', address(project, { password: 'wrong' }))
  const unknown = await attempt(workbench.directory, 'ls-remote', `${scene.url}/no/such/project.git`)

  assert.match(without.stderr, /could not read Username .*terminal prompts disabled/)
  assert.match(wrong.stderr, /Authentication failed/)
  // A private project and none at all look alike to a stranger.
  assert.match(unknown.stderr, /could not read Username .*terminal prompts disabled/)
})

test('a token reaches as far as its scopes', async () => {
  const { project, owner, directory } = await pushedProject()
  const using = async (scope: 'read_repository' | 'write_repository' | 'read_user') =>
    address(project, { password: await scene.token(owner, { scopes: [scope] }) })
  await commit(directory, { 'a.txt': 'a\n' })

  const reading = await using('read_repository')
  const fetched = await remoteReferences(reading)
  const pushedReading = await attempt(directory, 'push', reading, 'main')
  const fetchedNeither = await attempt(directory, 'ls-remote', await using('read_user'))
  const pushedWriting = await attempt(directory, 'push', await using('write_repository'), 'main')

  assert.equal(fetched.length, 1)
  for (const refused of [pushedReading, fetchedNeither]) assert.match(refused.stderr, /higher privileges.*returned error: 403/s)
  assert.equal(pushedWriting.code, 0, pushedWriting.stderr)
})

test('a public project is cloned by anyone and pushed by those who may', async () => {
  const { project } = await pushedProject({ visibility: 'public' })

  const checkout = await clone(address(project))
  await commit(checkout, { 'a.txt': 'a\n' })
  const { stderr } = await attempt(checkout, 'push')

  assert.match(stderr, /could not read Username .*terminal prompts disabled/)
})

test('roles decide what is pushed, and git shows a clear line', async () => {
  const { project, reporter, developer, guest } = await pushedProject({ members: ['reporter', 'developer', 'guest'] })
  const checkout = await clone(addressFor(project, reporter))
  await commit(checkout, { 'a.txt': 'a\n' })
  const push = (person: Person, refspec: string) => attempt(checkout, 'push', addressFor(project, person), refspec)

  const byReporter = await push(reporter, 'main')
  const toProtected = await push(developer, 'main')
  const toBranch = await push(developer, 'main:side')
  const byGuest = await attempt(workbench.directory, 'clone', addressFor(project, guest), place('clone'))

  assert.match(byReporter.stderr, /You are not allowed to push code to this project/)
  assert.match(
    toProtected.stderr,
    /! \[remote rejected\] main -> main \(.*not allowed to push code to protected branches on this project.*\)/,
  )
  assert.equal(toBranch.code, 0, toBranch.stderr)
  assert.match(byGuest.stderr, /The requested URL returned error: 403/)
})

test('history is rewritten with --force on a branch, not on a protected one', async () => {
  const { project, directory } = await pushedProject()
  await git(directory, 'checkout', '--quiet', '-b', 'side')
  await git(directory, 'push', '--quiet', 'origin', 'side')
  await git(directory, 'commit', '--quiet', '--amend', '--message', 'Begin otherwise')

  const plain = await attempt(directory, 'push', 'origin', 'side')
  await git(directory, 'push', '--quiet', '--force-with-lease', 'origin', 'side')
  const onto = await attempt(directory, 'push', '--force', 'origin', 'side:main')

  assert.match(plain.stderr, /non-fast-forward/)
  const tip = await git(directory, 'rev-parse', 'side')
  const branches = (await scene.root.get(`${project.url}/repository/branches`)).body as { name: string; commit: { id: string } }[]
  assert.equal(branches.find(branch => branch.name === 'side')?.commit.id, tip)
  assert.match(onto.stderr, /! \[remote rejected\] side -> main \(.+\)/)
  assert.notEqual(branches.find(branch => branch.name === 'main')?.commit.id, tip)
})

test('an atomic push with one refused branch moves none', async () => {
  const { project, developer } = await pushedProject({ members: ['developer'] })
  const url = addressFor(project, developer)
  const checkout = await clone(url)
  const before = await remoteReferences(url)
  await commit(checkout, { 'a.txt': 'a\n' })

  const { code } = await attempt(checkout, 'push', '--atomic', url, 'main', 'main:side')

  assert.equal(code, 1)
  assert.deepEqual(await remoteReferences(url), before)
})

test('an archived project is read, not written', async () => {
  const { project, owner, directory } = await pushedProject()
  await owner.post(`${project.url}/archive`)
  await commit(directory, { 'a.txt': 'a\n' })

  const { stderr } = await attempt(directory, 'push')

  assert.match(stderr, /archived.*returned error: 403/s)
  assert.equal((await remoteReferences(addressFor(project, owner))).length, 1)
})

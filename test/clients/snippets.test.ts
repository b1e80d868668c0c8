/** Snippets are cloned and pushed to with the system's `git`, over HTTP and SSH. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCheckouts } from './checkouts.ts'
import { openSsh } from './ssh_scene.ts'

const { scene, workbench, commit, git, place, keyOf, attempt: attemptBySsh, addressOf, gitWith } = await openSsh()
const { address, attempt } = await openCheckouts(scene, workbench)

const files = [{ file_path: 'a.txt', content: 'one\n' }]

/** The address of a snippet over HTTP, for a user. */
const httpOf = (path: string, person: { readonly token: string }) => address({ full_path: path } as never, { password: person.token })

test('a personal snippet is cloned over HTTP, and pushed to over SSH', async () => {
  const author = await scene.user()
  const other = await scene.user()
  const { body } = await author.post('/snippets', { title: 'A', visibility: 'private', files })
  const path = `snippets/${body.id}`
  const clone = place('clone')

  await git(workbench.directory, 'clone', '--quiet', httpOf(path, author), clone)
  const second = await commit(clone, { 'b.txt': 'two\n' })
  await gitWith(await keyOf(author), clone, 'push', '--quiet', addressOf({ full_path: path } as never), 'main')

  const { body: after } = await author.get(`/snippets/${body.id}`)
  assert.deepEqual(
    after.files.map((file: { path: string }) => file.path),
    ['a.txt', 'b.txt'],
  )
  assert.equal((await author.get(`/snippets/${body.id}/files/${second}/b.txt/raw`)).body, 'two\n')
  assert.equal((await attempt(clone, 'ls-remote', httpOf(path, other))).code, 128)
  assert.match(
    (await attemptBySsh(await keyOf(other), clone, 'ls-remote', addressOf({ full_path: path } as never))).stderr,
    /could not be found/,
  )
})

test('a snippet of a project follows its roles, and takes one branch with at most ten files', async () => {
  const { project, reporter, maintainer, guest } = await scene.project({ members: ['guest', 'reporter', 'maintainer'] })
  const { body } = await reporter.post(`${project.url}/snippets`, { title: 'A', visibility: 'private', files })
  const path = `${project.full_path}/snippets/${body.id}`
  const clone = place('project')
  await git(workbench.directory, 'clone', '--quiet', httpOf(path, guest), clone)
  const push = (person: { readonly token: string }, ...refs: string[]) => attempt(clone, 'push', httpOf(path, person), ...refs)

  await commit(clone, { 'b.txt': 'two\n' })
  assert.notEqual((await push(guest, 'main')).code, 0)
  assert.equal((await push(maintainer, 'main')).code, 0)
  assert.match((await push(reporter, 'main:other')).stderr, /only push to the branch 'main'/)
  await commit(clone, Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${n}.txt`, 'x'])))
  assert.match((await push(reporter, 'main')).stderr, /at most 10 file/)
  await git(clone, 'reset', '--quiet', '--hard', 'HEAD~1')
  const { snippet_size_limit } = (await scene.root.get('/application/settings')).body
  await scene.root.put('/application/settings', { snippet_size_limit: 100 })
  await commit(clone, { 'b.txt': 'x'.repeat(101) })
  assert.match((await push(reporter, 'main')).stderr, /b.txt is too long \(101 bytes\). The maximum size is 100 bytes/)
  await scene.root.put('/application/settings', { snippet_size_limit })
  const { body: after } = await reporter.get(`${project.url}/snippets/${body.id}`)
  assert.equal(after.files.length, 2)
  assert.notEqual((await attempt(clone, 'ls-remote', httpOf(`snippets/${body.id}`, maintainer))).code, 0)
  assert.match(await git(clone, 'ls-remote', httpOf(path, guest), 'refs/heads/main'), /refs\/heads\/main/)
})

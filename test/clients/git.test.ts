/**
 * The main job with the system's git, as people do it: push a repository that exists, clone it, work on it together,
 * and read it back through the API (clients.md 0.14).
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../scene.ts'
import { openCheckouts } from './checkouts.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const { addressFor, attempt, clone, commit, git, livedInRepository, pushedProject, references, remoteReferences } = await openCheckouts(
  scene,
  workbench,
)

test('an existing repository is pushed, cloned, and read back through the API', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const directory = await livedInRepository()

  await git(directory, 'remote', 'add', 'origin', addressFor(project, owner))
  await git(directory, 'push', '--quiet', '--set-upstream', '--all', 'origin')
  await git(directory, 'push', '--quiet', '--tags')

  assert.deepEqual(await references(await clone(addressFor(project, owner), '--mirror')), await references(directory))
  const checkout = await clone(addressFor(project, owner))
  await git(checkout, 'fsck', '--strict')
  assert.equal(await git(checkout, 'rev-parse', 'HEAD'), await git(directory, 'rev-parse', 'main'))

  const { body } = await owner.get(project.url)
  assert.deepEqual([body.default_branch, body.empty_repo], ['main', false])
  const branches = (await owner.get(`${project.url}/repository/branches`)).body as { name: string; commit: { id: string } }[]
  assert.deepEqual(
    branches.map(branch => `${branch.commit.id} refs/heads/${branch.name}`),
    (await references(directory)).filter(line => line.includes('refs/heads/')),
  )
  const tree = (await owner.get(`${project.url}/repository/tree`, { recursive: true, per_page: 100 })).body as {
    path: string
    type: string
  }[]
  assert.deepEqual(
    tree
      .filter(entry => entry.type === 'blob')
      .map(entry => entry.path)
      .toSorted(),
    (await git(directory, 'ls-tree', '-r', '-z', '--name-only', 'main'))
      .split('\0')
      .filter(path => path !== '')
      .toSorted(),
  )
  const commits = (await owner.get(`${project.url}/repository/commits`, { ref_name: 'main', per_page: 100 })).body as { id: string }[]
  assert.deepEqual(
    commits.map(({ id }) => id),
    (await git(directory, 'rev-list', 'main')).split('\n'),
  )
  const raw = await owner.get(`${project.url}/repository/files/bytes.bin/raw`, { ref: 'v1.0' })
  assert.deepEqual(raw.bytes, await readFile(join(directory, 'bytes.bin')))
})

test('a repository moves over with all it has by --mirror', async () => {
  const { project, owner } = await scene.project()
  const directory = await livedInRepository()
  await git(directory, 'notes', 'add', '--message', 'Well done', 'main')
  const mirror = await clone(directory, '--mirror')

  await git(mirror, 'push', '--quiet', '--mirror', addressFor(project, owner))

  assert.deepEqual(await remoteReferences(addressFor(project, owner)), await references(directory))
})

test('an empty project is cloned, filled and pushed, whatever its first branch is called', async () => {
  const { project, owner } = await scene.project()
  const checkout = await clone(addressFor(project, owner))
  await git(checkout, 'checkout', '--quiet', '--orphan', 'trunk')
  const id = await commit(checkout, { 'a.txt': 'a\n' })

  await git(checkout, 'push', '--quiet', 'origin', 'trunk')

  assert.equal((await owner.get(project.url)).body.default_branch, 'trunk')
  const head = await git(workbench.directory, 'ls-remote', '--symref', addressFor(project, owner), 'HEAD')
  assert.deepEqual(head.split('\n'), ['ref: refs/heads/trunk\tHEAD', `${id}\tHEAD`])
  assert.equal(await git(await clone(addressFor(project, owner)), 'branch', '--show-current'), 'trunk')
})

test('two people work on one branch: who is late fetches first', async () => {
  const { project, owner, directory } = await pushedProject()
  const other = await clone(addressFor(project, owner))
  await commit(directory, { 'one.txt': 'one\n' })
  await git(directory, 'push', '--quiet')
  await commit(other, { 'two.txt': 'two\n' })

  const late = await attempt(other, 'push')
  await git(other, 'pull', '--quiet', '--rebase')
  await git(other, 'push', '--quiet')
  await git(directory, 'pull', '--quiet')

  assert.equal(late.code, 1)
  assert.match(late.stderr, /! \[rejected\] +main -> main \(fetch first\)/)
  assert.equal(await git(directory, 'rev-parse', 'HEAD'), await git(other, 'rev-parse', 'HEAD'))
})

test('what the API commits arrives by fetch, after a compressed request that lists a long history', async () => {
  const { project, directory } = await pushedProject()
  // Newer than what both sides have: git names the newest commits first, and those of one second in any order.
  const env = { GIT_COMMITTER_DATE: new Date(Date.now() + 3_600_000).toISOString() }
  for (let number = 1; number <= 60; number++)
    await workbench.attempt('git', ['commit', '--quiet', '--allow-empty', '--message', `Own ${number}`], { cwd: directory, env })
  const id = await scene.commit(project, { 'by-api.txt': 'API\n' })

  const { code, stderr } = await workbench.attempt('git', ['fetch', 'origin'], { cwd: directory, env: { GIT_TRACE_CURL: '1' } })

  assert.equal(code, 0, stderr)
  assert.match(stderr, /=> Send header: content-encoding: gzip/i)
  assert.equal(await git(directory, 'rev-parse', 'origin/main'), id)
  assert.equal(await git(directory, 'show', 'origin/main:by-api.txt'), 'API')
})

test('a shallow clone has a part of the history, and deepens', async () => {
  const { project, owner, directory } = await pushedProject()
  for (const number of [1, 2, 3]) await commit(directory, { 'number.txt': `${number}\n` }, `Number ${number}`)
  await git(directory, 'push', '--quiet')

  const shallow = await clone(addressFor(project, owner), '--depth', '1')
  const counts = [await git(shallow, 'rev-list', '--count', 'HEAD')]
  await git(shallow, 'fetch', '--quiet', '--deepen', '1')
  counts.push(await git(shallow, 'rev-list', '--count', 'HEAD'))
  await commit(shallow, { 'new.txt': 'new\n' })
  await git(shallow, 'push', '--quiet')
  await git(shallow, 'fetch', '--quiet', '--unshallow')
  counts.push(await git(shallow, 'rev-list', '--count', 'HEAD'))

  assert.deepEqual(counts, ['1', '2', '5'])
})

test('a partial clone fetches contents when it needs them', async () => {
  const { project, owner, directory } = await pushedProject()
  await commit(directory, { 'big.txt': 'big\n'.repeat(1000) })
  await git(directory, 'push', '--quiet')

  const partial = await clone(addressFor(project, owner), '--filter=blob:none', '--no-checkout')
  const missing = await git(partial, 'rev-list', '--objects', '--missing=print', 'HEAD')
  const content = await git(partial, 'show', 'HEAD:big.txt')

  assert.equal(missing.split('\n').filter(line => line.startsWith('?')).length, 2)
  assert.equal(content, 'big\n'.repeat(1000).trimEnd())
})

test('protocol 2 is spoken where it is asked for, and the older ones too', async () => {
  const { project, owner } = await pushedProject()
  const versionSpoken = async (version: string) => {
    const { code, stderr } = await workbench.attempt(
      'git',
      ['-c', `protocol.version=${version}`, 'ls-remote', addressFor(project, owner)],
      {
        env: { GIT_TRACE_PACKET: '1' },
      },
    )
    assert.equal(code, 0, stderr)
    return /< version (\d)/.exec(stderr)?.[1] ?? '0'
  }

  assert.equal(await versionSpoken('2'), '2')
  assert.equal(await versionSpoken('1'), '1')
  assert.equal(await versionSpoken('0'), '0')
})

test('tags of both kinds are pushed and deleted', async () => {
  const { project, owner, directory } = await pushedProject()
  await git(directory, 'tag', 'light')
  await git(directory, 'tag', '--annotate', '--message', 'The first one', 'v1.0')

  await git(directory, 'push', '--quiet', '--follow-tags')
  const followed = (await owner.get(`${project.url}/repository/tags`)).body
  await git(directory, 'push', '--quiet', '--tags')
  const all = (await owner.get(`${project.url}/repository/tags`, { order_by: 'name', sort: 'asc' })).body
  await git(directory, 'push', '--quiet', '--delete', 'origin', 'v1.0')
  const left = (await owner.get(`${project.url}/repository/tags`)).body

  const named = (tags: { name: string; message: string | null }[]) => tags.map(({ name, message }) => [name, message ?? ''])
  assert.deepEqual(named(followed), [['v1.0', 'The first one']])
  assert.deepEqual(named(all), [
    ['light', ''],
    ['v1.0', 'The first one'],
  ])
  assert.deepEqual(named(left), [['light', '']])
})

test('notes travel like branches', async () => {
  const { project, owner, directory } = await pushedProject()
  await git(directory, 'notes', '--ref', 'release', 'add', '--message', 'Released', 'HEAD')

  await git(directory, 'push', '--quiet', 'origin', 'refs/notes/*:refs/notes/*')

  const checkout = await clone(addressFor(project, owner))
  await git(checkout, 'fetch', '--quiet', 'origin', 'refs/notes/*:refs/notes/*')
  assert.equal(await git(checkout, 'notes', '--ref', 'release', 'show', 'HEAD'), 'Released')
})

test('branches are deleted, and fetch --prune sees it; the default branch stays', async () => {
  const { project, owner, directory } = await pushedProject()
  await git(directory, 'push', '--quiet', 'origin', 'main:side')
  const checkout = await clone(addressFor(project, owner))

  await git(directory, 'push', '--quiet', 'origin', '--delete', 'side')
  const refused = await attempt(directory, 'push', 'origin', '--delete', 'main')
  await git(checkout, 'fetch', '--quiet', '--prune')

  assert.equal(await git(checkout, 'branch', '--remotes', '--list', 'origin/side'), '')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /! \[remote rejected\] main/)
  assert.equal((await owner.get(`${project.url}/repository/branches/main`)).status, 200)
})

test('push options are understood', async () => {
  const { directory } = await pushedProject()
  await commit(directory, { 'a.txt': 'a\n' })

  await git(directory, 'push', '--quiet', '--push-option', 'ci.skip', 'origin', 'main')
})

test('a push larger than git’s buffer is sent in chunks', async () => {
  const { project, owner, directory } = await pushedProject()
  const noise = Buffer.alloc(3_000_000)
  for (let at = 0, state = 1; at < noise.length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    noise.writeUInt32LE(state, at)
  }
  await commit(directory, { 'noise.bin': noise })

  const { code, stderr } = await workbench.attempt('git', ['push'], { cwd: directory, env: { GIT_TRACE_CURL: '1' } })

  assert.equal(code, 0, stderr)
  assert.match(stderr, /=> Send header: transfer-encoding: chunked/i)
  assert.deepEqual(await readFile(join(await clone(addressFor(project, owner)), 'noise.bin')), noise)
})

test('a repository deep in groups is found with and without .git', async () => {
  const { group, owner } = await scene.group()
  const { group: middle } = await scene.group({ owner, parent: group })
  const { group: bottom } = await scene.group({ owner, parent: middle })
  const { project } = await pushedProject({ owner, group: bottom })

  for (const url of [addressFor(project, owner), addressFor(project, owner).replace(/\.git$/, '')])
    assert.equal((await remoteReferences(url)).length, 1, url)
})

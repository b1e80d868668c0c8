import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { resolveCommit } from '../objects/objects.ts'
import { allRefs, listBranches } from '../refs/list.ts'
import { git, importCommits, openScene } from '../scene.ts'
import { copyBranchesAndTags, fetchInto } from './copies.ts'
import { housekeeping, repositoryStatistics } from './maintenance.ts'
import { defaultBranchOf, repositorySize, setDefaultBranch } from './storage.ts'

test('a repository lies under the hash of its project id, with its default branch', async () => {
  await using scene = await openScene()
  const repository = await scene.storage.create(42, { defaultBranch: 'trunk' })
  const hash = createHash('sha256').update('42').digest('hex')
  assert.equal(relative(scene.directory, repository.path), `repositories/@hashed/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}.git`)
  assert.equal(await defaultBranchOf(repository), 'trunk')
  assert.equal(git(repository, ['rev-parse', '--is-bare-repository']), 'true')

  await setDefaultBranch(repository, 'main')
  assert.equal(await defaultBranchOf(repository), 'main')
  await assert.rejects(setDefaultBranch(repository, '../x y'), { kind: 'invalid' })
})

test('a repository is made once, and a creation that fails leaves nothing', async () => {
  await using scene = await openScene()
  await scene.storage.create(1, { defaultBranch: 'main' })
  await assert.rejects(scene.storage.create(1, { defaultBranch: 'main' }), { kind: 'conflict' })
  const fill = () => Promise.reject(new Error('no'))
  await assert.rejects(scene.storage.create(2, { defaultBranch: 'main', fill }), /no/)
  assert.equal(await scene.storage.exists(scene.storage.repository(1)), true)
  assert.equal(await scene.storage.exists(scene.storage.repository(2)), false)
  assert.deepEqual(await readdir(join(scene.directory, 'repositories/@tmp')), [])
})

test('a removed repository is gone, also for a reader that had it open', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  importCommits(repository, 'main', [{}])
  await resolveCommit(repository, 'main')

  await scene.storage.remove(repository)
  await scene.storage.remove(repository)

  assert.equal(await scene.storage.exists(repository), false)
  await assert.rejects(resolveCommit(repository, 'main'), { kind: 'not_found' })
  await assert.rejects(listBranches(repository), { kind: 'not_found' })
})

test('what a crash left is swept', async () => {
  await using scene = await openScene()
  const root = join(scene.directory, 'repositories')
  for (const place of ['@tmp', '@trash']) {
    await mkdir(join(root, place, 'x'), { recursive: true })
    await writeFile(join(root, place, 'x', 'file'), '')
  }
  await scene.storage.sweep()
  assert.deepEqual(await readdir(root), [])
})

test('a copy has all branches and tags, and survives the source', async () => {
  await using scene = await openScene()
  const source = await scene.repository()
  const head = importCommits(source, 'main', [{ files: { a: '1' } }, { files: { b: '2' } }])
  git(source, ['tag', '-a', '-m', 'note', 'v1'])
  git(source, ['update-ref', 'refs/keep-around/x', head])

  const copy = await scene.storage.create(99, { defaultBranch: 'main', fill: made => copyBranchesAndTags(made, source) })
  await scene.storage.remove(source)

  assert.deepEqual([...(await allRefs(copy)).keys()], ['refs/heads/main', 'refs/tags/v1'])
  assert.equal(await resolveCommit(copy, 'main'), head)
  git(copy, ['fsck', '--strict'])
})

test('a copy of an empty repository is empty', async () => {
  await using scene = await openScene()
  const source = await scene.repository()
  const copy = await scene.storage.create(99, { defaultBranch: 'main', fill: made => copyBranchesAndTags(made, source) })
  assert.deepEqual(await allRefs(copy), new Map())
})

test('references of another repository are fetched under names of this one', async () => {
  await using scene = await openScene()
  const [source, target] = [await scene.repository(), await scene.repository()]
  const head = importCommits(source, 'topic', [{}])
  await fetchInto(target, source, [{ from: 'refs/heads/topic', to: 'refs/ingot/fork' }])
  assert.deepEqual(await allRefs(target), new Map([['refs/ingot/fork', head]]))
})

test('housekeeping packs, keeps what was just written, and readers go on', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  for (let index = 0; index < 5; index += 1) importCommits(repository, 'main', [{ files: { [`f${index}`]: 'x' } }])
  const unreachable = git(repository, ['hash-object', '-w', '--stdin'], 'nobody names this yet')
  const head = await resolveCommit(repository, 'main')

  await housekeeping(repository)

  assert.equal(await resolveCommit(repository, 'main'), head)
  assert.equal(git(repository, ['cat-file', '-t', unreachable]), 'blob')
  // One of them for what nothing names.
  assert.match(git(repository, ['count-objects', '-v']), /^count: 0$.*^packs: 2$/ms)
  git(repository, ['fsck', '--strict'])
  assert.deepEqual(await repositoryStatistics(repository), { commit_count: 5, size: await repositorySize(repository) })
  assert.ok((await repositorySize(repository)) > 0)
})

test('housekeeping lets what nothing names any more take no more room than it took', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const noise = randomBytes(200_000)
  const alike = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, Buffer.concat([noise, Buffer.from(`${index}`)])]))
  importCommits(repository, 'main', [{ files: { a: '1' } }])
  const gone = importCommits(repository, 'topic', [{ files: alike }])
  await housekeeping(repository)
  const before = await repositorySize(repository)
  assert.ok(before < 1_000_000, `${before} bytes`)
  git(repository, ['update-ref', '-d', 'refs/heads/topic'])

  await housekeeping(repository)

  const after = await repositorySize(repository)
  assert.ok(after < before + 50_000, `${after} bytes`)
  assert.equal(git(repository, ['cat-file', '-t', gone]), 'commit')
})

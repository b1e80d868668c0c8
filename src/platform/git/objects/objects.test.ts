import assert from 'node:assert/strict'
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { gitProcesses } from '../process/run.ts'
import { git, importCommits, openScene } from '../scene.ts'
import type { Repository } from '../storage/repository.ts'
import { readBlob, readCommit, readCommits, readRefs, readTag, resolveCommit, streamBlob } from './objects.ts'

test('a commit is read with its parts, and keeps the time zone of its author', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const id = importCommits(repository, 'main', [{ message: 'Title\n\nBody\n', author: 'Zoë <z@example.com>', date: '1622541600 +0200' }])

  const commit = await readCommit(repository, id)

  assert.deepEqual(commit, {
    id,
    tree_id: git(repository, ['rev-parse', `${id}^{tree}`]),
    parent_ids: [],
    author: { name: 'Zoë', email: 'z@example.com', date: '2021-06-01T12:00:00.000+02:00' },
    committer: { name: 'Zoë', email: 'z@example.com', date: '2021-06-01T12:00:00.000+02:00' },
    message: 'Title\n\nBody\n',
    title: 'Title',
    is_signed: false,
  })
})

test('a revision is a full id, HEAD, a branch, a tag or a short id, in this order', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const first = importCommits(repository, 'main', [{}])
  const second = importCommits(repository, 'main', [{}])
  git(repository, ['branch', 'both', first])
  git(repository, ['tag', 'both', second])
  git(repository, ['tag', '-a', '-m', 'note', 'v1', first])
  git(repository, ['branch', first.slice(0, 8), second])

  const found = (revision: string) => resolveCommit(repository, revision)

  assert.equal(await found(second), second)
  assert.equal(await found('HEAD'), second)
  assert.equal(await found('both'), first)
  assert.equal(await found('refs/tags/both'), second)
  assert.equal(await found('v1'), first)
  assert.equal(await found(first.slice(0, 8)), second)
  assert.equal(await found(first.slice(0, 9).toUpperCase()), first)
})

test('an expression is not a revision', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  importCommits(repository, 'main', [{ files: { a: '1' } }, {}])
  for (const revision of [
    'main..main',
    'main^',
    'main~1',
    'main@{0}',
    'main:a',
    ':a',
    '@',
    '-h',
    '--all',
    '',
    'main^{tree}',
    'a b',
    'x\ny',
    ':/Commit',
    '*',
  ]) {
    assert.equal(await resolveCommit(repository, revision), undefined, revision)
  }
})

/** Reads an object that is in no loose file, which takes a reader. */
async function startReader(repository: Repository): Promise<void> {
  assert.equal(await resolveCommit(repository, 'f'.repeat(40)), undefined)
  assert.equal(repository.readers.size, 1)
}

test('a warm reader starts no process, and sees new references and objects', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  await startReader(repository)
  const before = gitProcesses.started

  const id = importCommits(repository, 'main', [{ message: 'new' }])
  assert.equal(await resolveCommit(repository, 'main'), id)
  git(repository, ['repack', '-a', '-d', '-q'])
  git(repository, ['pack-refs', '--all'])
  const again = importCommits(repository, 'main', [{ message: 'newer' }])
  assert.equal(await resolveCommit(repository, 'main'), again)
  assert.deepEqual(
    (await readCommits(repository, [id, again])).map(commit => commit?.message),
    ['new', 'newer'],
  )

  assert.equal(gitProcesses.started, before)
})

test('a reader that is killed is replaced', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const id = importCommits(repository, 'main', [{}])
  await startReader(repository)

  // It may answer before its pid is known.
  process.kill(await eventually(() => repository.readers.pidOf(repository.path), 'the pid to be known'), 'SIGKILL')

  const answers = await Promise.all(Array.from({ length: 20 }, () => resolveCommit(repository, 'main')))
  assert.deepEqual(new Set(answers), new Set([id]))
})

test('a bounded number of readers serves many repositories concurrently', async () => {
  await using scene = await openScene({ maxReaders: 2 })
  const repositories = await Promise.all(Array.from({ length: 6 }, () => scene.repository()))
  const ids = repositories.map((repository, index) => importCommits(repository, 'main', [{ message: `in ${index}` }]))
  for (const repository of repositories) git(repository, ['repack', '-a', '-d', '-q'])

  const found = await Promise.all([...repositories, ...repositories].map(repository => resolveCommit(repository, 'main')))

  assert.deepEqual(found, [...ids, ...ids])
  assert.ok(repositories[0]!.readers.size <= 2)
})

test('a reader ends after its idle time', async () => {
  await using scene = await openScene({ idleMs: 1 })
  const repository = await scene.repository()
  await startReader(repository)
  while (repository.readers.size > 0) await new Promise(resolve => setImmediate(resolve))
  assert.equal(repository.readers.size, 0)
})

test('a removed repository is not found, and one made again under its path is another', async () => {
  await using scene = await openScene()
  const repository = await scene.storage.create(7, { defaultBranch: 'main' })
  importCommits(repository, 'main', [{}])
  assert.ok(await resolveCommit(repository, 'main'))

  await rm(repository.path, { recursive: true })
  await assert.rejects(resolveCommit(repository, 'main'), { kind: 'not_found' })
  await scene.storage.create(7, { defaultBranch: 'main' })
  assert.equal(await resolveCommit(repository, 'main'), undefined)
})

test('a blob is bounded when buffered, and whole when streamed', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const big = Buffer.alloc(3 * 1024 * 1024, 'x')
  const binary = Buffer.from([0, 255, 10, 13, 0])
  importCommits(repository, 'main', [{ files: { big, binary } }])
  const id = (path: string) => git(repository, ['rev-parse', `main:${path}`])

  assert.deepEqual(await readBlob(repository, id('binary'), 5), binary)
  await assert.rejects(readBlob(repository, id('binary'), 4), { kind: 'too_large', limit: 4 })
  await assert.rejects(readBlob(repository, git(repository, ['rev-parse', 'main']), 100), { kind: 'not_found' })
  for (const [path, content] of Object.entries({ big, binary })) {
    const { size, bytes } = await streamBlob(repository, id(path))
    assert.equal(size, content.length)
    assert.deepEqual(await buffer(bytes), content)
  }
})

test('a large blob that is not read to its end leaves no process', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  importCommits(repository, 'main', [{ files: { big: Buffer.alloc(8 * 1024 * 1024, 'x') } }])
  const { bytes } = await streamBlob(repository, git(repository, ['rev-parse', 'main:big']))
  for await (const _ of bytes) break
  // Leaving the loop waits until the process's output is closed: the scene can be removed.
})

test('a corrupt object is a typed error, and other objects and repositories are unharmed', async () => {
  await using scene = await openScene()
  const [bad, good] = [await scene.repository(), await scene.repository()]
  const kept = importCommits(bad, 'main', [{ message: 'kept' }])
  const broken = importCommits(bad, 'main', [{ message: 'broken' }])
  importCommits(good, 'main', [{}])
  await overwriteLoose(bad, broken)

  await assert.rejects(readCommit(bad, broken), { kind: 'corrupt' })
  assert.equal((await readCommit(bad, kept))?.message, 'kept')
  assert.ok(await resolveCommit(good, 'main'))
})

test('a corrupt pack is a typed error for its objects, and the reader survives', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const noise = (seed: number) =>
    Buffer.from(Array.from({ length: 20_000 }, (_, index) => (Math.imul(index + seed, 2_654_435_761) >>> 13) & 255))
  const commit = importCommits(repository, 'main', [{ files: { hit: noise(1), spared: noise(500_000) } }])
  const [hit, spared] = ['hit', 'spared'].map(path => git(repository, ['rev-parse', `main:${path}`])) as [string, string]
  git(repository, ['repack', '-a', '-d', '-q', '-F', '--window=0'])
  const packs = join(repository.path, 'objects/pack')
  const pack = join(packs, (await readdir(packs)).find(name => name.endsWith('.pack'))!)
  const line = git(repository, ['verify-pack', '-v', pack.replace(/pack$/, 'idx')])
    .split('\n')
    .find(row => row.startsWith(hit))!
  const bytes = await readFile(pack)
  bytes.fill(0xff, Number(line.split(/\s+/)[4]) + 1000, Number(line.split(/\s+/)[4]) + 1100)
  await chmod(pack, 0o644)
  await writeFile(pack, bytes)

  await assert.rejects(readBlob(repository, hit, 100_000), { kind: 'corrupt' })
  assert.deepEqual(await readBlob(repository, spared, 100_000), noise(500_000))
  assert.equal((await readCommit(repository, commit))?.id, commit)
})

async function overwriteLoose(repository: Repository, id: string): Promise<void> {
  const directory = join(repository.path, 'objects', id.slice(0, 2))
  assert.ok((await readdir(directory)).includes(id.slice(2)))
  await rm(join(directory, id.slice(2)))
  await writeFile(join(directory, id.slice(2)), 'not an object')
}

test('an annotated tag is read with its message and tagger', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const id = importCommits(repository, 'main', [{}])
  git(repository, ['tag', '-a', '-m', 'First\n\nNotes', 'v1', id])
  const [target] = await readRefs(repository, ['refs/tags/v1'])

  const tag = await readTag(repository, target!)

  assert.equal(tag?.name, 'v1')
  assert.equal(tag?.target, id)
  assert.equal(tag?.target_type, 'commit')
  assert.equal(tag?.message, 'First\n\nNotes')
  assert.equal(tag?.tagger?.email, 'ada@example.com')
  assert.equal(await readTag(repository, id), undefined)
})

test('an object that is too large for memory is refused, and what was asked besides is answered', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const tree = git(repository, ['mktree'], '').trim()
  const small = git(repository, ['commit-tree', tree], 'small').trim()
  const large = git(repository, ['commit-tree', tree], 'x'.repeat(5 * 1024 * 1024)).trim()

  const [both, other] = await Promise.allSettled([readCommits(repository, [small, large, small]), readCommits(repository, [small])])
  assert.equal(both.status === 'rejected' && both.reason.kind, 'too_large')
  assert.equal(other.status === 'fulfilled' && other.value[0]?.message, 'small')
  assert.equal((await readCommit(repository, small))?.title, 'small')
})

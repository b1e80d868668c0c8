import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gitProcesses } from '../process/run.ts'
import { git, importCommits, openScene } from '../scene.ts'
import { commitTree } from '../writing/merges.ts'
import { readLoose, writeLoose } from './loose-objects.ts'
import { readRefs, resolveCommits } from './objects.ts'

const scene = await openScene()
after(() => scene[Symbol.asyncDispose]())

const person = { name: 'Ada', email: 'ada@example.com' }

test('what is written is what git would have written, and can be read by both', async () => {
  const repository = await scene.repository()
  for (const [type, data] of [
    ['blob', Buffer.from([0, 255, 10, 13, 0])],
    ['blob', Buffer.alloc(0)],
    ['blob', Buffer.alloc(200_000, 'text ')],
    ['tree', Buffer.alloc(0)],
  ] as const) {
    const id = await writeLoose(repository, type, data)

    assert.equal(git(repository, ['hash-object', '-t', type, '--stdin'], data), id)
    assert.equal(git(repository, ['cat-file', '-t', id]), type)
    assert.deepEqual(readLoose(repository, id), { id, type, size: data.length, data })
    assert.equal(statSync(join(repository.path, 'objects', id.slice(0, 2), id.slice(2))).mode & 0o777, 0o444)
  }
  git(repository, ['fsck', '--strict'])
  assert.deepEqual(
    readdirSync(join(repository.path, 'objects')).filter(name => name.startsWith('tmp_')),
    [],
  )
})

test('an object that is there already may be written again', async () => {
  const repository = await scene.repository()
  const ids = await Promise.all([1, 2, 3].map(() => writeLoose(repository, 'blob', Buffer.from('same'))))

  assert.equal(new Set(ids).size, 1)
  assert.equal(git(repository, ['cat-file', '-p', ids[0] as string]), 'same')
})

test('what is packed, damaged or absent is not read here', async () => {
  const repository = await scene.repository()
  const id = importCommits(repository, 'main', [{}])
  assert.equal(readLoose(repository, id)?.type, 'commit')
  const file = join(repository.path, 'objects', id.slice(0, 2), id.slice(2))
  await chmod(file, 0o644)
  await writeFile(file, 'not an object')
  assert.equal(readLoose(repository, id), undefined)

  const other = await scene.repository()
  const kept = importCommits(other, 'main', [{}])
  git(other, ['repack', '-a', '-d', '-q'])
  assert.equal(readLoose(other, kept), undefined)
})

test('a commit of what is there is written without a process, and one of what is not is refused', async () => {
  const repository = await scene.repository()
  const parent = importCommits(repository, 'main', [{ files: { 'a.txt': 'a\n' } }])
  const tree = git(repository, ['rev-parse', `${parent}^{tree}`])
  const text = { author: person, committer: person, message: 'Say it again', now: new Date('2021-06-01T12:00:00Z') }
  const before = gitProcesses.started

  const id = await commitTree(repository, { ...text, tree, parents: [parent] })

  assert.equal(gitProcesses.started, before)
  assert.equal(git(repository, ['rev-list', '--count', id]), '2')
  git(repository, ['fsck', '--strict'])
  await assert.rejects(commitTree(repository, { ...text, tree, parents: ['1'.repeat(40)] }), { kind: 'invalid' })
  await assert.rejects(commitTree(repository, { ...text, tree: parent, parents: [] }), { kind: 'invalid' })
})

test('a repository of files is read without a process, and a packed one by its reader, with the same answers', async () => {
  const repository = await scene.repository()
  const id = importCommits(repository, 'main', [{}])
  git(repository, ['tag', '-a', '-m', 'First', 'v1', id])
  const refs = ['refs/heads/main', 'refs/heads/none', 'refs/heads/main/below', 'refs/heads/ma']
  const revisions = ['main', 'v1', id, 'none', '1'.repeat(40)]
  const ask = async () => [await readRefs(repository, refs), await resolveCommits(repository, revisions)]
  const before = gitProcesses.started
  assert.deepEqual(await readRefs(repository, refs), [id, undefined, undefined, undefined])
  assert.deepEqual(await resolveCommits(repository, ['main', id]), [id, id])
  assert.equal(gitProcesses.started, before)

  const ofFiles = await ask()
  git(repository, ['repack', '-a', '-d', '-q'])
  git(repository, ['pack-refs', '--all', '--prune'])
  repository.readers.release(repository.path)

  assert.deepEqual(await ask(), ofFiles)
  assert.deepEqual(ofFiles[1], [id, id, id, undefined, undefined])
  assert.ok(!existsSync(join(repository.path, 'refs/heads/main')))
})

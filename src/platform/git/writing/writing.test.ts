import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCommit, readTag } from '../objects/objects.ts'
import { zeroId } from '../objects/oid.ts'
import { gitProcesses } from '../process/run.ts'
import { updateRefs } from '../refs/update.ts'
import { git, importCommits, openScene } from '../scene.ts'
import type { Repository } from '../storage/repository.ts'
import { commitActions, type FileAction } from './actions.ts'
import { cherryPick, mergeTree, revert, writeTag } from './merges.ts'

const now = new Date('2021-06-01T10:00:00Z')
const ada = { name: 'Ada', email: 'ada@example.com' }
const bob = { name: 'Bob', email: 'bob@example.com' }
const text = { author: ada, committer: bob, message: 'A change', now }

const create = (file_path: string, content: string | Buffer = 'x'): FileAction => ({
  action: 'create',
  file_path,
  content: Buffer.from(content),
})

function commitOn(repository: Repository, parent: string | null, actions: readonly FileAction[]): Promise<string> {
  return commitActions(repository, { ...text, parent, actions })
}

const listing = (repository: Repository, commit: string) =>
  git(repository, ['ls-tree', '-r', '-z', commit])
    .split('\0')
    .filter(Boolean)
    .map(line => line.replace(/^(\d+) \w+ \w+\t/, '$1 '))

test('a commit is written by one process, and no reference names it', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const parent = importCommits(repository, 'main', [
    { files: { 'd/keep': '1', 'd/change': '1', 'e/only': '1', old: 'contents', tool: '#!', ünï: '1' } },
  ])
  await readCommit(repository, parent)
  const before = gitProcesses.started

  const id = await commitOn(repository, parent, [
    create('new/deep/file "é"\n', Buffer.from([0, 255])),
    { action: 'update', file_path: 'd/change', content: Buffer.from('2') },
    { action: 'delete', file_path: 'e/only' },
    { action: 'move', file_path: 'moved/old', previous_path: 'old' },
    { action: 'chmod', file_path: 'tool', execute_filemode: true },
    create('a'),
    { action: 'update', file_path: 'a', content: Buffer.from('seen by the next action') },
  ])

  assert.equal(gitProcesses.started, before + 1)
  assert.deepEqual(listing(repository, id), [
    '100644 a',
    '100644 d/change',
    '100644 d/keep',
    '100644 moved/old',
    '100644 new/deep/file "é"\n',
    '100755 tool',
    '100644 ünï',
  ])
  assert.equal(git(repository, ['cat-file', 'blob', `${id}:moved/old`]), 'contents')
  assert.equal(git(repository, ['cat-file', 'blob', `${id}:a`]), 'seen by the next action')
  assert.equal(git(repository, ['for-each-ref', '--contains', id]), '')
  git(repository, ['fsck', '--strict', '--no-dangling'])
  assert.deepEqual(await readCommit(repository, id), {
    id,
    tree_id: git(repository, ['rev-parse', `${id}^{tree}`]),
    parent_ids: [parent],
    author: { ...ada, date: '2021-06-01T10:00:00.000+00:00' },
    committer: { ...bob, date: '2021-06-01T10:00:00.000+00:00' },
    message: 'A change',
    title: 'A change',
    is_signed: false,
  })
})

test('the first commit of an empty repository, and one without files', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const first = await commitOn(repository, null, [create('README.md', '# Hello')])
  await updateRefs(repository, [{ ref: 'refs/heads/main', old: zeroId, new: first }])
  assert.equal(git(repository, ['show', 'main:README.md']), '# Hello')
  const empty = await commitOn(repository, first, [{ action: 'delete', file_path: 'README.md' }])
  assert.deepEqual(listing(repository, empty), [])
})

test('a commit of many files is written by one process', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const before = gitProcesses.started
  const id = await commitOn(
    repository,
    null,
    Array.from({ length: 500 }, (_, index) => create(`d${index % 9}/f${index}`, `${index}`)),
  )
  assert.equal(gitProcesses.started, before + 1)
  assert.equal(listing(repository, id).length, 500)
  git(repository, ['fsck', '--strict', '--no-dangling'])
})

test('a move may go below its own name, and a file may take the place of a directory that is emptied', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const parent = importCommits(repository, 'main', [{ files: { a: '1', 'd/f': '2' } }])
  const id = await commitOn(repository, parent, [
    { action: 'move', previous_path: 'a', file_path: 'a/b', content: Buffer.from('new') },
    { action: 'delete', file_path: 'd/f' },
    create('d'),
  ])
  assert.deepEqual(listing(repository, id), ['100644 a/b', '100644 d'])
})

const refusals: readonly [FileAction, string, string][] = [
  [create('file'), 'file_exists', 'A file with this name already exists'],
  [create('file/below'), 'file_exists', 'A file with this name already exists'],
  [create('dir'), 'directory_exists', 'A directory with this name already exists'],
  [{ action: 'update', file_path: 'none', content: Buffer.from('') }, 'file_missing', "A file with this name doesn't exist"],
  [{ action: 'update', file_path: 'dir', content: Buffer.from('') }, 'file_missing', "A file with this name doesn't exist"],
  [{ action: 'delete', file_path: 'none' }, 'file_missing', "A file with this name doesn't exist"],
  [{ action: 'chmod', file_path: 'none', execute_filemode: true }, 'file_missing', "A file with this name doesn't exist"],
  [{ action: 'move', previous_path: 'none', file_path: 'x' }, 'file_missing', "A file with this name doesn't exist"],
  [{ action: 'move', previous_path: 'file', file_path: 'dir/inside' }, 'file_exists', 'A file with this name already exists'],
  [create('../x'), 'path_invalid', 'Path cannot include directory traversal'],
  [create('/x'), 'path_invalid', "invalid path: '/x'"],
  [create('a//b'), 'path_invalid', "invalid path: 'a//b'"],
  [create('.GIT/hooks/x'), 'path_invalid', "invalid path: '.GIT/hooks/x'"],
  [create('a\0b'), 'path_invalid', "invalid path: 'a\0b'"],
  [create(''), 'path_invalid', "invalid path: ''"],
]

test('an action that cannot be done refuses them all, with its reason', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const parent = importCommits(repository, 'main', [{ files: { file: '1', 'dir/inside': '1' } }])
  const objects = () => git(repository, ['count-objects', '-v'])
  const before = objects()
  for (const [action, reason, message] of refusals) {
    await assert.rejects(commitOn(repository, parent, [create('fine'), action]), {
      name: 'ActionRefused',
      kind: 'invalid',
      reason,
      message,
      action: 1,
    })
  }
  await assert.rejects(commitOn(repository, 'a'.repeat(40), [create('x')]), { kind: 'not_found' })
  assert.equal(objects(), before)
})

test('a file that has changed since its last_commit_id is not overwritten', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const first = importCommits(repository, 'main', [{ files: { a: '1', b: '1' } }])
  const second = importCommits(repository, 'main', [{ files: { a: '2' } }])
  const update = (file_path: string, last_commit_id: string): FileAction => ({
    action: 'update',
    file_path,
    last_commit_id,
    content: Buffer.from('3'),
  })

  await assert.rejects(commitOn(repository, second, [update('b', first), update('a', first)]), {
    reason: 'file_changed',
    path: 'a',
    action: 1,
  })
  await commitOn(repository, second, [update('b', first), update('a', second)])
})

test('an annotated tag is an object like git writes it', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const target = importCommits(repository, 'main', [{}])
  const id = await writeTag(repository, { name: 'v1', target, tagger: ada, message: 'First', now })
  await updateRefs(repository, [{ ref: 'refs/tags/v1', old: zeroId, new: id }])
  assert.equal(
    git(repository, ['for-each-ref', '--format=%(taggername) %(contents) %(*objectname)', 'refs/tags/v1']),
    `Ada First\n ${target}`,
  )
  assert.equal((await readTag(repository, id))?.message, 'First')
  git(repository, ['fsck', '--strict'])
})

test('a commit is picked and reverted without a working copy', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{ files: { a: '1\n', b: '1\n' } }])
  const fix = (await readCommit(
    repository,
    importCommits(
      repository,
      'topic',
      [{ message: 'fix', files: { a: '2\n', c: 'new\n' }, author: 'Eve <eve@example.com>', date: '1622541600 +0200' }],
      base,
    ),
  ))!
  const onto = importCommits(repository, 'main', [{ message: 'other', files: { b: '2\n' } }])
  const replay = { commit: fix, committer: bob, message: 'again', now }

  const picked = (await readCommit(repository, await cherryPick(repository, { ...replay, onto })))!
  assert.deepEqual(picked.author, { name: 'Eve', email: 'eve@example.com', date: '2021-06-01T12:00:00.000+02:00' })
  assert.equal(picked.committer.name, 'Bob')
  assert.deepEqual(picked.parent_ids, [onto])
  assert.equal(git(repository, ['diff', '--name-only', onto, picked.id]), 'a\nc')

  const reverted = (await readCommit(repository, await revert(repository, { ...replay, commit: picked, onto: picked.id })))!
  assert.equal(reverted.tree_id, git(repository, ['rev-parse', `${onto}^{tree}`]))
  assert.equal(reverted.author.name, 'Bob')
  await assert.rejects(cherryPick(repository, { ...replay, onto: picked.id }), { name: 'NothingToChange' })
  git(repository, ['fsck', '--strict', '--no-dangling'])
})

test('changes that conflict are refused with their paths', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{ files: { a: '1\n', 'ü\n': '1\n', b: '1\n' } }])
  const topic = importCommits(repository, 'topic', [{ message: 't', files: { a: '2\n', 'ü\n': '2\n', b: '2\n' } }], base)
  const onto = importCommits(repository, 'main', [{ message: 'm', files: { a: '3\n', 'ü\n': '3\n' } }])
  const commit = (await readCommit(repository, topic))!
  const conflict = { name: 'MergeConflict', kind: 'conflict', paths: ['a', 'ü\n'] }

  await assert.rejects(cherryPick(repository, { commit, onto, committer: bob, message: 'x', now }), conflict)
  await assert.rejects(mergeTree(repository, onto, topic), conflict)
})

test('the first commit of a history can be picked elsewhere and reverted', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const root = (await readCommit(repository, importCommits(repository, 'main', [{ files: { a: '1\n' } }])))!
  const other = await commitOn(repository, null, [create('b')])
  const replay = { commit: root, committer: bob, message: 'x', now }

  assert.deepEqual(listing(repository, await cherryPick(repository, { ...replay, onto: other })), ['100644 a', '100644 b'])
  assert.deepEqual(listing(repository, await revert(repository, { ...replay, onto: root.id })), [])
})

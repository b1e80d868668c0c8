import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveCommit } from '../objects/objects.ts'
import { gitProcesses } from '../process/run.ts'
import { git, importCommits, openScene } from '../scene.ts'
import { commitReplacements, lineReader, type Replacement, ReplacementRefused, readLines, replaceLines } from './suggestions.ts'

const now = new Date('2021-06-01T10:00:00Z')
const ada = { name: 'Ada', email: 'ada@example.com' }
const text = { author: ada, committer: ada, message: 'Apply 3 suggestions to 2 files', now }

const cases: readonly { readonly says: string; readonly before: string; readonly changes: Replacement[]; readonly after: string }[] = [
  { says: 'one line', before: 'a\nb\nc\n', changes: [{ from: 2, to: 2, text: 'x\n' }], after: 'a\nx\nc\n' },
  { says: 'the missing line end is added', before: 'a\nb\nc\n', changes: [{ from: 1, to: 2, text: 'x' }], after: 'x\nc\n' },
  { says: 'more lines than before', before: 'a\nb\n', changes: [{ from: 1, to: 1, text: 'x\ny\n\n' }], after: 'x\ny\n\nb\n' },
  { says: 'lines are deleted', before: 'a\nb\nc\n', changes: [{ from: 2, to: 3, text: '' }], after: 'a\n' },
  { says: 'an empty line is not none', before: 'a\nb\n', changes: [{ from: 1, to: 1, text: '\n' }], after: '\nb\n' },
  {
    says: 'in any order',
    before: 'a\nb\nc\n',
    changes: [
      { from: 3, to: 3, text: 'z' },
      { from: 1, to: 1, text: 'x\nx' },
    ],
    after: 'x\nx\nb\nz\n',
  },
  { says: 'a last line without end', before: 'a\nb', changes: [{ from: 2, to: 2, text: 'x\n' }], after: 'a\nx' },
  { says: 'CRLF stays', before: 'a\r\nb\r\n', changes: [{ from: 1, to: 1, text: 'x\ny\n', expected: 'a\n' }], after: 'x\r\ny\r\nb\r\n' },
  { says: 'as expected', before: 'ü\nb\n', changes: [{ from: 1, to: 1, text: 'ö', expected: 'ü' }], after: 'ö\nb\n' },
]

test('lines are replaced, and nothing else', () => {
  for (const { says, before, changes, after } of cases) {
    assert.equal(replaceLines('f', Buffer.from(before), changes).toString('utf8'), after, says)
  }
  const latin = Buffer.from('é\nb\n', 'latin1')
  assert.deepEqual(replaceLines('f', latin, [{ from: 2, to: 2, text: 'ö' }]), Buffer.from('é\nö\n', 'latin1'))
  const refusals: [Buffer, Replacement[], string, string][] = [
    [latin, [{ from: 2, to: 2, text: '→' }], 'encoding', 'invalid'],
    [Buffer.from('a\nb\n'), [{ from: 3, to: 3, text: 'x' }], 'line_missing', 'invalid'],
    [Buffer.from('a\nb\n'), [{ from: 0, to: 1, text: 'x' }], 'line_missing', 'invalid'],
    [Buffer.from(''), [{ from: 1, to: 1, text: 'x' }], 'line_missing', 'invalid'],
    [
      Buffer.from('a\nb\n'),
      [
        { from: 1, to: 2, text: 'x' },
        { from: 2, to: 2, text: 'y' },
      ],
      'overlap',
      'invalid',
    ],
    [Buffer.from('a\nb\n'), [{ from: 1, to: 1, text: 'x', expected: 'b' }], 'changed', 'conflict'],
  ]
  for (const [content, changes, reason, kind] of refusals) {
    assert.throws(
      () => replaceLines('f', content, changes),
      (error: unknown) => error instanceof ReplacementRefused && error.reason === reason && error.kind === kind && error.path === 'f',
      reason,
    )
  }
})

test('several suggestions to several files are one commit, written by one process', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const parent = importCommits(repository, 'main', [
    { files: { 'd/ü': 'a\nb\nc\n', tool: { mode: '100755', content: '1\n2\n' }, other: 'x\n' } },
  ])
  await resolveCommit(repository, 'main')
  assert.equal(await readLines(repository, parent, 'd/ü', { from: 2, to: 3 }), 'b\nc\n')
  for (const [path, from, to] of [
    ['none', 1, 1],
    ['d', 1, 1],
    ['other', 1, 2],
    ['other', 0, 1],
  ] as const) {
    assert.equal(await readLines(repository, parent, path, { from, to }), undefined)
  }

  const before = gitProcesses.started
  const id = await commitReplacements(repository, {
    ...text,
    parent,
    files: [
      {
        path: 'd/ü',
        replacements: [
          { from: 1, to: 1, text: 'A' },
          { from: 3, to: 3, text: 'C', expected: 'c\n' },
        ],
      },
      { path: 'tool', replacements: [{ from: 2, to: 2, text: 'two' }] },
    ],
  })
  assert.equal(gitProcesses.started, before + 1)
  assert.equal(git(repository, ['rev-parse', `${id}^`]), parent)
  assert.equal(git(repository, ['show', `${id}:d/ü`]), 'A\nb\nC')
  assert.equal(git(repository, ['ls-tree', id, 'tool']).slice(0, 6), '100755')
  assert.equal(git(repository, ['diff', '--name-only', parent, id]), 'd/ü\ntool')
  git(repository, ['fsck', '--strict', '--no-dangling'])

  const apply = (path: string, change: Replacement) =>
    commitReplacements(repository, { ...text, parent, files: [{ path, replacements: [change] }] })
  await assert.rejects(apply('none', { from: 1, to: 1, text: '' }), { name: 'ReplacementRefused', reason: 'file_missing' })
  await assert.rejects(apply('d/ü', { from: 1, to: 1, text: '', expected: 'A' }), { name: 'ReplacementRefused', reason: 'changed' })
  await assert.rejects(apply('other', { from: 1, to: 1, text: 'x' }), { name: 'NothingToChange' })
})

test('many spans of a file are cut from it once it is read, to its last line', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const large = `${'x\n'.repeat(600_000)}é\r\nlast`
  const parent = importCommits(repository, 'main', [{ files: { large, ended: 'a\nb\n', empty: '' } }])
  await resolveCommit(repository, 'main')
  const cases: readonly (readonly [from: number, to: number, text: string | undefined])[] = [
    [1, 2, 'x\nx\n'],
    [600_001, 600_002, 'é\r\nlast'],
    [600_002, 600_002, 'last'],
    [600_002, 600_003, undefined],
    [600_003, 600_003, undefined],
    [2, 1, undefined],
    [0, 1, undefined],
  ]

  const read = await lineReader(
    repository,
    parent,
    'large',
    cases.map(([from, to]) => ({ from, to })),
  )

  const before = gitProcesses.started
  for (const [from, to, text] of cases) assert.equal(read?.({ from, to }), text, `${from} to ${to}`)
  assert.equal(gitProcesses.started, before)
  assert.equal(await readLines(repository, parent, 'ended', { from: 2, to: 2 }), 'b\n')
  for (const [path, line] of [
    ['ended', 3],
    ['empty', 1],
  ] as const)
    assert.equal(await readLines(repository, parent, path, { from: line, to: line }), undefined)
  assert.equal(await lineReader(repository, parent, 'none', []), undefined)
})

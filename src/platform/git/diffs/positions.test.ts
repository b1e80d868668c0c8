import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gitProcesses } from '../process/run.ts'
import { git, type ImportedCommit, importCommits, openScene } from '../scene.ts'
import type { Repository } from '../storage/repository.ts'
import { diffBetween } from './diffs.ts'
import { lineAt, lineCode, lineMap, linesOf } from './lines.ts'
import { type LinePosition, tracePositions, type VersionEnds } from './positions.ts'

const numbered = (from: number, to: number, changes: Record<number, string> = {}) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${changes[from + index] ?? `line ${from + index}`}\n`).join('')

const fileAt = (repository: Repository, commit: string, path: string) => git(repository, ['show', `${commit}:${path}`]).split('\n')

test('the lines of a diff have their numbers on both sides, whatever they hold', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const from = importCommits(repository, 'main', [{ files: { f: `${numbered(1, 20)}-- a\n++ b\nend`, bin: Buffer.from([0]) } }])
  const to = importCommits(repository, 'main', [
    { files: { f: `new\n${numbered(1, 20, { 10: '-- x\n@@ -1 +1 @@' })}++ b\nend\n`, bin: Buffer.from([0, 1]), only: 'x' } },
  ])
  const [binary, changed, only] = (await diffBetween(repository, from, to)).entries
  assert.deepEqual(linesOf(binary!), [])
  assert.deepEqual(linesOf(only!), [
    { type: 'added', old_line: null, new_line: 1, old_reached: 1, new_reached: 1, text: 'x', without_end: true },
  ])

  const lines = linesOf(changed!)
  const [before, after] = [fileAt(repository, from, 'f'), fileAt(repository, to, 'f')]
  for (const { type, old_line, new_line, text } of lines) {
    assert.equal(type, old_line === null ? 'added' : new_line === null ? 'removed' : 'context')
    if (old_line !== null) assert.equal(before[old_line - 1], text)
    if (new_line !== null) assert.equal(after[new_line - 1], text)
  }
  assert.deepEqual(
    lines.filter(({ type }) => type !== 'context').map(({ type, text, old_line, new_line }) => [type, text, old_line, new_line]),
    [
      ['added', 'new', null, 1],
      ['removed', 'line 10', 10, null],
      ['added', '-- x', null, 11],
      ['added', '@@ -1 +1 @@', null, 12],
      ['removed', '-- a', 21, null],
      ['removed', 'end', 23, null],
      ['added', 'end', null, 24],
    ],
  )
  assert.equal(lineCode('f', lines.find(({ text }) => text === '-- x')!), '4a0a19218e082a343a1b17e5333409af9d98f0f5_11_11')
  assert.equal(lineCode('f', lines.find(({ text }) => text === 'line 10')!), '4a0a19218e082a343a1b17e5333409af9d98f0f5_10_11')

  // By its numbers: a line that is shown, an unchanged one that is not, and what is none.
  for (const line of lines) assert.equal(lineCode('f', lineAt(changed!, line)!), lineCode('f', line))
  assert.equal(lineCode('f', lineAt(changed!, { old_line: 5, new_line: 6 })!), '4a0a19218e082a343a1b17e5333409af9d98f0f5_5_6')
  for (const [old_line, new_line] of [
    [5, 5],
    [null, 6],
    [5, null],
    [10, 11],
    [null, null],
    [0, 1],
    [-3, -2],
  ] as const) {
    assert.equal(lineAt(changed!, { old_line, new_line }), undefined)
  }
  assert.equal(lineAt(binary!, { old_line: 1, new_line: 1 }), undefined)

  // Also the lines that are not shown are found again, in both directions.
  const map = lineMap(changed)
  for (const [index, text] of before.entries()) {
    const there = map.toNew(index + 1)
    assert.equal(there === undefined, ['line 10', '-- a', 'end'].includes(text), text)
    if (there !== undefined) assert.deepEqual([after[there - 1], map.toOld(there)], [text, index + 1])
  }
  assert.deepEqual([1, 11, 12, 24].map(map.toOld), [undefined, undefined, undefined, undefined])
  assert.deepEqual([lineMap(undefined).toNew(7), lineMap(binary).toNew(1), lineMap(only).toOld(1)], [7, undefined, undefined])
})

/** What both branches hold in two versions of a merge request. */
interface Story {
  readonly says: string
  readonly base: ImportedCommit['files']
  /** What the source branch changes, in the older and in the newer version. */
  readonly older: ImportedCommit['files']
  readonly newer: ImportedCommit['files']
  /** What the target branch has changed when the source is put on top of it. */
  readonly moved?: ImportedCommit['files']
  readonly at: readonly [string, string, number | null, number | null]
  readonly becomes: readonly [string, string, number | null, number | null] | 'outdated'
}

const f = (changes: Record<number, string>) => ({ f: numbered(1, 30, changes) })
const base = f({})

const stories: readonly Story[] = [
  {
    says: 'nothing happened to it',
    base,
    older: f({ 9: 'x' }),
    newer: f({ 9: 'x', 25: 'y' }),
    at: ['f', 'f', null, 9],
    becomes: ['f', 'f', null, 9],
  },
  {
    says: 'lines came above an added one',
    base,
    older: f({ 9: 'x' }),
    newer: f({ 2: 'a\nb\nc', 9: 'x' }),
    at: ['f', 'f', null, 9],
    becomes: ['f', 'f', null, 11],
  },
  { says: 'an added line was changed', base, older: f({ 9: 'x' }), newer: f({ 9: 'y' }), at: ['f', 'f', null, 9], becomes: 'outdated' },
  { says: 'an added line was taken back', base, older: f({ 9: 'x' }), newer: f({ 20: 'x' }), at: ['f', 'f', null, 9], becomes: 'outdated' },
  { says: 'the whole change was taken back', base, older: f({ 9: 'x' }), newer: base, at: ['f', 'f', null, 9], becomes: 'outdated' },
  {
    says: 'a removed line is still removed',
    base,
    older: f({ 9: 'x' }),
    newer: f({ 9: 'y' }),
    at: ['f', 'f', 9, null],
    becomes: ['f', 'f', 9, null],
  },
  { says: 'a removed line came back', base, older: f({ 9: 'x' }), newer: f({ 20: 'x' }), at: ['f', 'f', 9, null], becomes: 'outdated' },
  {
    says: 'an unchanged line moved down on one side',
    base,
    older: f({ 9: 'x' }),
    newer: f({ 2: 'a\nb', 9: 'x' }),
    at: ['f', 'f', 10, 10],
    becomes: ['f', 'f', 10, 11],
  },
  {
    says: 'an unchanged line was changed',
    base,
    older: f({ 9: 'x' }),
    newer: f({ 9: 'x', 10: 'y' }),
    at: ['f', 'f', 10, 10],
    becomes: 'outdated',
  },
  {
    says: 'the target branch added lines above',
    base,
    older: f({ 20: 'x' }),
    moved: f({ 2: 'a\nb' }),
    newer: f({ 2: 'a\nb', 20: 'x' }),
    at: ['f', 'f', 20, null],
    becomes: ['f', 'f', 21, null],
  },
  {
    says: 'the target branch has the added line now',
    base,
    older: f({ 5: 'x', 20: 'y' }),
    moved: f({ 5: 'x' }),
    newer: f({ 5: 'x', 20: 'y' }),
    at: ['f', 'f', null, 5],
    becomes: ['f', 'f', 5, 5],
  },
  {
    says: 'the target branch removed the removed line',
    base,
    older: f({ 5: 'x', 20: 'y' }),
    moved: f({ 20: 'z' }),
    newer: f({ 5: 'x', 20: 'y' }),
    at: ['f', 'f', 20, null],
    becomes: 'outdated',
  },
  {
    says: 'the file was renamed by the source branch',
    base,
    older: f({ 9: 'x' }),
    newer: { f: null, g: numbered(1, 30, { 2: 'a\nb', 9: 'x' }) },
    at: ['f', 'f', null, 9],
    becomes: ['f', 'g', null, 10],
  },
  {
    says: 'the file was renamed before, and changed now',
    base,
    older: { f: null, g: numbered(1, 30, { 9: 'x' }) },
    newer: { f: null, g: numbered(1, 30, { 2: 'a\nb', 9: 'x' }) },
    at: ['f', 'g', null, 9],
    becomes: ['f', 'g', null, 10],
  },
  { says: 'the file was deleted', base, older: f({ 9: 'x' }), newer: { f: null }, at: ['f', 'f', null, 9], becomes: 'outdated' },
  {
    says: 'a line of a new file',
    base,
    older: { n: 'a\nb\n' },
    newer: { n: 'z\na\nb\n' },
    at: ['n', 'n', null, 2],
    becomes: ['n', 'n', null, 3],
  },
  {
    says: 'a line of a deleted file',
    base,
    older: { f: null },
    newer: { f: null, n: 'x\n' },
    at: ['f', 'f', 7, null],
    becomes: ['f', 'f', 7, null],
  },
  {
    says: 'a picture that stayed',
    base,
    older: { p: Buffer.from([0, 1]) },
    newer: { p: Buffer.from([0, 1]), n: '' },
    at: ['p', 'p', null, null],
    becomes: ['p', 'p', null, null],
  },
  {
    says: 'a picture that changed',
    base,
    older: { p: Buffer.from([0, 1]) },
    newer: { p: Buffer.from([0, 2]) },
    at: ['p', 'p', null, null],
    becomes: 'outdated',
  },
]

test('a place on the picture before a change stays when the one after it changes, and goes when that one does', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const picture = (...bytes: readonly number[]) => ({ files: { p: Buffer.from([0, ...bytes]) } })
  const start = importCommits(repository, 'main', [picture(1)])
  const older = importCommits(repository, 'topic', [picture(2)], start)
  const newer = importCommits(repository, 'topic2', [picture(3)], start)
  const moved = importCommits(repository, 'moved', [picture(4)], start)
  const place = { old_path: 'p', new_path: 'p', old_line: null, new_line: null, isOld: true }
  const kindOf = async (base: string, head: string) =>
    (await tracePositions(repository, { base: start, head: older }, { base, head } as VersionEnds, [place]))[0]?.kind
  assert.equal(await kindOf(start, newer), 'current')
  assert.equal(await kindOf(moved, older), 'outdated')
})

test('a position is found in a newer version, or outdated', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  for (const [index, { says, base: files, older, newer, moved, at, becomes }] of stories.entries()) {
    const start = importCommits(repository, `b${index}`, [{ files: { keep: '1\n', ...files } }])
    const head = importCommits(repository, `h${index}`, [{ files: older ?? {} }], start)
    const then = moved ? importCommits(repository, `b${index}`, [{ files: moved }]) : start
    const now = importCommits(repository, `n${index}`, [{ files: newer ?? {} }], then)
    const [old_path, new_path, old_line, new_line] = at
    const [traced] = await tracePositions(repository, { base: start, head }, { base: then, head: now }, [
      { old_path, new_path, old_line, new_line },
    ])
    const expected =
      becomes === 'outdated'
        ? { kind: 'outdated' }
        : { kind: 'current', position: { old_path: becomes[0], new_path: becomes[1], old_line: becomes[2], new_line: becomes[3] } }
    assert.deepEqual(traced, expected, says)
  }
})

test('wherever a position is found, the same is said there, and a page of positions costs as much as one', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const start = importCommits(repository, 'main', [{ files: { f: numbered(1, 60), g: numbered(1, 60) } }])
  const older = importCommits(
    repository,
    'topic',
    [{ files: { f: numbered(1, 60, { 7: 'x', 8: 'y\nz', 40: 'w' }), g: numbered(1, 60, { 30: 'q' }) } }],
    start,
  )
  const then = importCommits(repository, 'main', [{ files: { f: numbered(1, 60, { 3: 'new\nlines', 50: 'also' }) } }])
  const newer = importCommits(
    repository,
    'topic2',
    [
      {
        files: {
          f: numbered(1, 60, { 3: 'new\nlines', 7: 'x', 8: 'z', 20: 'a\nb', 50: 'also' }),
          g: numbered(1, 60, { 1: 'top\n', 30: 'q' }),
        },
      },
    ],
    then,
  )
  const ends: [VersionEnds, VersionEnds] = [
    { base: start, head: older },
    { base: then, head: newer },
  ]
  const { entries } = await diffBetween(repository, start, older)
  const positions = entries.flatMap(entry =>
    linesOf(entry).map(
      ({ old_line, new_line }): LinePosition => ({ old_path: entry.old_path, new_path: entry.new_path, old_line, new_line }),
    ),
  )
  const before = gitProcesses.started
  const traced = await tracePositions(repository, ...ends, positions)
  assert.equal(gitProcesses.started, before + 3)

  const line = (commit: string, path: string, number: number | null) => number && fileAt(repository, commit, path)[number - 1]
  let found = 0
  for (const [index, trace] of traced.entries()) {
    if (trace.kind === 'outdated') continue
    const [was, is] = [positions[index]!, trace.position]
    if (was.old_line !== null) assert.equal(line(then, is.old_path, is.old_line), line(start, was.old_path, was.old_line))
    if (was.new_line !== null) assert.equal(line(newer, is.new_path, is.new_line), line(older, was.new_path, was.new_line))
    found += 1
  }
  assert.ok(found > 20 && found < positions.length, `${found} of ${positions.length}`)
  assert.deepEqual(await tracePositions(repository, ...ends, []), [])
})

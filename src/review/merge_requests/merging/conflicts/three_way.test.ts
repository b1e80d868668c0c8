import assert from 'node:assert/strict'
import { test } from 'node:test'
import { git, openScene } from '../../../../platform/git/scene.ts'
import { chosenText, linesWithEnds, markerLine, mergeLines, type Part, textWithMarkers } from './three_way.ts'

const merged = (base: string, ours: string, theirs: string) => mergeLines(linesWithEnds(base), linesWithEnds(ours), linesWithEnds(theirs))
const names = { ours: 'mine', theirs: 'main' }

/** Parts as text: conflicts in brackets. */
const shown = (parts: readonly Part[]) =>
  parts.map(part => (part.kind === 'settled' ? part.lines.join('') : `[${part.ours.join('')}|${part.theirs.join('')}]`)).join('')

const table: readonly [says: string, base: string, ours: string, theirs: string, expected: string][] = [
  ['changes apart from each other are both taken', 'a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n', 'a\nb\nc\nd\nE\n', 'A\nb\nc\nd\nE\n'],
  ['one line changed by both', 'a\nb\nc\n', 'a\nX\nc\n', 'a\nY\nc\n', 'a\n[X\n|Y\n]c\n'],
  ['the same change by both', 'a\nb\nc\n', 'a\nX\nc\n', 'a\nX\nc\n', 'a\nX\nc\n'],
  ['neighbours touch', 'a\nb\nc\n', 'X\nb\nc\n', 'a\nY\nc\n', '[X\nb\n|a\nY\n]c\n'],
  ['changed here, deleted there', 'a\nb\nc\n', 'a\nX\nc\n', 'a\nc\n', 'a\n[X\n|]c\n'],
  ['two additions at one place', 'a\nc\n', 'a\nX\nc\n', 'a\nY\nc\n', 'a\n[X\n|Y\n]c\n'],
  ['two new texts', '', 'a\nb\n', 'a\nc\n', 'a\n[b\n|c\n]'],
  ['a last line without an end', 'a\nb', 'a\nX', 'a\nY\n', 'a\n[X|Y\n]'],
  ['line ends are part of the lines', 'a\r\nb\r\n', 'a\r\nX\r\n', 'a\nb\n', '[a\r\nX\r\n|a\nb\n]'],
  ['nothing in common but few lines', 'a\nb\nc\n', '1\nb\n2\n', '3\nb\n4\n', '[1\nb\n2\n|3\nb\n4\n]'],
  ['an empty side', 'a\n', '', 'b\n', '[|b\n]'],
]

for (const [says, base, ours, theirs, expected] of table)
  test(`${says}`, () => {
    const parts = merged(base, ours, theirs)
    assert.equal(shown(parts), expected)
    assert.equal(shown(merged(base, theirs, ours)).length, expected.length, 'whichever side comes first')
  })

test('a choice for each conflict gives the text of that side byte for byte', () => {
  const [base, ours, theirs] = ['\uFEFFa\r\nb\r\nc', '\uFEFFa\r\nX\r\nc', '\uFEFFa\r\nY\r\nc']
  const parts = merged(base, ours, theirs)
  assert.equal(chosenText(parts, ['ours']), ours)
  assert.equal(chosenText(parts, ['theirs']), theirs)
  assert.equal(chosenText(parts, []), undefined)
})

test('markers are longer than what looks like one in the text, and found again', () => {
  const parts = merged('Title\n=======\nb\nc\n', 'Title\n=======\nX\nc\n', 'Title\n=======\nY\nc\n')
  const text = textWithMarkers(parts, names)
  assert.equal(text, 'Title\n=======\n<<<<<<<< mine\nX\n========\nY\n>>>>>>>> main\nc\n')
  assert.equal(markerLine(parts, text), 3)
  assert.equal(markerLine(parts, 'Title\n=======\nXY\nc\n'), undefined)
  assert.equal(markerLine(parts, 'Title\n=======\nX\n========\nY\n'), 4)
})

test('texts with nothing in common are compared within bounds', () => {
  const many = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`)
  const begin = performance.now()
  const parts = mergeLines(many('a'), many('b'), many('c'))
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ['conflict'],
  )
  assert.ok(performance.now() - begin < 3_000)
})

test('random texts conflict where git says so, and give what git gives elsewhere', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const changed = (lines: readonly string[]) => {
    const copy = [...lines]
    for (let edit = 0; edit < 3; edit++)
      copy.splice(random(copy.length), random(3), ...Array.from({ length: random(3) }, () => `n${random(4)}\n`))
    return copy
  }
  const blob = (lines: readonly string[]) => git(repository, ['hash-object', '-w', '--stdin'], lines.join(''))
  const commit = (lines: readonly string[], parents: readonly string[]) => {
    const tree = git(repository, ['mktree'], `100644 blob ${blob(lines)}\tf\n`)
    return git(repository, ['commit-tree', '-m', 'x', ...parents.flatMap(parent => ['-p', parent]), tree])
  }
  for (let round = 0; round < 15; round++) {
    const base = Array.from({ length: 30 }, (_, index) => `line ${index}\n`)
    const [ours, theirs] = [changed(base), changed(base)]
    const root = commit(base, [])
    const [left, right] = [commit(ours, [root]), commit(theirs, [root])]
    let clean: string | undefined
    try {
      clean = git(repository, ['cat-file', 'blob', `${git(repository, ['merge-tree', '--write-tree', left, right])}:f`])
    } catch {
      clean = undefined
    }
    const parts = mergeLines(base, ours, theirs)
    assert.equal(chosenText(parts, [])?.replace(/\n$/, ''), clean, `round ${round}`)
  }
})

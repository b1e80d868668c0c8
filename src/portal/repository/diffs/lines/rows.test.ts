import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hunksOf, linesOf } from '../../../../platform/git/index.ts'
import { changedWords } from './intraline.ts'
import { withMarks } from './marks.ts'
import { type Block, blocksOf, runsOf } from './rows.ts'

const diffOf = (...lines: readonly string[]): string => `${lines.join('\n')}\n`

/** Each row as `old text | new text`. */
const columns = (diff: string): string[] =>
  runsOf(linesOf({ diff })).flatMap(({ rows }) =>
    rows.map(({ left, right }) => `${left ? `${left.old_line} ${left.text}` : ''} | ${right ? `${right.new_line} ${right.text}` : ''}`),
  )

const tables: Readonly<Record<string, readonly [diff: string, rows: readonly string[]]>> = {
  'as many removed as added': [diffOf('@@ -1,3 +1,3 @@', ' a', '-b', '+B', ' c'), ['1 a | 1 a', '2 b | 2 B', '3 c | 3 c']],
  'more removed': [diffOf('@@ -1,3 +1,1 @@', '-a', '-b', '-c', '+A'), ['1 a | 1 A', '2 b | ', '3 c | ']],
  'more added': [diffOf('@@ -5,1 +5,2 @@', '-a', '+A', '+B'), ['5 a | 5 A', ' | 6 B']],
  'added alone': [diffOf('@@ -1,1 +1,2 @@', ' a', '+b'), ['1 a | 1 a', ' | 2 b']],
  'added before removed': [diffOf('@@ -1,1 +1,1 @@', '+A', '-a'), [' | 1 A', '1 a | ']],
  'a new file': [diffOf('@@ -0,0 +1,2 @@', '+a', '+b'), [' | 1 a', ' | 2 b']],
  'a deleted file': [diffOf('@@ -1,1 +0,0 @@', '-a'), ['1 a | ']],
  'two hunks': [diffOf('@@ -1 +1 @@', '-a', '+A', '@@ -9 +9 @@', '-b', '+B'), ['1 a | 1 A', '9 b | 9 B']],
}

test('removed lines stand beside the added ones that follow them', () => {
  for (const [name, [diff, rows]] of Object.entries(tables)) assert.deepEqual(columns(diff), rows, name)
})

/** Gaps as `old+new*count at`, lines as their number. */
const outline = (blocks: readonly Block[]): string[] =>
  blocks.map(block =>
    'gap' in block ? `${block.gap.old_from}+${block.gap.new_from}*${block.gap.count ?? '?'} ${block.gap.at}` : `${block.lines.length}`,
  )

test('what a diff leaves out is known: before, between and after its lines, on both sides', () => {
  const diff = diffOf('@@ -5,2 +5,3 @@ f() {', ' a', '+b', ' c', '@@ -20,1 +21,1 @@ g() {', '-d', '+e')
  assert.deepEqual(outline(blocksOf(hunksOf(diff), 30)), ['1+1*4 top', '3', '7+8*13 middle', '2', '21+22*9 bottom'])
  assert.deepEqual(outline(blocksOf(hunksOf(diff))).at(-1), '21+22*? bottom')
  assert.deepEqual(outline(blocksOf(hunksOf(diff), 21)).at(-1), '2', 'the file ends with its last line')
  const [top] = blocksOf(hunksOf(diff))
  assert.equal(top && 'gap' in top && top.gap.heading, 'f() {')
})

test('a whole file has no gaps', () => {
  assert.deepEqual(outline(blocksOf(hunksOf(diffOf('@@ -0,0 +1,2 @@', '+a', '+b')), 2)), ['2'])
  assert.deepEqual(outline(blocksOf(hunksOf(diffOf('@@ -1 +1 @@', '-a', '+b', '\\ No newline at end of file')))), ['2'])
  assert.deepEqual(blocksOf([], 9), [])
})

const marksOf = (before: string, after: string, ignoresWhitespace: boolean): string[] => {
  const words = changedWords(linesOf({ diff: diffOf('@@ -1 +1 @@', `-${before}`, `+${after}`) }), ignoresWhitespace)
  return [...words].map(([line, ranges]) => withMarks(line.text, ranges, line.type === 'added' ? 'ins' : 'del'))
}

test('changed words are marked; where white space is left out, it is not marked either', () => {
  assert.deepEqual(marksOf('let a = 1', 'let b = 1', false), ['let <del>a</del> = 1', 'let <ins>b</ins> = 1'])
  assert.deepEqual(marksOf('let a = 1', 'let  a = 2', true), ['let a = <del>1</del>', 'let  a = <ins>2</ins>'])
  assert.deepEqual(marksOf('  a(x)', '\ta(y)', true), ['  a(<del>x</del>)', '\ta(<ins>y</ins>)'])
  assert.deepEqual(marksOf('all of it', 'nothing', false), [])
})

test('marks in highlighted code cross no element, and count what is escaped as one character', () => {
  const line = '<span class="k">if</span> (a &lt; <span class="n">10</span>)'
  assert.equal(withMarks(line, [[4, 7]], 'ins'), '<span class="k">if</span> (<ins>a &lt;</ins> <span class="n">10</span>)')
  assert.equal(withMarks(line, [[6, 9]], 'del'), '<span class="k">if</span> (a <del>&lt; </del><span class="n"><del>1</del>0</span>)')
  assert.equal(withMarks(line, [], 'ins'), line)
  assert.equal(
    withMarks(
      'ab',
      [
        [0, 1],
        [1, 2],
      ],
      'ins',
    ),
    '<ins>ab</ins>',
  )
})

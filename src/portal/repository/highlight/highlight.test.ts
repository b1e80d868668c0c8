/** Highlighted lines as pages take them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { highlightedLines, LONG, linesSoon, stopHighlighting } from './highlight.ts'

after(stopHighlighting)

/** Cheap to highlight, and long. */
const long = `// ${'a'.repeat(1_000)}\n`.repeat(LONG / 1_000 + 1)

test('a long text is shown soon, and highlighted once that is done', async () => {
  const soon = await linesSoon('long', 'a.ts', long)
  assert.equal(soon.length, long.split('\n').length - 1)
  assert.ok(soon.every(({ text }) => text.includes('// aaa')))
  const highlighted = await highlightedLines('long', 'a.ts', long)
  assert.match(highlighted[0]?.text ?? '', /hljs-comment/)
  assert.equal(await linesSoon('long', 'a.ts', long), highlighted)
})

test('what is kept of a short text is one list, in which characters that turn text are named', async () => {
  const text = 'const a = 1 // \u202e\n'
  const lines = await linesSoon('short', 'a.ts', text)
  assert.match(lines[0]?.text ?? '', /hljs-keyword.*data-name="U\+202E"/)
  assert.equal(await highlightedLines('short', 'a.ts', text), lines)
})

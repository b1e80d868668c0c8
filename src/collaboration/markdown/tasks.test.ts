import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMarkdown } from './document.ts'
import { withTask } from './tasks.ts'

/** The boxes of a text as its HTML names them. */
const boxesOf = (text: string) =>
  [
    ...parseMarkdown(text)
      .html()
      .matchAll(/data-task="(\d+):([0-9a-f]+)"/g),
  ].map(([, line, digest]) => ({
    line: Number(line),
    digest: digest as string,
  }))

test('each box ticks its own line, however the list is written, and nothing else', () => {
  const text = 'Do:\r\n\r\n- [ ] one\r\n  1. [x] two\n> * [ ] three\n>\n> 1) [X] four\n\n```\n- [ ] code\n```\n- - [ ] five'
  const boxes = boxesOf(text)
  assert.equal(boxes.length, 5)
  for (const [index, box] of boxes.entries()) {
    const wasDone = index === 1 || index === 3
    const changed = withTask(text, box, !wasDone) as string
    const differing = changed.split('\n').filter((line, number) => line !== text.split('\n')[number])
    assert.equal(differing.length, 1, String(index))
    assert.match(differing[0] as string, wasDone ? /\[ \]/ : /\[x\]/)
    assert.equal(withTask(changed, box, wasDone)?.toLowerCase(), text.toLowerCase(), 'the name of a box stays when it is ticked')
  }
})

test('a line that is another one by now is left alone', () => {
  const [box] = boxesOf('- [ ] one\n- [ ] two')
  assert.ok(box)
  assert.equal(withTask('- [ ] zero\n- [ ] one', box, true), undefined)
  assert.equal(withTask('one', box, true), undefined)
  assert.equal(withTask('', { ...box, line: 7 }, true), undefined)
  assert.equal(withTask('- [x] one\nmore', box, true), '- [x] one\nmore')
})

test('a box that a text writes as HTML ticks nothing', () => {
  const html = parseMarkdown('<input type="checkbox" disabled class="task-list-item-checkbox" data-task="0:abc">\n\n- [ ] "<b>&').html()
  assert.deepEqual([...html.matchAll(/data-task="([^"]*)"/g)].length, 1)
  assert.match(html, /aria-label="&quot;&lt;b&gt;&amp;"/)
})

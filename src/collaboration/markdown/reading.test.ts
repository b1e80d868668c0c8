import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workFor } from '../../platform/kernel/request/bounds/holder.ts'
import { MARKDOWN_LENGTH } from './document.ts'
import { readMarkdown, renderMarkdown } from './reading.ts'

/** Texts of the usual length are read in a thread, and the time limit allows for a busy machine. */
const patient = { short: 32 * 1024, time: 120_000 }

test('a long text is read like a short one', async () => {
  const paragraphs = Array.from({ length: 3000 }, (_, index) => `- [${index % 2 ? 'x' : ' '}] see #${index}`)
  const { references, tasks } = await readMarkdown(paragraphs.join('\n'), patient)
  assert.equal(references.length, 3000)
  assert.deepEqual(references[7], { kind: 'issue', text: '#7', name: '7', place: undefined })
  assert.deepEqual(tasks, { count: 3000, completed: 1500 })
})

test('a long text is rendered with links that the reader may see', async () => {
  const html = await renderMarkdown(
    `#1 #2 ${'word '.repeat(10_000)}`,
    async references => new Map(references.slice(0, 1).map(({ text }) => [text, { href: 'http://x/1', title: 'One' }])),
    patient,
  )
  assert.ok(
    html.startsWith(
      '<p dir="auto"><a href="http://x/1" title="One" class="gfm gfm-issue" rel="nofollow noreferrer noopener">#1</a> #2 word',
    ),
  )
})

test('a text that would keep a parser busy for minutes is a 400, and the next one is read', async () => {
  const bomb = '<b>'.repeat(MARKDOWN_LENGTH / 3)
  await assert.rejects(
    renderMarkdown(bomb, async () => new Map(), { short: -1, time: 500 }),
    { kind: 'bad_request' },
  )
  assert.equal(await renderMarkdown('next', async () => new Map(), { short: -1, time: 60_000 }), '<p dir="auto">next</p>\n')
})

test('a caller with many texts that take long keeps nobody else waiting, and has some of them refused', async () => {
  const bomb = '<b>'.repeat(MARKDOWN_LENGTH / 3)
  const none = async () => new Map()
  const read = (caller: string, text: string, time: number) => workFor(caller, () => renderMarkdown(text, none, { short: -1, time }))
  const many = Promise.allSettled(Array.from({ length: 60 }, () => read('one', bomb, 100)))

  const html = await read('other', 'next', 60_000)

  assert.equal(html, '<p dir="auto">next</p>\n')
  const kinds = (await many).map(result => result.status === 'rejected' && result.reason.kind)
  assert.deepEqual([...new Set(kinds)].toSorted(), ['bad_request', 'too_many_requests'])
})

test('a text of which more comes than it says is a 400', async () => {
  for (const text of ['# a\n'.repeat(60_000), '@a '.repeat(25_000)])
    await assert.rejects(
      renderMarkdown(text, async () => new Map(), patient),
      { kind: 'bad_request' },
    )
})

/** The links of a wiki in the HTML of its pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withWikiLinks } from './links.ts'

const at = { base: '/a/-/wikis', slug: 'inner/page' }

test('relative addresses and names in brackets lead to pages, but not in code, links and texts that look like either', async () => {
  for (const [html, linked] of [
    [
      '<p>[[Other page]] &amp; [[text|Other page]]</p>',
      '<p><a href="/a/-/wikis/Other-page">Other page</a> &amp; <a href="/a/-/wikis/Other-page">text</a></p>',
    ],
    ['<code>[[Other]]</code>[[]][[a|b|c]]', '<code>[[Other]]</code>[[]][[a|b|c]]'],
    ['<a href="../b">[[x]]</a><a href="https://h/">y</a>', '<a href="/a/-/wikis/b">[[x]]</a><a href="https://h/">y</a>'],
    ['<img src="c.png" alt="">', '<img src="/a/-/wikis/c.png" alt="">'],
    ['no end [[', 'no end [['],
  ] as const)
    assert.equal(await withWikiLinks(html, at), linked)
})

test('a page of very many links leaves time for other work', async () => {
  for (const html of ['[[a|b]] '.repeat(60_000), '<a href="a">b</a> '.repeat(60_000)]) {
    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    const linked = await withWikiLinks(html, at)
    isOver = true
    assert.equal(linked.split('/a/-/wikis/').length, 60_001)
    assert.ok(turns >= 3, `${turns} turns`)
  }
})

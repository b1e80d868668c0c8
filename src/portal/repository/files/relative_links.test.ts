import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withinRepository } from './relative_links.ts'

const place = { project: { full_path: 'g/p' }, ref: 'feature/x', directory: 'docs/guide' }
const linked = (href: string, at = place) => /href="([^"]*)"/.exec(withinRepository(`<p><a href="${href}">x</a></p>`, at))?.[1]

test('paths are those of files beside the text, or from the root of the repository', () => {
  assert.equal(linked('first.md'), '/g/p/-/blob/feature/x/docs/guide/first.md')
  assert.equal(linked('./first.md'), '/g/p/-/blob/feature/x/docs/guide/first.md')
  assert.equal(linked('../api/a.ts'), '/g/p/-/blob/feature/x/docs/api/a.ts')
  assert.equal(linked('/src/a.ts#L3-5'), '/g/p/-/blob/feature/x/src/a.ts#L3-5')
  assert.equal(linked('a.md?plain=1'), '/g/p/-/blob/feature/x/docs/guide/a.md?plain=1')
  assert.equal(linked('../..'), '/g/p/-/tree/feature/x')
  assert.equal(linked('first.md', { ...place, directory: '' }), '/g/p/-/blob/feature/x/first.md')
})

test('a heading of another text is named by the id that it has there', () => {
  assert.equal(linked('first.md#install'), '/g/p/-/blob/feature/x/docs/guide/first.md#user-content-install')
  assert.equal(linked('first.md#user-content-install'), '/g/p/-/blob/feature/x/docs/guide/first.md#user-content-install')
  assert.equal(linked('first.md#L4'), '/g/p/-/blob/feature/x/docs/guide/first.md#L4')
})

test('names are encoded once, whatever they have', () => {
  assert.equal(linked('a%20b.md'), '/g/p/-/blob/feature/x/docs/guide/a%20b.md')
  assert.equal(linked('a b&amp;c.txt'), '/g/p/-/blob/feature/x/docs/guide/a%20b%26c.txt')
  assert.equal(linked('100%.txt'), '/g/p/-/blob/feature/x/docs/guide/100%25.txt')
  assert.equal(linked('a%3Fb%23c'), '/g/p/-/blob/feature/x/docs/guide/a%3Fb%23c')
})

test('nothing leads out of the repository', () => {
  const above = '/g/p/-/blob/feature/x/etc/passwd'
  for (const path of ['../../../../etc/passwd', '/../etc/passwd', '..%2f..%2f..%2fetc%2fpasswd', '%2e%2e/%2e%2e/../etc/passwd'])
    assert.equal(linked(path), above, path)
  assert.equal(linked('\\\\example.com/x'), '/g/p/-/blob/feature/x/docs/guide/%5C%5Cexample.com/x')
})

test('whole addresses, places in the text and uploads stay what they are', () => {
  for (const href of ['https://example.com/a', 'mailto:a@example.com', '//example.com/a', '#install', '?a=b', ''])
    assert.equal(linked(href), href)
  const upload = `/uploads/${'0a'.repeat(16)}/a.png`
  assert.equal(linked(upload), `/g/p${upload}`)
})

test('pictures are the files themselves, and texts that look like tags stay texts', () => {
  assert.equal(withinRepository('<img src="a.png" alt="A" />', place), '<img src="/g/p/-/raw/feature/x/docs/guide/a.png" alt="A" />')
  const shown = '<a title=" href=&quot;a&quot;" href="b">&lt;a href="c"&gt;</a>'
  assert.equal(
    withinRepository(shown, place),
    '<a title=" href=&quot;a&quot;" href="/g/p/-/blob/feature/x/docs/guide/b">&lt;a href="c"&gt;</a>',
  )
})

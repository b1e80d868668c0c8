import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Html, html, inOnePiece, keptAround } from './html.ts'

/** Long enough to be kept as bytes; `letter`: of any length in UTF-8. */
const long = (letter: string): Html => html`<p>${letter.repeat(5_000)}</p>`

test('what is kept stands where it was put, once and more than once, in lists and in what is kept', () => {
  for (const letter of ['a', 'é', '字', '😀']) {
    const plain = long(letter)
    const kept = inOnePiece(plain)
    assert.ok(typeof kept.content !== 'string', 'kept as bytes')
    assert.equal(kept.text, plain.text)
    const page = (piece: Html): Html =>
      html`<main title="${'⌘ & "'}">${piece}${[1, piece, ['<', [piece]], false, null]} – ${html`<b>${piece}</b>`}</main>`
    assert.equal(page(kept).text, page(plain).text)
    assert.deepEqual(page(kept).bytes, Buffer.from(page(plain).text))
    assert.deepEqual(inOnePiece(page(kept)).bytes, page(plain).bytes)
    assert.equal(html`${kept}`.text, plain.text, 'nothing but what is kept')
  }
})

test('what is short is kept as a text', () => {
  const kept = inOnePiece(html`<p>${'é'}</p>`)
  assert.equal(kept.content, '<p>é</p>')
})

test('a page that cannot be written leaves nothing to the next one', () => {
  const kept = inOnePiece(long('x'))
  const unwritable = {
    get [Symbol.iterator](): never {
      throw new Error('not written')
    },
  }
  assert.throws(() => html`${kept}${unwritable as never}`, /not written/)
  assert.equal(html`<p>${'next'}</p>`.text, '<p>next</p>')
})

test('a text is put where the mark of kept HTML stands, escaped, and as often as one likes', () => {
  const around = keptAround(html`<a href="${'here.invalid'}/é">${'here.invalid'}</a>`, 'here.invalid')

  assert.equal(html`<p>${around('a&"b')}</p>`.text, '<p><a href="a&amp;&quot;b/é">a&amp;&quot;b</a></p>')
  assert.equal(around('c').bytes.toString(), '<a href="c/é">c</a>')
  assert.equal(keptAround(html`<p>é</p>`, 'here.invalid')('c').text, '<p>é</p>')
})

/** The handbook: its links lead somewhere, and it is found by its words. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { renderMarkdown } from '../../collaboration/markdown/reading.ts'
import { bookPage, chaptersOf, FOLDER, pageNames } from './book.ts'
import { snippetOf } from './book_view.ts'

const scene = await openScene()

test('every file of docs/user is a page, and every page a file', async () => {
  const files = (await readdir(FOLDER)).map(file => file.replace(/\.md$/, ''))

  assert.deepEqual(files.sort(), [...pageNames].sort(), 'you are here because src/portal/handbook/book.ts lists the pages in their order')
})

test('links of the handbook lead to pages and sections that there are', async () => {
  const pages = await Promise.all(pageNames.map(bookPage))
  const anchors = new Map(pages.map(({ name, html }) => [name as string, [...html.matchAll(/\bid="([^"]+)"/g)].map(match => match[1])]))
  const lost = pages.flatMap(({ name, html }) =>
    [...html.matchAll(/href="([^"]+)"/g)]
      .map(match => match[1] as string)
      .filter(href => !/^https?:/.test(href))
      .filter(href => {
        const found = /^(?:\/help\/([\w-]+))?(?:#(.+))?$/.exec(href)
        const [, page = name, anchor] = found ?? []
        return !found || !anchors.has(page) || (anchor !== undefined && !anchors.get(page)?.includes(decodeURIComponent(anchor)))
      })
      .map(href => `${name}: ${href}`),
  )

  assert.deepEqual(lost, [])
})

test('a page is rendered chapter by chapter to what the whole of it would be', async () => {
  const render = (text: string) => renderMarkdown(text, async () => new Map(), { short: Number.POSITIVE_INFINITY, time: 0 })
  for (const name of pageNames) {
    const text = (await readFile(join(FOLDER, `${name}.md`), 'utf8')).replace(/^# .*\n/, '')
    const chapters = chaptersOf(text)
    const parts = await Promise.all(chapters.map(render))
    assert.equal(chapters.join(''), text)
    assert.equal(
      parts.join(''),
      await render(text),
      `${name}: chapters with the same heading, or a link whose address stands in another one`,
    )
  }
})

test('a chapter does not begin within a block of code', () => {
  const chapters = ['before\n', '## One\n```sh\n## not one\n```\n', '## Two\n~~~\n## not one\n', '## not one\n~~~\n## Three\n']
  assert.deepEqual(chaptersOf(chapters.join('')), [chapters[0], chapters[1], `${chapters[2]}## not one\n~~~\n`, '## Three\n'])
})

test('addresses of pages in the handbook are those of pages', async () => {
  const texts = await Promise.all(pageNames.map(name => readFile(join(FOLDER, `${name}.md`), 'utf8')))
  const addresses = new Set(texts.flatMap(text => [...text.matchAll(/\(`(\/[a-z/_-]+)`\)/g)].map(match => match[1] as string)))

  assert.ok(addresses.size > 3)
  for (const address of addresses) {
    const answer = await scene.anonymous.get(`${scene.url}${address}`)
    assert.ok([200, 302, 303, 400, 401].includes(answer.status), `${address}: ${answer.status}`)
  }
})

test('the contents list the section that begins a page', async () => {
  const { body } = await scene.anonymous.get(`${scene.url}/help`)

  assert.match(String(body), /<a class="quiet" href="\/help\/administration#where-everything-is">Where everything is<\/a>/)
})

test('the handbook is read and searched without an account', async () => {
  const shown = await scene.anonymous.get(`${scene.url}/help/runners`)
  const found = await scene.anonymous.get(`${scene.url}/help`, { search: 'pending job' })
  const nothing = await scene.anonymous.get(`${scene.url}/help`, { search: '<b>zeppelin' })

  assert.equal(shown.status, 200)
  assert.match(String(shown.body), /<h2[^>]*><a id="why-a-job-waits"/)
  assert.match(String(found.body), /<a href="\/help\/troubleshooting#a-job-stays-pending">A job stays pending<\/a>/)
  assert.match(String(nothing.body), /No section has all of these words/)
  assert.doesNotMatch(String(nothing.body), /<b>zeppelin/)
  assert.equal((await scene.anonymous.get(`${scene.url}/help/nothing`)).status, 404)
})

test('a result shows the part of a section that has the word', () => {
  const text = `${'Long before it. '.repeat(30)}Here is the needle of it. ${'And after. '.repeat(30)}`

  const [found, beginning] = [snippetOf(text, 'Needle'), snippetOf(text, 'elsewhere')]

  assert.match(found, /^….*the needle of it.*…$/)
  assert.match(beginning, /^Long before it\. .*…$/)
  assert.ok(found.length <= 202 && beginning.length <= 201)
})

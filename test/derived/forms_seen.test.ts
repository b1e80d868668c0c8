/**
 * What a form answers is seen. Turbo, which sends the forms of a page, follows a redirect, shows the page of a refusal, and carries out a stream; of a
 * page that is answered with 200 it shows nothing. Such a form is sent by the browser itself (`data-turbo="false"`), or stands in a frame, which shows
 * its part of any answer.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pages } from '../../src/server/pages.ts'
import type { Answer } from '../client.ts'
import { formsShown } from './forms_shown.ts'
import { openWorld, requestFor } from './world.ts'

const sortable = 'sortable_list.js sends it, and moves the item itself'

/** Answered with 200 and shown by no page of the world, and why that is right. May only shrink. */
const withoutForm: Readonly<Record<string, string>> = {
  'POST /:project_path/-/boards/:board_id/lists/:list_id/move': sortable,
  'POST /groups/:group_path/-/boards/:board_id/lists/:list_id/move': sortable,
  'POST /:project_path/-/boards/:board_id/issues/:issue_id/drag': sortable,
  'POST /groups/:group_path/-/boards/:board_id/issues/:issue_id/drag': sortable,
  'POST /:project_path/-/ci/lint':
    'the editor of CI files sends it: its script, which asks for a part, or a button of its own with `data-turbo="false"`',
  'POST /:project_path/-/preview': 'markdown_editor.js sends it, and shows the preview itself',
  'POST /groups/:group_path/-/preview': 'markdown_editor.js sends it, and shows the preview itself',
}

const world = await openWorld()

type PageEndpoint = (typeof pages)[number]

const isDocument = ({ headers, body }: Answer): boolean =>
  String(headers['content-type']).startsWith('text/html') && /<main\b/.test(String(body))

/** Requests that a form may send: a good one, one with nothing filled in, and one that is wrong in every field. */
function requestsOf(page: PageEndpoint) {
  const good = requestFor(world, page, 'admin', 'private')
  if (Buffer.isBuffer(good.body)) return { good }
  const wrong = Object.fromEntries(Object.keys(page.params).map(name => [name, 'no such thing']))
  return { good, 'with nothing filled in': { ...good, body: {} }, 'with wrong values': { ...good, body: wrong } }
}

const unseen: string[] = []

/** The addresses that answer a form with 200 and a page. */
const inPlace = new Set<PageEndpoint['route']>()

for (const page of pages.filter(({ method }) => method === 'POST'))
  for (const [what, request] of Object.entries(requestsOf(page))) {
    const answer = await world.send('admin', request)
    const { status, headers } = answer
    if (status === 302 || status === 303 || (status >= 400 && isDocument(answer))) continue
    const type = String(headers['content-type'])
    if (status === 200 && type.startsWith('text/vnd.turbo-stream.html')) continue
    if (status === 200 && type.startsWith('text/html')) inPlace.add(page.route)
    else unseen.push(`${page.route} ${what}: ${status} ${type}`)
  }

test('a form is answered by a redirect, by the page of a refusal, by a stream, or by a page', () => {
  assert.deepEqual(
    unseen,
    [],
    'you are here because a form answers what a browser shows as nothing: answer `done`, or a page with its status',
  )
})

test('a form that is answered with a page is sent without Turbo, or in a frame', async () => {
  const forms = (await formsShown(world)).filter(({ target }) => inPlace.has(target.route))
  const lost = forms.filter(({ tag, isInFrame }) => !isInFrame && !tag.includes('data-turbo="false"'))
  assert.deepEqual(
    [...new Set(lost.map(({ target, shownBy }) => `${target.route}, of ${shownBy}`))],
    [],
    'you are here because what this form answers is never seen: answer 303 (`done`), or send it whole (`whole` of a button, `answered` of a form)',
  )
  const found = new Set(forms.map(({ target }) => target.route))
  assert.deepEqual(
    [...inPlace].filter(route => !found.has(route)).toSorted(),
    Object.keys(withoutForm).toSorted(),
    'you are here because no page of the world shows the form, so nothing is known of how it is sent: add it to the world, or say who sends it',
  )
})

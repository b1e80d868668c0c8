/** Broadcast messages API, and what readers see of the messages. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { shortMarkdown } from '../../platform/pages/frame/short_markdown.ts'
import { colorSheet, contrast, shownColors } from './colors.ts'
import { fitsPath, hiddenCookie, hiddenMessages } from './shown.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const { root } = scene
const url = '/broadcast_messages'

// biome-ignore lint/suspicious/noExplicitAny: JSON
const say = async (attributes: Record<string, unknown>): Promise<any> => {
  const { status, body } = await root.post(url, attributes)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
const pageFor = async (path: string, cookie = ''): Promise<string> =>
  (await scene.anonymous.get(scene.url + path, {}, cookie ? { cookie } : {})).body

describe('the API', () => {
  test('an administrator says something, which is shown for an hour unless they say otherwise', async () => {
    const made = await say({ message: 'Deploy in progress', color: '#cecece' })

    const { id, starts_at, ends_at, ...rest } = made
    assert.deepEqual(rest, {
      message: 'Deploy in progress',
      color: '#cecece',
      font: '#FFFFFF',
      target_path: null,
      broadcast_type: 'banner',
      dismissable: false,
      active: true,
    })
    assert.equal(Date.parse(ends_at) - Date.parse(starts_at), 3_600_000)
    assert.deepEqual(await scene.anonymous.get(`${url}/${id}`), { status: 200, body: made })
    assert.deepEqual((await scene.anonymous.get(url)).body[0].id, id)
    await root.delete(`${url}/${id}`)
  })

  test('it is changed and deleted, by administrators alone', async () => {
    const { id } = await say({ message: 'Before', target_path: '*/welcome', dismissable: true })
    const person = await scene.user()
    assert.equal((await scene.anonymous.put(`${url}/${id}`, { message: 'Mine' })).status, 401)
    assert.equal((await person.put(`${url}/${id}`, { message: 'Mine' })).status, 403)
    assert.equal((await person.delete(`${url}/${id}`)).status, 403)

    const changed = await root.put(`${url}/${id}`, {
      message: 'After',
      target_path: '',
      broadcast_type: 'notification',
      ends_at: '2020-01-01T00:00:00Z',
    })

    assert.deepEqual(
      [changed.status, changed.body.message, changed.body.target_path, changed.body.broadcast_type, changed.body.active],
      [200, 'After', null, 'notification', false],
    )
    assert.equal((await root.delete(`${url}/${id}`)).status, 204)
    assert.deepEqual(await root.get(`${url}/${id}`), { status: 404, body: { message: '404 Broadcast Message Not Found' } })
  })

  test('what is no colour, no kind or no text is refused', async () => {
    assert.deepEqual(await root.post(url, { message: 'x', color: 'red', font: '#12' }), {
      status: 400,
      body: { message: { color: ['must be a valid color code'], font: ['must be a valid color code'] } },
    })
    assert.equal((await root.post(url, { message: 'x', broadcast_type: 'popup' })).status, 400)
    assert.equal((await root.post(url, {})).status, 400)
  })

  test('the audit log says who said and changed it', async () => {
    const { id } = await say({ message: 'Audited' })
    await root.put(`${url}/${id}`, { message: 'Audited twice' })
    await root.delete(`${url}/${id}`)

    const { body } = await root.get('/audit_events', { entity_type: 'Instance', per_page: 100 })
    const found = body.filter(
      (entry: { details: { target_type: string; target_id: number } }) =>
        entry.details.target_type === 'BroadcastMessage' && entry.details.target_id === id,
    )
    assert.equal(found.length, 3)
  })
})

describe('readers', () => {
  test('see what applies now, where it applies, with or without an account', async () => {
    const everywhere = await say({ message: 'Shown **everywhere**' })
    const explore = await say({ message: 'Shown to explorers', target_path: '/expl*' })
    const later = await say({ message: 'Shown tomorrow', starts_at: '2999-01-01T00:00:00Z', ends_at: '2999-01-02T00:00:00Z' })
    const over = await say({ message: 'Shown yesterday', starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-01-02T00:00:00Z' })

    const [signIn, exploring] = [await pageFor('/users/sign_in'), await pageFor('/explore?search=x')]
    const person = await surfer()
    const home = (await person.get('/')).body

    for (const body of [signIn, exploring, home]) {
      assert.match(body, /Shown <strong>everywhere<\/strong>/)
      assert.doesNotMatch(body, /Shown (tomorrow|yesterday)/)
    }
    assert.match(exploring, /Shown to explorers/)
    assert.doesNotMatch(home, /Shown to explorers/)
    for (const { id } of [everywhere, explore, later, over]) await root.delete(`${url}/${id}`)
  })

  test('hide a message by a plain form, and it stays hidden in their browser; others still see it', async () => {
    const { id } = await say({ message: 'May be hidden', dismissable: true })
    const shown = await pageFor('/explore')
    assert.match(shown, new RegExp(`action="/-/broadcast_messages/${id}/dismiss"`))
    assert.match(shown, /name="redirect" value="\/explore"/)

    const answer = await scene.anonymous.post(
      `${scene.url}/-/broadcast_messages/${id}/dismiss`,
      new URLSearchParams({ redirect: '/explore' }),
    )

    assert.deepEqual([answer.status, answer.headers.location], [303, '/explore'])
    const cookie = String(answer.headers['set-cookie']).split(';')[0] as string
    assert.doesNotMatch(await pageFor('/explore', cookie), /May be hidden/)
    assert.match(await pageFor('/explore'), /May be hidden/)
    await root.delete(`${url}/${id}`)
  })

  test('cannot hide what may not be hidden, and are not led to another site', async () => {
    const { id } = await say({ message: 'Always shown' })

    const answer = await scene.anonymous.post(
      `${scene.url}/-/broadcast_messages/${id}/dismiss`,
      new URLSearchParams({ redirect: '//example.com' }),
    )

    assert.deepEqual([answer.status, answer.headers.location, answer.headers['set-cookie']], [303, '/', undefined])
    assert.match(await pageFor('/explore', `hidden_messages=${id}`), /Always shown/)
    await root.delete(`${url}/${id}`)
  })

  test('with a session hide it by a form of ours only', async () => {
    const { id } = await say({ message: 'With a session', dismissable: true })
    const person = await surfer()

    assert.equal((await person.submit(`/-/broadcast_messages/${id}/dismiss`, { authenticity_token: 'wrong' })).status, 403)
    assert.equal((await person.submit(`/-/broadcast_messages/${id}/dismiss`, {})).status, 303)
    await root.delete(`${url}/${id}`)
  })
})

test('administrators make, change and delete messages on their pages', async () => {
  const admin = await surfer({ admin: true })
  const made = await admin.submit('/admin/broadcast_messages/new', {
    message: 'By *form*',
    broadcast_type: 'notification',
    starts_at: '2021-03-04T05:06',
    ends_at: '',
    target_path: '',
    color: '#123456',
    font: '#ffffff',
    dismissable: 'true',
  })
  assert.equal(made.status, 303, made.body)
  const { body: all } = await root.get(url)
  const found = all.find(({ message }: { message: string }) => message === 'By *form*')
  assert.deepEqual([found.starts_at, found.broadcast_type, found.dismissable], ['2021-03-04T05:06:00.000Z', 'notification', true])
  assert.match((await admin.get('/admin/broadcast_messages')).body, /By <em>form<\/em>/)
  assert.match((await admin.get(`/admin/broadcast_messages/${found.id}/edit`)).body, /value="2021-03-04T05:06"/)

  const wrong = await admin.submit(`/admin/broadcast_messages/${found.id}/edit`, { message: '', color: 'blue' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, /aria-invalid="true"/)
  assert.equal((await admin.submit(`/admin/broadcast_messages/${found.id}/edit`, { message: 'Changed' })).status, 303)
  assert.equal((await root.get(`${url}/${found.id}`)).body.message, 'Changed')
  assert.equal((await admin.submit(`/admin/broadcast_messages/${found.id}/delete`, {})).status, 303)
  assert.equal((await root.get(`${url}/${found.id}`)).status, 404)
})

test('a text is rendered as the subset that it may have, and nothing of it is trusted', () => {
  assert.equal(
    shortMarkdown('**a** _b_ `c` [d](/e)\nf').text,
    '<p><strong>a</strong> <em>b</em> <code>c</code> <a href="/e">d</a><br>\nf</p>\n',
  )
  for (const hostile of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,hi)',
    '![x](https://example.com/seen.png)',
    '<a href="javascript:alert(1)">x</a>',
    '[x](/y" onclick="alert(1))',
  ]) {
    const { text } = shortMarkdown(hostile)
    assert.doesNotMatch(text, /<(script|img)|href="(javascript|data):|<[^>]* on\w+=/i, hostile)
  }
})

test('a target fits whole paths, with any characters for each star', () => {
  const cases: [path: string, target: string | null, fits: boolean][] = [
    ['/a', null, true],
    ['/a/welcome', '*/welcome', true],
    ['/a/WELCOME', '*/Welcome', true],
    ['/a/welcome/b', '*/welcome', false],
    ['/a/welcome/b', '*/welcome*', true],
    ['/a/-/merge_requests/1', '/*/-/merge_requests/*', true],
    ['/ab', '/a*b', true],
    ['/a', '/a*a', false],
    ['/a.b', '/a?b', false],
    ['/axb', '/a.b', false],
    ['/', '*', true],
    ['/abcabc', '/*abc', true],
    [`/${'a'.repeat(4_000)}`, `${'*a'.repeat(120)}*b`, false],
  ]
  for (const [path, target, fits] of cases) assert.equal(fitsPath(path, target), fits, `${path} ${target}`)
})

test('a text that could not be read on its background is black or white', () => {
  assert.deepEqual(shownColors({ color: '#E75E40', font: '#FFFFFF' }), { background: 'e75e40', text: '000000' })
  assert.deepEqual(shownColors({ color: '#000', font: '#FF0' }), { background: '000000', text: 'ffff00' })
  for (const color of ['#777777', '#808080', '#00ff00', '#0000ff'])
    for (const font of ['#808080', '#777']) {
      const { background, text } = shownColors({ color, font })
      assert.ok(contrast(background, text) >= 4.5, `${color} ${font}`)
    }
})

test('a sheet of colours has nothing but colours', async () => {
  assert.equal(colorSheet('123456-abcdef.css'), '.broadcast-123456-abcdef { background: #123456; color: #abcdef; }\n')
  for (const name of ['123456-abcdef', '123456}-abcdef.css', '123456-ABCDEF.css', '../x.css'])
    assert.equal(colorSheet(name), undefined, name)
  const answer = await scene.anonymous.get(`${scene.url}/-/broadcast_messages/colors/123456-abcdef.css`)
  assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/css; charset=utf-8'])
  assert.equal((await scene.anonymous.get(`${scene.url}/-/broadcast_messages/colors/x.css`)).status, 404)
})

test('a browser remembers so many messages', () => {
  let cookie = ''
  for (let id = 1; id <= 60; id++) cookie = hiddenCookie(cookie, id).split(';')[0] as string
  const ids = hiddenMessages(`theme=dark; ${cookie}`)
  assert.deepEqual([ids.length, ids[0], ids.at(-1)], [50, 11, 60])
  assert.deepEqual(hiddenMessages('hidden_messages=1.x.99999999999999999.2'), [1])
})

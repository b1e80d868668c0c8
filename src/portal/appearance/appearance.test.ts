/** Appearance API, and what pages show of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { formWith, png } from '../../spaces/uploads/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const { root } = scene
const url = '/application/appearance'
const pageFor = async (path: string): Promise<string> => (await scene.anonymous.get(scene.url + path)).body

test('an administrator gives the instance texts and pictures of its own, and takes them away', async () => {
  const before = (await root.get(url)).body
  assert.deepEqual(before, {
    title: '',
    description: '',
    new_project_guidelines: '',
    profile_image_guidelines: '',
    header_message: '',
    footer_message: '',
    message_background_color: '#E75E40',
    message_font_color: '#FFFFFF',
    email_header_and_footer_enabled: false,
    logo: null,
    header_logo: null,
    favicon: null,
  })

  const changed = await root.put(url, formWith('logo', 'our logo.png', png(40), { title: 'Acme', description: 'Ask **Ida** first' }))
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  const logo = '/uploads/-/system/appearance/logo/1/our_logo.png'
  assert.deepEqual(changed.body, { ...before, title: 'Acme', description: 'Ask **Ida** first', logo })
  await root.put(url, formWith('header_logo', 'top.png', png(20)))
  await root.put(url, formWith('favicon', 'icon.png', png(32)))

  const signIn = await pageFor('/users/sign_in')
  assert.ok(signIn.includes(`<img src="${logo}" alt="">`))
  assert.match(signIn, /Acme<\/p>.*Ask <strong>Ida<\/strong> first/)
  assert.ok(signIn.includes('<img class="own-logo" src="/uploads/-/system/appearance/header_logo/1/top.png" alt="">'))
  assert.ok(signIn.includes('<link rel="icon" href="/uploads/-/system/appearance/favicon/1/icon.png">'))
  const image = await scene.anonymous.get(scene.url + logo)
  assert.deepEqual([image.status, image.bytes.equals(png(40))], [200, true])
  assert.equal((await scene.anonymous.get(`${scene.url}/uploads/-/system/appearance/logo/1/other.png`)).status, 404)
  assert.equal((await scene.anonymous.get(`${scene.url}/uploads/-/system/appearance/photo/1/our_logo.png`)).status, 404)

  for (const kind of ['logo', 'header_logo', 'favicon']) await root.put(url, formWith(kind, 'nothing', ''))
  assert.deepEqual((await root.put(url, { title: '', description: '' })).body, before)
  assert.equal((await scene.anonymous.get(scene.url + logo)).status, 404)
})

test('messages stand above and below every page, in colours that can be read', async () => {
  await root.put(url, {
    header_message: 'For *tests* only',
    footer_message: '<b>Bye</b>',
    message_background_color: '#ff0',
    message_font_color: '#fff',
  })
  const page = await pageFor('/explore')
  await root.put(url, { header_message: '', footer_message: '', message_background_color: '#E75E40', message_font_color: '#FFFFFF' })

  assert.match(
    page,
    /<aside class="instance-message broadcast-ffff00-000000" aria-label="Message above the page" dir="auto"><p>For <em>tests<\/em> only<\/p>/,
  )
  assert.match(page, /aria-label="Message below the page" dir="auto"><p>&lt;b&gt;Bye&lt;\/b&gt;<\/p>/)
  assert.ok(page.indexOf('Message above') < page.indexOf('global-bar'))
  assert.ok(!(await pageFor('/explore')).includes('instance-message'))
})

test('guidelines stand on the pages for a new project and for the profile', async () => {
  const person = await surfer()
  await root.put(url, { new_project_guidelines: 'Name it *well*', profile_image_guidelines: 'Faces, please' })
  const [project, profile] = [(await person.get('/projects/new')).body, (await person.get('/-/profile')).body]
  await root.put(url, { new_project_guidelines: '', profile_image_guidelines: '' })

  assert.match(project, /Name it <em>well<\/em>/)
  assert.match(profile, /Faces, please/)
})

test('what is no colour, no image or too long is refused, and nothing is changed', async () => {
  for (const [body, wrong] of [
    [{ message_background_color: 'red', title: 'Changed' }, /message_background_color/],
    [{ header_message: 'x'.repeat(1_001), title: 'Changed' }, /header_message/],
    [formWith('logo', 'a.png', 'no image', { title: 'Changed' }), /logo/],
    [formWith('favicon', 'a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', { title: 'Changed' }), /favicon/],
  ] as const) {
    const { status, body: answer } = await root.put(url, body)
    assert.equal(status, 400)
    assert.match(JSON.stringify(answer), wrong)
  }
  assert.equal((await root.get(url)).body.title, '')
})

test('the page of the administration changes it, and removes a picture', async () => {
  const admin = await surfer({ admin: true })
  const at = '/admin/application_settings/appearance'
  await admin.submit(`${at}/sign_in_page`, { title: 'Ours', description: '' })
  await root.put(url, formWith('logo', 'ours.png', png(10)))
  const page = (await admin.get(at)).body
  const removed = await admin.submit(`${at}/images/delete`, { logo: '' })

  assert.match(page, /value="Ours"/)
  assert.match(page, /<img class="own-picture" src="\/uploads\/-\/system\/appearance\/logo\/1\/ours\.png"/)
  assert.equal(removed.status, 303)
  assert.deepEqual([(await root.get(url)).body.title, (await root.get(url)).body.logo], ['Ours', null])
  await root.put(url, { title: '' })
})

/** Avatars of projects, groups and users (document 3 "avatar"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { formWith, png } from '../uploads/scene.ts'

const scene = await openScene()

const avatar = (bytes: Buffer | string = png(8), filename = 'logo.png', fields: Record<string, string> = {}) =>
  formWith('avatar', filename, bytes, fields)

test('an avatar is set with a new project, shown everywhere, and served unchanged', async () => {
  const owner = await scene.user()
  const made = await owner.post('/projects', avatar(png(8), 'my logo.png', { name: 'With logo', visibility: 'public' }))
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const url = `${scene.url}/uploads/-/system/project/avatar/${made.body.id}/my_logo.png`
  assert.equal(made.body.avatar_url, url)
  assert.equal((await owner.get(`/projects/${made.body.id}`)).body.avatar_url, url)
  assert.equal((await owner.get('/projects', { owned: true })).body[0].avatar_url, url)

  const image = await scene.anonymous.get(url)
  assert.equal(image.status, 200)
  assert.ok(image.bytes.equals(png(8)))
  const {
    'content-type': type,
    'x-content-type-options': sniff,
    'content-disposition': disposition,
    etag,
    'content-length': length,
  } = image.headers
  assert.deepEqual([type, sniff, disposition, length], ['image/png', 'nosniff', 'inline; filename="my_logo.png"', '33'])
  assert.equal((await scene.anonymous.get(url, {}, { 'if-none-match': etag as string })).status, 304)
  const byApi = await scene.anonymous.get(`/projects/${made.body.id}/avatar`)
  assert.deepEqual([byApi.status, byApi.bytes.equals(png(8))], [200, true])
})

test('an avatar is replaced, kept when other attributes change, and removed by an empty value (form, JSON null)', async () => {
  const { project, owner } = await scene.project()
  const avatarUrl = async () => (await owner.get(project.url)).body.avatar_url
  await owner.put(project.url, avatar(png(4), 'old.png'))
  const old = await avatarUrl()
  await owner.put(project.url, avatar(png(5), 'new.png'))
  assert.match(await avatarUrl(), /new\.png$/)
  assert.equal((await owner.get(old)).status, 404)
  await owner.put(project.url, { description: 'Other' })
  assert.ok((await owner.get(await avatarUrl())).bytes.equals(png(5)))

  const emptied = await owner.put(project.url, new URLSearchParams({ avatar: '' }))
  assert.deepEqual([emptied.status, emptied.body.avatar_url], [200, null])
  for (const empty of [{ avatar: null }, avatar('')]) {
    await owner.put(project.url, avatar())
    assert.equal((await owner.put(project.url, empty)).body.avatar_url, null)
  }
  assert.deepEqual(await owner.get(`${project.url}/avatar`), { status: 404, body: { message: '404 Avatar Not Found' } })
})

test('groups and users have avatars too, and a personal namespace that of its user', async () => {
  const { group, owner } = await scene.group()
  const created = await owner.post('/groups', avatar(png(6), 'g.png', { name: 'Pictured', path: 'pictured' }))
  assert.match(created.body.avatar_url, /\/uploads\/-\/system\/group\/avatar\/\d+\/g\.png$/)
  const changed = await owner.put(group.url, avatar())
  assert.ok((await owner.get(changed.body.avatar_url)).bytes.equals(png(8)))
  assert.equal((await owner.get(`${group.url}/avatar`)).status, 200)
  assert.equal((await owner.put(group.url, { avatar: null })).body.avatar_url, null)

  const mine = await owner.put('/user/avatar', avatar(png(7), 'me.png'))
  assert.deepEqual(mine, { status: 200, body: { avatar_url: `${scene.url}/uploads/-/system/user/avatar/${owner.id}/me.png` } })
  assert.ok((await scene.anonymous.get(mine.body.avatar_url)).bytes.equals(png(7)))
  assert.equal((await owner.get('/user')).body.avatar_url, mine.body.avatar_url)
  const { project } = await scene.project({ owner })
  assert.equal((await owner.get(project.url)).body.namespace.avatar_url, mine.body.avatar_url)
  assert.equal((await owner.put('/user/avatar', { avatar: '' })).body.avatar_url, null)

  const fields = { username: 'pia', name: 'Pia', email: 'pia@example.com', password: 'correct horse' }
  const person = await scene.root.post('/users', avatar(png(9), 'pia.png', fields))
  assert.match(person.body.avatar_url, /pia\.png$/)
  assert.match((await scene.root.put(`/users/${person.body.id}`, avatar(png(9), 'p.png'))).body.avatar_url, /p\.png$/)
})

test('an image is checked by its content, size and dimensions, never by its name (400 with the validation body, decision 12)', async () => {
  const { project, owner } = await scene.project()
  const format = /file format is not supported/
  const wrong: [bytes: Buffer | string, reason: RegExp][] = [
    ['hello', format],
    ['<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>', format],
    [png(8).subarray(0, 12), format],
    [png(0), format],
    [Buffer.concat([png(8), Buffer.alloc(200 * 1024)]), /^is too big \(should be at most 200 KB\)$/],
    // An image bomb: few bytes that unpack to gigabytes.
    [png(60_000), /has too many pixels/],
    [png(1, 4_097), /has too many pixels/],
  ]
  for (const [bytes, reason] of wrong) {
    const { status, body } = await owner.put(project.url, avatar(bytes, 'image.png'))
    assert.equal(status, 400)
    assert.match(body.message.avatar[0], reason)
  }
  const right: Record<string, Buffer> = {
    'image/jpeg': Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108000200030301220002110103110100ffd9', 'hex'),
    'image/gif': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
    'image/bmp': Buffer.concat([Buffer.from('BM'), Buffer.alloc(16), Buffer.from([2, 0, 0, 0, 2, 0, 0, 0]), Buffer.alloc(28)]),
    'image/vnd.microsoft.icon': Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]), Buffer.alloc(32)]),
    'image/webp': Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=', 'base64'),
  }
  for (const [type, bytes] of Object.entries(right)) {
    const { status, body } = await owner.put(project.url, avatar(bytes, 'no-extension'))
    assert.equal(status, 200, `${type}: ${JSON.stringify(body)}`)
    assert.equal((await owner.get(body.avatar_url)).headers['content-type'], type)
  }
})

test('a value that is no file is refused, and JSON that looks like an upload names no file of the server', async () => {
  const { project, owner } = await scene.project()
  for (const value of ['logo.png', 7, { file: '/etc/passwd', filename: 'a.png', mimetype: 'image/png', size: 1, sha256: '0' }, ['x']]) {
    const { status, body } = await owner.put(project.url, { avatar: value })
    assert.equal(status, 400, JSON.stringify(value))
    assert.ok('avatar' in body.message)
  }
  const named = await owner.put(project.url, formWith('description', 'a.png', png(8)))
  assert.equal(named.status, 400)
})

test('a private project’s avatar is visible to users who may see the project, a user’s avatar is public', async () => {
  const { project, owner, guest } = await scene.project({ members: ['guest'] })
  const outsider = await scene.user()
  const { avatar_url } = (await owner.put(project.url, avatar())).body
  const statuses = await Promise.all([owner, guest, outsider, scene.anonymous].map(async person => (await person.get(avatar_url)).status))
  assert.deepEqual(statuses, [200, 200, 404, 404])
  const { group } = await scene.group({ owner })
  const groupUrl = (await owner.put(group.url, avatar())).body.avatar_url
  assert.deepEqual([(await owner.get(groupUrl)).status, (await outsider.get(groupUrl)).status], [200, 404])
})

test('an avatar is deleted with its owner', async () => {
  const { project, owner } = await scene.project()
  await owner.put(project.url, avatar())
  await owner.delete(project.url)
  const left = await scene.deps.database.db.selectFrom('avatars').select('id').where('project_id', '=', project.id).execute()
  assert.deepEqual(left, [])
})

test('of two concurrent avatars one is stored, intact', async () => {
  const { project, owner } = await scene.project()
  const answers = await Promise.all([20, 21, 22, 23].map(size => owner.put(project.url, avatar(png(size), `size-${size}.png`))))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { avatar_url } = (await owner.get(project.url)).body
  const { status, bytes } = await owner.get(avatar_url)
  const size = Number(/size-(\d+)\.png$/.exec(avatar_url)?.[1])
  assert.deepEqual([status, bytes.equals(png(size))], [200, true])
})

test('an avatar is found by a public email, and no other service is contacted', async () => {
  const person = await scene.user({ public_email: 'Ida@Public.example' })
  const { avatar_url } = (await person.put('/user/avatar', avatar())).body
  const ask = async (email: string) => (await scene.anonymous.get('/avatar', { email, size: 32 })).body
  assert.deepEqual(await ask('ida@public.example'), { avatar_url })
  assert.deepEqual(await ask(person.email), { avatar_url: null })
  await scene.root.post(`/users/${person.id}/block`)
  assert.deepEqual(await ask('ida@public.example'), { avatar_url: null })
})

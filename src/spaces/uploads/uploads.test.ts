/** Files attached to texts in a project (public behaviour at 14.0; clients.md b "uploads"). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { safeFilename } from '../../platform/object_store/filenames.ts'
import { encodeUploadPath } from './address.ts'
import { formWith, png } from './scene.ts'

const scene = await openScene()

test('the answer to an uploaded image has its addresses and the Markdown that shows it', async () => {
  const { project, owner } = await scene.project()
  const { status, body } = await owner.post(`${project.url}/uploads`, formWith('file', 'dk image.png', png(8)))
  assert.equal(status, 201)
  assert.match(body.url, /^\/uploads\/[0-9a-f]{32}\/dk_image\.png$/)
  assert.deepEqual(body, {
    id: body.id,
    alt: 'dk_image',
    url: body.url,
    full_path: `/${project.full_path}${body.url}`,
    markdown: `![dk_image](${body.url})`,
  })
  for (const address of [body.full_path, `/-/project/${project.id}${body.url}`]) {
    const image = await owner.get(`${scene.url}${address}`)
    assert.deepEqual([image.status, image.headers['content-type'], image.bytes.equals(png(8))], [200, 'image/png', true])
    assert.equal(image.headers['content-disposition'], 'inline; filename="dk_image.png"')
  }
})

test('a file that is no image by its content is downloaded and never displayed', async () => {
  const { project, owner } = await scene.project()
  const page = '<script>alert(1)</script>'
  const files = [
    ['page.html', page],
    ['image.png', page],
    ['image.svg', `<svg xmlns="http://www.w3.org/2000/svg">${page}</svg>`],
  ]
  for (const [name, content] of files as [string, string][]) {
    const { body } = await owner.post(`${project.url}/uploads`, formWith('file', name, content))
    const { headers, bytes } = await owner.get(`${scene.url}${body.full_path}`)
    assert.equal(bytes.toString(), content)
    assert.deepEqual(
      [headers['content-type'], headers['x-content-type-options'], headers['content-disposition']],
      ['application/octet-stream', 'nosniff', `attachment; filename="${name}"`],
    )
    assert.match(headers['content-security-policy'] as string, /sandbox/)
  }
  const { body } = await owner.post(`${project.url}/uploads`, formWith('file', 'page.html', page))
  assert.deepEqual([body.alt, body.markdown], ['page.html', `[page.html](${body.url})`])
})

test('users who see a project see its uploads, and may add them when signed in', async () => {
  const { project, guest } = await scene.project({ members: ['guest'] })
  const outsider = await scene.user()
  const upload = await guest.post(`${project.url}/uploads`, formWith('file', 'a.txt', 'a'))
  assert.equal(upload.status, 201)
  const url = `${scene.url}${upload.body.full_path}`
  const statuses = await Promise.all([guest, outsider, scene.anonymous].map(async person => (await person.get(url)).status))
  assert.deepEqual(statuses, [200, 404, 404])
  const open = await scene.project({ visibility: 'public' })
  assert.equal((await outsider.post(`${open.project.url}/uploads`, formWith('file', 'a.txt', 'a'))).status, 201)
  assert.equal((await scene.anonymous.post(`${open.project.url}/uploads`, formWith('file', 'a.txt', 'a'))).status, 401)
  assert.equal((await outsider.post(`${project.url}/uploads`, formWith('file', 'a.txt', 'a'))).status, 404)
})

test('a missing, invalid or too large file is refused, and nothing is stored', async () => {
  const { project, owner } = await scene.project()
  assert.deepEqual(await owner.post(`${project.url}/uploads`, {}), {
    status: 400,
    body: { message: '400 (Bad request) "file" not given' },
  })
  assert.equal((await owner.post(`${project.url}/uploads`, { file: 'a.txt' })).status, 400)
  const tooLarge = await owner.post(`${project.url}/uploads`, formWith('file', 'big', Buffer.alloc(100 * 1024 * 1024)))
  assert.equal(tooLarge.status, 413)
  const rows = await scene.deps.database.db.selectFrom('uploads').select('id').where('project_id', '=', project.id).execute()
  assert.deepEqual(rows, [])
})

test('a download resumes after an interruption (RFC 9110, 14)', async () => {
  const { project, owner } = await scene.project()
  const content = randomBytes(100_000)
  const { body } = await owner.post(`${project.url}/uploads`, formWith('file', 'a.bin', content))
  const url = `${scene.url}${body.full_path}`
  const part = async (range: string, headers: Record<string, string> = {}) => owner.get(url, {}, { range, ...headers })
  const whole = await owner.get(url)
  assert.deepEqual([whole.headers['accept-ranges'], whole.headers['content-length']], ['bytes', '100000'])
  const parts: [range: string, from: number, to: number][] = [
    ['bytes=0-9', 0, 10],
    ['bytes=99990-', 99_990, 100_000],
    ['bytes=-5', 99_995, 100_000],
    ['bytes=50-999999', 50, 100_000],
    ['bytes=-999999', 0, 100_000],
  ]
  for (const [range, from, to] of parts) {
    const { status, headers, bytes } = await part(range)
    assert.deepEqual([status, headers['content-range']], [206, `bytes ${from}-${to - 1}/100000`], range)
    assert.ok(bytes.equals(content.subarray(from, to)), range)
  }
  for (const range of ['bytes=100000-', 'bytes=-0']) {
    const { status, headers } = await part(range)
    assert.deepEqual([status, headers['content-range']], [416, 'bytes */100000'], range)
  }
  // An invalid range, or several ranges, get the whole.
  for (const range of ['lines=1-2', 'bytes=9-0', 'bytes=0-1,5-6', 'bytes=-']) assert.equal((await part(range)).status, 200, range)
  assert.equal((await part('bytes=0-9', { 'if-range': whole.headers.etag as string })).status, 206)
  assert.equal((await part('bytes=0-9', { 'if-range': '"older"' })).status, 200)
  const head = await owner.head(url)
  assert.deepEqual([head.status, head.headers['content-length'], head.bytes.length], [200, '100000', 0])
})

test('an upload is found under the new path of its project, and deleted with it', async () => {
  const { project, owner } = await scene.project()
  const { body } = await owner.post(`${project.url}/uploads`, formWith('file', 'a.txt', 'a'))
  await owner.put(project.url, { path: 'moved-uploads' })
  const moved = body.full_path.replace(project.path, 'moved-uploads')
  assert.equal((await owner.get(`${scene.url}${moved}`)).status, 200)
  await owner.delete(project.url)
  assert.equal((await owner.get(`${scene.url}${moved}`)).status, 404)
})

test('Maintainers list the uploads of a project, and download and delete them by id and by address', async () => {
  const { project, maintainer, developer, guest } = await scene.project({ members: ['maintainer', 'developer', 'guest'] })
  const url = `${project.url}/uploads`
  const [first, second] = [
    (await developer.post(url, formWith('file', 'a.txt', 'first'))).body,
    (await guest.post(url, formWith('file', 'b.txt', 'second one'))).body,
  ]
  const address = (upload: { url: string }) => `${project.url}${upload.url}`

  const list = await maintainer.get(url)
  assert.deepEqual(
    list.body.map(({ created_at: _at, ...row }: { created_at: string }) => row),
    [
      { id: second.id, size: 10, filename: 'b.txt', uploaded_by: { id: guest.id, name: guest.name, username: guest.username } },
      { id: first.id, size: 5, filename: 'a.txt', uploaded_by: { id: developer.id, name: developer.name, username: developer.username } },
    ],
  )
  assert.match(list.body[0].created_at, /Z$/)
  assert.equal((await maintainer.get(`${url}/${first.id}`)).bytes.toString(), 'first')
  assert.equal((await guest.get(address(first))).bytes.toString(), 'first')
  for (const refused of [
    developer.get(url),
    developer.get(`${url}/${first.id}`),
    developer.delete(`${url}/${first.id}`),
    developer.delete(address(first)),
  ])
    assert.equal((await refused).status, 403)
  assert.equal((await (await scene.user()).get(address(first))).status, 404)

  assert.equal((await maintainer.delete(`${url}/${first.id}`)).status, 204)
  assert.equal((await maintainer.delete(address(second))).status, 204)

  assert.deepEqual((await maintainer.get(url)).body, [])
  for (const { full_path } of [first, second]) assert.equal((await maintainer.get(`${scene.url}${full_path}`)).status, 404)
  assert.equal((await maintainer.delete(`${url}/${first.id}`)).status, 404)
  const { project: other, owner } = await scene.project()
  const theirs = (await owner.post(`${other.url}/uploads`, formWith('file', 'c.txt', 'c'))).body
  assert.equal((await maintainer.delete(`${url}/${theirs.id}`)).status, 404, 'of another project')
})

test('users who are not members take a tenth of the room of a limited project, together and at the same instant too', async () => {
  const { project, owner, guest } = await scene.project({ visibility: 'public', members: ['guest'] })
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const strangers = await Promise.all([scene.user(), scene.user()])
  const upload = async (by: typeof owner, size: number) => by.post(`${project.url}/uploads`, formWith('file', 'a.bin', randomBytes(size)))

  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => upload(strangers[index % 2] as typeof owner, 40_000)))

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 413, 413, 413, 413, 413, 413])
  assert.match(answers.find(({ status }) => status === 413)?.body.message, /not members would take more than 0\.1 MB/)
  assert.equal((await upload(strangers[0], 200_000)).status, 413)
  assert.equal((await upload(guest, 500_000)).status, 201, 'members have the rest')
  assert.equal((await upload(scene.root, 200_000)).status, 201)
  // What a Maintainer deletes makes room again.
  for (const { id, uploaded_by } of (await owner.get(`${project.url}/uploads`)).body)
    if (uploaded_by.id !== guest.id) await owner.delete(`${project.url}/uploads/${id}`)
  assert.equal((await upload(strangers[0], 40_000)).status, 201)
})

test('another secret or name is 404', async () => {
  const { project, owner } = await scene.project()
  const { body } = await owner.post(`${project.url}/uploads`, formWith('file', 'a.txt', 'a'))
  for (const path of [body.full_path.replace('a.txt', 'b.txt'), body.full_path.replace(/[0-9a-f]{32}/, '0'.repeat(32))])
    assert.equal((await owner.get(`${scene.url}${path}`)).status, 404)
})

const secret = 'a'.repeat(32)
const addresses: readonly [address: string, routed: string | undefined][] = [
  [`/g/p/uploads/${secret}/a.png`, `/g%2Fp/uploads/${secret}/a.png`],
  [`/a/b/c/d/uploads/${secret}/a.png?x=1`, `/a%2Fb%2Fc%2Fd/uploads/${secret}/a.png?x=1`],
  [`/p/uploads/${secret}/a.png`, undefined],
  [`/-/project/1/uploads/${secret}/a.png`, undefined],
  [`/api/v4/projects/1/uploads/${secret}/a.png`, undefined],
  [`/g/p/uploads/${secret.slice(1)}/a.png`, undefined],
  [`/g/p?x=/uploads/${secret}/a.png`, undefined],
]

test('the path of a project becomes one segment of the address of its uploads', () => {
  for (const [address, routed] of addresses) assert.equal(encodeUploadPath(address), routed, address)
})

test('names of files are safe in addresses, headers and folders', () => {
  const names: [given: string, kept: string][] = [
    ['plain-1.0_a+b.txt', 'plain-1.0_a+b.txt'],
    ['größe übung.png', 'größe_übung.png'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['.hidden', '.hidden'],
    ['..hidden', 'hidden'],
    ['.', 'file'],
    ['a\r\nb"c;d.txt', 'a_b_c_d.txt'],
    ['...', 'file'],
    ['', 'file'],
    [`${'x'.repeat(300)}.png`, `${'x'.repeat(196)}.png`],
  ]
  for (const [given, kept] of names) assert.equal(safeFilename(given, 'file'), kept)
})

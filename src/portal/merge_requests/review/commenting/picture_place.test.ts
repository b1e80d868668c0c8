/** Choosing the place on a picture without a script: sizes, clicks on what is shown, and numbers that are none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'
import { oauthScene } from '../../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()

/** The beginning of a PNG of a size: what says it. */
const png = (width: number, height: number): string => {
  const bytes = Buffer.alloc(33)
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}

/** A JPEG of 60 × 40 that says that it is to be turned by a quarter. */
const turned = Buffer.from(
  'ffd8ffe1002245786966000049492a0008000000010012010300010000000600000000000000ffc00011080028003c03012200021101031101ffd9',
  'hex',
).toString('base64')

/** A merge request that adds files, and the address of the choice of a place on one of them. */
async function place(files: Readonly<Record<string, string>>, encoding: 'base64' | 'text' = 'base64') {
  const { project } = await scene.project({ owner: owner.person, visibility: 'private' })
  await scene.commit(project, { 'README.md': 'Lamps\n' }, { branch: 'main' })
  await owner.person.post(`${project.url}/repository/commits`, {
    branch: 'pictures',
    start_branch: 'main',
    commit_message: 'Add pictures',
    actions: Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content, encoding })),
  })
  const { body } = await owner.person.post(`${project.url}/merge_requests`, {
    source_branch: 'pictures',
    target_branch: 'main',
    title: 'Pictures',
  })
  const page = `/${project.full_path}/-/merge_requests/${body.iid}`
  const { base_sha, start_sha, head_sha } = body.diff_refs
  const at = (path: string, more: Readonly<Record<string, string>> = {}) =>
    owner.get(`${page}/diffs/comments/place`, { path, base_sha, start_sha, head_sha, ...more })
  return { page, at, shas: { base_sha, start_sha, head_sha }, api: `${project.url}/merge_requests/${body.iid}` }
}

/** The place that an answer leads on with. */
const pointIn = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string | null =>
  new URL(String(headers.location), 'http://here.example').searchParams.get('point')

test('a picture is shown at a size that the server knows, and a click on it is a place of its own size', async () => {
  const { at } = await place({ 'wide.png': png(1440, 720), 'icon.png': png(16, 16), 'turned.jpg': turned })
  assert.match((await at('wide.png')).body, /<input type="image"[^>]* width="720" height="360"/)
  assert.match((await at('icon.png')).body, /<input type="image"[^>]* width="128" height="128"/)
  assert.match((await at('turned.jpg')).body, /40 pixels wide and 60 high/)
  assert.equal(pointIn(await at('wide.png', { 'at.x': '100', 'at.y': '50' })), 'new 200 100 1440 720')
  assert.equal(pointIn(await at('icon.png', { 'at.x': '0', 'at.y': '124' })), 'new 0 16 16 16')
  assert.equal(pointIn(await at('icon.png', { 'at.x': '900', 'at.y': '-4' })), 'new 16 0 16 16')
  const pressed = await at('icon.png', { 'at.x': '0', 'at.y': '0' })
  assert.deepEqual([pressed.status, /<input type="image"/.test(pressed.body)], [200, true])
})

test('numbers name a place; what is none, or lies beside the picture, gets its message at the field', async () => {
  const { at } = await place({ 'wide.png': png(1440, 720) })
  assert.equal(pointIn(await at('wide.png', { x: '1440', y: '0' })), 'new 1440 0 1440 720')
  for (const [x, y, wrongX, wrongY] of [
    ['1441', '-1', 'must be within the picture: from 0 to 1440', 'must be within the picture: from 0 to 720'],
    ['left', '1.5', 'must be a whole number', 'must be a whole number'],
    ['', ' ', 'must be given', 'must be a whole number'],
    ['9'.repeat(20), '5', 'must be a whole number', undefined],
  ] as const) {
    const { status, body } = await at('wide.png', { x, y })
    assert.equal(status, 422)
    assert.match(body, new RegExp(`id="field-x-wrong">From the left ${wrongX}<`))
    if (wrongY) assert.match(body, new RegExp(`id="field-y-wrong">From the top ${wrongY}<`))
    else assert.doesNotMatch(body, /field-y-wrong/)
  }
})

test('a drawing has the size that it says; of a picture without one, the file is commented on', async () => {
  const drawing = (attributes: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect/></svg>`
  const files = {
    'box.svg': drawing('viewBox="0 0 300 90"'),
    'none.svg': drawing(''),
    'broken.png': 'no picture',
    'wide.svg': drawing('width="999999" height="1"'),
  }
  const { at, page } = await place(files, 'text')
  assert.match((await at('box.svg')).body, /300 pixels wide and 90 high/)
  for (const path of ['none.svg', 'broken.png', 'wide.svg']) {
    const { status, body } = await at(path, { x: '1', y: '1' })
    assert.equal(status, 200)
    assert.match(body, /does not say how large the picture is/)
    assert.match(body, new RegExp(`href="${page}/diffs/comments/new\\?path=${path}&`))
  }
})

test('what is no picture, or not there, is 404; where none is named, the page says what to do', async () => {
  const { at, page } = await place({ 'wide.png': png(8, 8), 'text.txt': png(8, 8) })
  assert.equal((await at('text.txt')).status, 404)
  assert.equal((await at('absent.png')).status, 404)
  assert.equal((await at('wide.png', { side: 'old' })).status, 404)
  assert.equal((await at('wide.png', { head_sha: 'main' })).status, 404)
  assert.equal((await at('wide.png', { head_sha: '1'.repeat(40) })).status, 404)
  const none = await owner.get(`${page}/diffs/comments/place`)
  assert.deepEqual([none.status, /Choose a picture in the/.test(none.body)], [200, true])
  assert.match((await owner.get(`${page}/diffs/comments/place`, { path: 'wide.png' })).body, /<input type="image"/)
})

test('the form of a comment takes the numbers, and refuses others at their fields with what was typed', async () => {
  const { page, shas, api } = await place({ 'wide.png': png(1440, 720) })
  const form = `${page}/diffs/comments/new`
  const { body } = await owner.get(form, { path: 'wide.png', ...shas, point: 'new 10 20 1440 720' })
  assert.match(body, /<circle cx="0\.69\d*%" cy="2\.77\d*%"/)
  assert.match(body, /name="x"[^>]* value="10"/)
  const sent = { path: 'wide.png', ...shas, picture: 'new 1440 720', body: 'A window is missing' }
  const wrong = await owner.submit(form, { ...sent, x: '5000', y: '20' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, /From the left must be within the picture: from 0 to 1440/)
  assert.match(wrong.body, /A window is missing/)
  for (const x of ['', 'left']) assert.match((await owner.submit(form, { ...sent, x, y: '20' })).body, /id="field-x-wrong"/)
  assert.equal((await owner.submit(form, { ...sent, x: '11', y: '20' })).status, 303)
  const { position } = (await owner.person.get(`${api}/discussions`)).body[0].notes[0]
  assert.deepEqual([position.x, position.y, position.width, position.height], [11, 20, 1440, 720])
})

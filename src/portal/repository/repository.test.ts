import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { directoryFrame } from './files/tree_view.ts'
import { languageOf } from './highlight/language.ts'
import { htmlLines } from './highlight/lines.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

/** A private project with these files on `main`. */
async function projectWith(files: Readonly<Record<string, string>>) {
  const { body: project } = await by.post('/projects', { name: `Files ${Math.random()}`.replace('.', '') })
  const actions = Object.entries(files).map(([file_path, content]) => ({
    action: 'create',
    file_path,
    content: Buffer.from(content).toString('base64'),
    encoding: 'base64',
  }))
  const { body: commit } = await by.post(`/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Begin\n\nThe body.',
    actions,
  })
  return { project, commit, page: `/${project.path_with_namespace}` }
}

test('a project shows its files and README, a directory its entries with the commit that changed each', async () => {
  const { page } = await projectWith({ 'README.md': '# Lanterns\n\n<script>alert(1)</script>', 'src/a b.ts': 'const a = 1\n' })

  const home = await owner.get(page)
  assert.match(home.body, /Lanterns<\/h1>/)
  assert.ok(!home.body.includes('<script>alert'))
  assert.match(home.body, new RegExp(`href="${page}/-/tree/main/src"`))
  const tree = await owner.get(`${page}/-/tree/main/src`)
  assert.match(tree.body, new RegExp(`href="${page}/-/blob/main/src/a%20b.ts">a b.ts</a>`))
  assert.match(tree.body, />Begin<\/a>/)
  const complete = await owner.get(`${page}/-/last_commits/main/src`)
  assert.match(complete.body, /<turbo-frame id="entries" target="_top">/)
  assert.match(complete.body, />Begin<\/a>/)
  assert.equal((await owner.get(`${page}/-/tree/main/nothing`)).status, 404)
  assert.equal((await owner.get(`${page}/-/tree/nothing`)).status, 404)
})

test('a directory whose history takes too long loads the last commits after it, and says where they are without a script', () => {
  const directory = { project: { full_path: 'g/p' }, ref: 'main', path: 'src', rows: [], lastCommits: new Map(), submodules: new Map() }
  const late = directoryFrame({ ...directory, isComplete: false }).text
  assert.match(late, /<turbo-frame id="entries" target="_top" src="\/g\/p\/-\/last_commits\/main\/src">/)
  assert.match(late, /<noscript>.*href="\/g\/p\/-\/last_commits\/main\/src"/)
  assert.ok(!directoryFrame({ ...directory, isComplete: true }).text.includes('last_commits'))
})

test('a file is highlighted, its lines are links, and nothing in it is HTML', async () => {
  const { page } = await projectWith({
    'a#1?.ts': "const a = '<b>' // one\n",
    'x.md': '*one*',
    'pic.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
  })

  const file = await owner.get(`${page}/-/blob/main/${encodeURIComponent('a#1?.ts')}`)
  assert.equal(file.status, 200)
  assert.match(file.body, /<tr id="L1"><td class="number"><a href="#L1"/)
  assert.match(file.body, /<span class="hljs-keyword">const<\/span>/)
  assert.ok(!file.body.includes("'<b>'"))

  assert.match((await owner.get(`${page}/-/blob/main/x.md`)).body, /<em>one<\/em>/)
  assert.match((await owner.get(`${page}/-/blob/main/x.md`, { plain: '1' })).body, /\*one\*/)

  const picture = await owner.get(`${page}/-/raw/main/pic.svg`)
  const current = { 'if-none-match': String(picture.headers.etag) }
  assert.equal((await owner.client.get(`${scene.url}${page}/-/raw/main/pic.svg`, {}, current)).status, 304)
  assert.equal(picture.headers['content-type'], 'image/svg+xml')
  assert.match(String(picture.headers['content-security-policy']), /default-src 'none'; sandbox/)
})

test('a drawing has its source and its blame, and an empty file says that it is empty', async () => {
  const { page } = await projectWith({ 'pic.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n', 'none.txt': '' })

  const drawing = await owner.get(`${page}/-/blob/main/pic.svg`)
  assert.match(drawing.body, new RegExp(`<img src="${page}/-/raw/main/pic.svg"`))
  for (const link of [`${page}/-/blob/main/pic.svg?plain=1`, `${page}/-/blame/main/pic.svg`])
    assert.ok(drawing.body.includes(`href="${link}"`), link)
  assert.match((await owner.get(`${page}/-/blob/main/pic.svg`, { plain: '1' })).body, /<tr id="L1">/)

  const none = await owner.get(`${page}/-/blob/main/none.txt`)
  assert.match(none.body, /<span class="small muted">0 bytes<\/span>/)
  assert.match(none.body, /The file is empty\./)
  assert.ok(!none.body.includes('id="L1"'))
})

test('names of branches with slashes are separated from paths', async () => {
  const { project, page } = await projectWith({ 'feature/x.txt': 'main' })
  await by.post(`/projects/${project.id}/repository/branches`, { branch: 'feature/x.txt', ref: 'main' })

  assert.match((await owner.get(`${page}/-/tree/feature/x.txt`)).body, /Files at feature\/x\.txt/)
  assert.match((await owner.get(`${page}/-/blob/feature/x.txt/feature/x.txt`)).body, /<td class="text">main<\/td>/)
  assert.match((await owner.get(`${page}/-/blob/main/feature/x.txt`)).body, /<td class="text">main<\/td>/)
})

test('large and binary files and LFS pointers are said to be such', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 2048\n`
  const { page } = await projectWith({
    'nul.bin': 'a\0b',
    'big.txt': 'x'.repeat(3_000_000),
    'big.psd': pointer,
    'line.json': `"${'y'.repeat(900_000)}"`,
  })

  assert.match((await owner.get(`${page}/-/blob/main/nul.bin`)).body, /is not a text/)
  assert.match((await owner.get(`${page}/-/blob/main/big.txt`)).body, /too large to be shown/)
  assert.match((await owner.get(`${page}/-/blob/main/big.psd`)).body, /kept by Git LFS: 2\.0 KB/)
  assert.equal((await owner.get(`${page}/-/blob/main/line.json`)).status, 200)
})

test('a file of very many lines is shown to a number of them, and has no blame', async () => {
  const { page } = await projectWith({
    'long.txt': 'a\n'.repeat(60_000),
    'short.txt': 'a\n'.repeat(20_000),
    'wide.txt': '<'.repeat(400_000),
  })

  const shown = (await owner.get(`${page}/-/blob/main/long.txt`)).body
  assert.match(shown, /id="L20000".*Only the first 20000 lines are shown/s)
  assert.ok(!shown.includes('id="L20001"'))
  assert.match((await owner.get(`${page}/-/blame/main/long.txt`)).body, /too large for blame/)
  assert.ok(!(await owner.get(`${page}/-/blob/main/short.txt`)).body.includes('Only the first'))
  assert.ok(!(await owner.get(`${page}/-/blob/main/wide.txt`)).body.includes('Copy the file'))
})

test('a very long message is shown to a length', async () => {
  const { project, page } = await projectWith({ 'a.txt': '1' })
  const { body: commit } = await by.post(`/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: `Long\n\n${'x'.repeat(200_000)}`,
    actions: [{ action: 'update', file_path: 'a.txt', content: '2' }],
  })

  for (const address of [`${page}/-/commits/main`, `${page}/-/commit/${commit.id}`]) {
    const { body } = await owner.get(address)
    assert.match(body, /xxx…</)
    assert.ok(body.length < 100_000)
  }
})

test('a commit shows its message and its changes, and is reverted by a form', async () => {
  const { project, page } = await projectWith({ 'a.txt': 'one\ntwo\n' })
  const { body: second } = await by.put(`/projects/${project.id}/repository/files/a.txt`, {
    branch: 'main',
    content: 'one\ntwo <3\n',
    commit_message: 'Change',
  })
  assert.equal(second.file_path, 'a.txt')
  const [change] = (await by.get(`/projects/${project.id}/repository/commits`)).body

  const shown = await owner.get(`${page}/-/commit/${change.id}`)
  assert.match(shown.body, /1 file changed/)
  assert.match(shown.body, /two<ins> &lt;3<\/ins>/)
  assert.match((await owner.get(`${page}/-/commits/main/a.txt`)).body, />Change<\/a>/)
  assert.match((await owner.get(`${page}/-/commits/main`, { author: 'no.body' })).body, /No commit matches/)

  const refused = await owner.submit(`${page}/-/commit/${change.id}/revert`, { branch: 'nothing' })
  assert.equal(refused.status, 404)
  const reverted = await owner.submit(`${page}/-/commit/${change.id}/revert`, { branch: 'main' })
  assert.equal(reverted.status, 303)
  assert.equal((await by.get(`/projects/${project.id}/repository/files/a.txt/raw`, { ref: 'main' })).body, 'one\ntwo\n')
  const compared = await owner.get(`${page}/-/compare`, { from: change.id, to: 'main' })
  assert.match(compared.body, /1 commit</)
})

test('what is private is not there for others, and code is for those who may read it', async () => {
  const { project, page } = await projectWith({ 'a.txt': 'one\n' })
  const stranger = await surfer()
  for (const path of ['', '/-/tree/main', '/-/blob/main/a.txt', '/-/commits/main', '/-/commit/main', '/-/compare'])
    assert.equal((await stranger.get(`${page}${path}`)).status, 404, path)
  assert.equal((await scene.anonymous.get(`${scene.url}${page}/-/raw/main/a.txt`)).status, 404)

  await scene.root.post(`/projects/${project.id}/members`, { user_id: stranger.person.id, access_level: 10 })
  assert.match((await stranger.get(page)).body, /The code is not shown/)
  assert.equal((await stranger.get(`${page}/-/blob/main/a.txt`)).status, 403)
})

describe('highlighting', () => {
  test('spans over several lines are closed and opened again', () => {
    assert.deepEqual(htmlLines('a<span class="c">b\nc</span>\n'), ['a<span class="c">b</span>', '<span class="c">c</span>'])
    assert.deepEqual(htmlLines(''), [''])
  })

  test('the language follows from the name', () => {
    assert.equal(languageOf('src/Dockerfile'), 'dockerfile')
    assert.equal(languageOf('a.MTS'), 'typescript')
    assert.equal(languageOf('LICENSE'), undefined)
  })
})

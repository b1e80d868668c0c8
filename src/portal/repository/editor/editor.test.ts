import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

/** A private project with these files on `main`, and reads of its files. */
async function projectWith(files: Readonly<Record<string, string | Buffer>>, more: Readonly<Record<string, unknown>> = {}) {
  const { body: project } = await by.post('/projects', { name: `Edited ${Math.random()}`.replace('.', ''), ...more })
  const actions = Object.entries(files).map(([file_path, content]) => ({
    action: 'create',
    file_path,
    content: Buffer.from(content).toString('base64'),
    encoding: 'base64',
  }))
  if (actions.length > 0) await by.post(`/projects/${project.id}/repository/commits`, { branch: 'main', commit_message: 'Begin', actions })
  const url = `/projects/${project.id}/repository`
  /** The text of a file on a branch; its status where there is none. */
  const read = async (path: string, ref = 'main'): Promise<string | number> => {
    const { status, body } = await by.get(`${url}/files/${encodeURIComponent(path)}`, { ref })
    return status === 200 ? Buffer.from(body.content, 'base64').toString() : status
  }
  const lastCommit = async (path: string): Promise<string> =>
    (await by.get(`${url}/files/${encodeURIComponent(path)}`, { ref: 'main' })).body.last_commit_id
  return { project, page: `/${project.path_with_namespace}`, url, read, lastCommit }
}

test('a file is edited in a form that shows it, and keeps its line ends, mark and last line', async () => {
  const { page, read, url } = await projectWith({ 'a b.txt': '\uFEFFone\r\ntwo <b>' })

  const shown = await owner.get(`${page}/-/edit/main/a%20b.txt`)
  assert.match(shown.body, /<textarea[^>]*>\none\ntwo &lt;b&gt;<\/textarea>/)
  const saved = await owner.submit(`${page}/-/edit/main/a%20b.txt`, {
    content: 'one\r\nnew\r\ntwo <b>',
    commit_message: 'Say more\r\n\r\nand why',
    branch_name: 'main',
    last_commit_id: /name="last_commit_id" value="(\w+)"/.exec(shown.body)?.[1] ?? '',
  })

  assert.equal(saved.status, 303)
  assert.equal(saved.headers.location, `${page}/-/blob/main/a%20b.txt`)
  assert.equal(await read('a b.txt'), '\uFEFFone\r\nnew\r\ntwo <b>')
  const [commit] = (await by.get(`${url}/commits`)).body
  assert.deepEqual([commit.message, commit.author_name], ['Say more\n\nand why', owner.person.name])
})

test('a change goes on to a merge request from its branch into that of the address', async () => {
  const { project, page, read } = await projectWith({ 'a.txt': 'one\n', 'b/c.txt': 'x\n' })
  const form = `${page}/-/edit/main/a.txt`
  assert.match((await owner.get(form)).body, /name="merge_request" value="false">.*Open a merge request/)
  assert.doesNotMatch((await owner.get(form)).body, /name="merge_request"[^>]* checked/)
  const sent = { content: 'two\n', branch_name: 'topic', merge_request: 'true' }

  const saved = await owner.submit(form, sent)

  const next = `${page}/-/merge_requests/new?merge_request%5Bsource_branch%5D=topic&merge_request%5Btarget_branch%5D=main`
  assert.deepEqual([saved.status, saved.headers.location], [303, next])
  assert.equal(await read('a.txt', 'topic'), 'two\n')
  assert.match((await owner.get(next)).body, /topic/)
  const gone = await owner.submit(`${page}/-/delete/main/b/c.txt`, { branch_name: 'tidy', merge_request: 'true' })
  assert.equal(gone.headers.location, next.replace('topic', 'tidy'))

  const same = await owner.submit(form, { ...sent, branch_name: 'main' })
  assert.equal(same.status, 422)
  assert.match(same.body, /Branch is the one to merge into: choose another name/)
  assert.match(same.body, /name="merge_request"[^>]*checked|checked[^>]*name="merge_request"/)

  const developer = await surfer()
  await scene.root.post(`/projects/${project.id}/members`, { user_id: developer.person.id, access_level: 30 })
  const proposed = (await developer.get(form)).body
  assert.match(proposed, new RegExp(`value="${developer.person.username}-patch-1"`))
  assert.match(proposed, /checked[^>]*name="merge_request"/, 'who may not push to main is led to a merge request')
})

test('the first file of an empty repository is made in a form whose links lead somewhere', async () => {
  const { page } = await projectWith({})
  const { status, body } = await owner.get(`${page}/-/new/main`)
  assert.equal(status, 200)
  assert.ok(body.includes(`<div class="heading"><a href="${page}">`), 'the project is above it')
  assert.ok(!body.includes('/-/tree/'), 'there is no directory yet')
})

test('what was typed is shown again where the file has changed meanwhile, and takes its place if the user says so', async () => {
  const { page, read, url, lastCommit } = await projectWith({ 'a.txt': 'one\n', 'b.txt': 'other\n' })
  const last_commit_id = await lastCommit('a.txt')
  await by.put(`${url}/files/b.txt`, { branch: 'main', content: 'changed\n', commit_message: 'Not this file' })
  await by.put(`${url}/files/a.txt`, { branch: 'main', content: 'changed\n', commit_message: 'Meanwhile' })
  const typed = { content: 'typed <here>\n', branch_name: 'main', commit_message: 'Mine' }

  const refused = await owner.submit(`${page}/-/edit/main/a.txt`, { ...typed, last_commit_id })

  assert.equal(refused.status, 422)
  assert.match(refused.body, /a\.txt has changed on main since you began/)
  assert.match(refused.body, /<textarea[^>]*>\ntyped &lt;here&gt;\n<\/textarea>/)
  assert.match(refused.body, new RegExp(`href="${page}/-/compare/${last_commit_id}\\.\\.\\.main"`))
  assert.equal(await read('a.txt'), 'changed\n')
  const newest = await lastCommit('a.txt')
  assert.match(refused.body, new RegExp(`value="${last_commit_id}" checked`))
  assert.match(refused.body, new RegExp(`value="${newest}"`))
  assert.equal((await owner.submit(`${page}/-/edit/main/a.txt`, { ...typed, last_commit_id: newest })).status, 303)
  assert.equal(await read('a.txt'), 'typed <here>\n')
})

test('a commit goes to a new branch where another name is given, and never to one that is there already', async () => {
  const { page, read, url } = await projectWith({ 'a.txt': 'one\n' })
  await by.post(`${url}/branches`, { branch: 'taken', ref: 'main' })

  const saved = await owner.submit(`${page}/-/edit/main/a.txt`, { content: 'two\n', branch_name: 'feature/x' })
  assert.equal(saved.headers.location, `${page}/-/blob/feature/x/a.txt`)
  assert.deepEqual([await read('a.txt', 'feature/x'), await read('a.txt')], ['two\n', 'one\n'])
  // The address names the new branch: the longest beginning that is one.
  assert.equal((await owner.submit(`${page}/-/edit/feature/x/a.txt`, { content: 'three\n' })).status, 303)
  assert.equal(await read('a.txt', 'feature/x'), 'three\n')

  for (const [branch_name, says] of [
    ['taken', /A branch called &#39;taken&#39; already exists/],
    ['a..b', /Branch is invalid/],
  ] as const) {
    const refused = await owner.submit(`${page}/-/edit/main/a.txt`, { content: 'typed\n', branch_name })
    assert.equal(refused.status, 422)
    assert.match(refused.body, says)
    assert.match(refused.body, />\ntyped\n<\/textarea>/)
  }
})

test('a file is created, also as the first of a repository, moved, deleted, and not twice', async () => {
  const { page, read } = await projectWith({})
  assert.match((await owner.get(page)).body, new RegExp(`href="${page}/-/new/main"`))
  const first = await owner.submit(`${page}/-/new/main`, { file_path: 'docs/ü #1?.md', content: '# Begin' })
  assert.equal(first.headers.location, `${page}/-/blob/main/docs/%C3%BC%20%231%3F.md`)
  assert.equal(await read('docs/ü #1?.md'), '# Begin')
  assert.match((await owner.get(`${page}/-/new/HEAD/docs`)).body, /value="docs\/"/)

  for (const [file_path, says] of [
    ['docs/ü #1?.md', /A file with this name already exists/],
    ['../up', /Path cannot include directory traversal/],
    ['docs', /A directory with this name already exists/],
    ['.git/config', /invalid path/],
    ['', /can&#39;t be blank/],
  ] as const) {
    const refused = await owner.submit(`${page}/-/new/main`, { file_path, content: 'typed' })
    assert.equal(refused.status, 422, file_path)
    assert.match(refused.body, says)
  }

  const old = `${page}/-/rename/main/docs/${encodeURIComponent('ü #1?.md')}`
  assert.equal((await owner.submit(old, { file_path: 'docs/ü #1?.md' })).status, 422)
  assert.equal((await owner.submit(old, { file_path: 'deep/er/a.md' })).status, 303)
  assert.equal(await read('deep/er/a.md'), '# Begin')
  const moved = await owner.submit(`${page}/-/edit/main/deep/er/a.md`, { file_path: 'b.md', content: '# Changed' })
  assert.equal(moved.headers.location, `${page}/-/blob/main/b.md`)
  await owner.submit(`${page}/-/new/main`, { file_path: 'x/y/z.txt', content: '' })
  const odd = encodeURIComponent('line\nend.txt')
  await owner.submit(`${page}/-/new/main`, { file_path: 'line\nend.txt', content: '1' })
  const kept = await owner.submit(`${page}/-/edit/main/${odd}`, { file_path: 'lineend.txt', content: '2' })
  assert.equal(kept.headers.location, `${page}/-/blob/main/${odd}`)
  const deleted = await owner.submit(`${page}/-/delete/main/x/y/z.txt`, { commit_message: '' })
  assert.equal(deleted.headers.location, `${page}/-/tree/main`)
  assert.deepEqual([await read('x/y/z.txt'), await read('b.md')], [404, '# Changed'])
})

test('files are uploaded and replaced, whatever is in them', async () => {
  const { page, url } = await projectWith({ 'logo.bin': 'old' })
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256))
  const sent = async (path: string, filename: string, fields: Readonly<Record<string, string>>) => {
    const form = new FormData()
    const { body } = await owner.get(page + path)
    form.set('authenticity_token', /name="authenticity_token" value="([^"]+)"/.exec(body)?.[1] ?? '')
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', new Blob([bytes]), filename)
    return owner.client.post(scene.url + page + path, form)
  }
  const raw = async (path: string) => (await by.get(`${url}/files/${encodeURIComponent(path)}`, { ref: 'main' })).body.content

  const uploaded = await sent('/-/upload/main/img', 'new.bin', { file_path: '' })
  assert.equal(uploaded.headers.location, `${page}/-/blob/main/img/new.bin`)
  assert.equal(await raw('img/new.bin'), bytes.toString('base64'))
  assert.equal((await sent('/-/upload/main/img', 'new.bin', {})).status, 422)
  assert.equal((await sent('/-/replace/main/logo.bin', 'other', {})).status, 303)
  assert.equal(await raw('logo.bin'), bytes.toString('base64'))
  assert.equal((await owner.submit(`${page}/-/upload/main`, { file_path: 'x' })).status, 422)
})

test('several files are uploaded in one commit, all or none', async () => {
  const { page, url, read } = await projectWith({ 'old.txt': 'old' })
  const form = await owner.get(`${page}/-/upload/main/docs`)
  assert.match(form.body, /<input type="file" [^>]*name="file"[^>]* multiple>/)
  const sent = async (names: readonly string[], fields: Readonly<Record<string, string>> = {}, directory = '/docs') => {
    const body = new FormData()
    body.set('authenticity_token', /name="authenticity_token" value="([^"]+)"/.exec(form.body)?.[1] ?? '')
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    for (const name of names) body.append('file', new Blob([`of ${name}`]), name)
    return owner.client.post(`${scene.url}${page}/-/upload/main${directory}`, body)
  }
  const commits = async () => (await by.get(`${url}/commits`)).body as { title: string }[]

  const uploaded = await sent(['a.txt', 'b.txt', 'c.txt'])
  assert.equal(uploaded.headers.location, `${page}/-/tree/main/docs`)
  assert.deepEqual([await read('docs/a.txt'), await read('docs/b.txt'), await read('docs/c.txt')], ['of a.txt', 'of b.txt', 'of c.txt'])
  assert.deepEqual([(await commits()).length, (await commits())[0]?.title], [2, 'Upload 3 files'])

  for (const [names, fields] of [
    [['d.txt', 'a.txt'], {}],
    [['e.txt', 'e.txt'], {}],
    [['f.txt', 'g.txt'], { file_path: 'elsewhere.txt' }],
    [[''], {}],
  ] as const) {
    const refused = await sent(names, fields)
    assert.equal(refused.status, 422, names.join())
  }
  assert.deepEqual([(await commits()).length, await read('docs/d.txt'), await read('docs/f.txt')], [2, 404, 404])
  assert.equal((await sent(['one.txt'], { file_path: 'here.txt' })).headers.location, `${page}/-/blob/main/here.txt`)
})

describe('who may change what', () => {
  test('only texts of branches are edited', async () => {
    const { page, url } = await projectWith({
      'nul.bin': 'a\0b',
      'latin.txt': Buffer.from('caf\xe9', 'latin1'),
      'big.txt': 'x'.repeat(3_000_000),
      'line.json': `"${'y'.repeat(1_000_000)}"`,
    })
    await by.post(`${url}/tags`, { tag_name: 'v1', ref: 'main' })
    for (const name of ['nul.bin', 'latin.txt', 'big.txt']) assert.equal((await owner.get(`${page}/-/edit/main/${name}`)).status, 422, name)
    assert.equal((await owner.get(`${page}/-/edit/main/line.json`)).status, 200)
    assert.equal((await owner.get(`${page}/-/edit/v1/line.json`)).status, 404)
    assert.equal((await owner.get(`${page}/-/edit/main/nothing`)).status, 404)
    assert.ok(!(await owner.get(`${page}/-/blob/main/nul.bin`)).body.includes('/-/edit/'))
    assert.ok(!(await owner.get(`${page}/-/blob/v1/line.json`)).body.includes('/-/edit/'))
  })

  test('members who may push to no protected branch begin a new one, others a fork, and strangers see nothing', async () => {
    const { project, page, read } = await projectWith({ 'a.txt': 'one\n' }, { visibility: 'public' })
    const [developer, guest] = [await surfer(), await surfer()]
    await by.post(`/projects/${project.id}/members`, { user_id: developer.person.id, access_level: 30 })
    await by.post(`/projects/${project.id}/members`, { user_id: guest.person.id, access_level: 10 })

    const form = await developer.get(`${page}/-/edit/main/a.txt`)
    assert.match(form.body, new RegExp(`name="branch_name"[^>]*value="${developer.person.username}-patch-1"`))
    const refused = await developer.submit(`${page}/-/edit/main/a.txt`, { content: 'typed\n', branch_name: 'main' })
    assert.equal(refused.status, 422)
    assert.match(refused.body, /Branch is protected: choose another name/)
    assert.match(refused.body, />\ntyped\n<\/textarea>/)
    await developer.submit(`${page}/-/edit/main/a.txt`, { content: 'two\n', branch_name: `${developer.person.username}-patch-1` })
    assert.deepEqual([await read('a.txt'), await read('a.txt', `${developer.person.username}-patch-1`)], ['one\n', 'two\n'])
    assert.match((await developer.get(`${page}/-/new/main`)).body, new RegExp(`value="${developer.person.username}-patch-2"`))

    const blob = await guest.get(`${page}/-/blob/main/a.txt`)
    assert.match(blob.body, new RegExp(`href="${page}/-/forks/new"[^>]*>.*Fork to edit`))
    assert.ok(!blob.body.includes('/-/edit/'))
    assert.equal((await guest.get(`${page}/-/edit/main/a.txt`)).status, 403)
    assert.equal((await guest.submit(`${page}/-/edit/main/a.txt`, { content: 'x' })).status, 403)
    await by.put(`/projects/${project.id}`, { visibility: 'private' })
    const stranger = await surfer()
    for (const kind of ['edit', 'new', 'upload', 'replace', 'rename', 'delete'])
      assert.equal((await stranger.get(`${page}/-/${kind}/main/a.txt`)).status, 404, kind)
  })
})

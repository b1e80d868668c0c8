import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

/** A private project whose newest commit on `main` adds `count` files. */
async function repository(count: number) {
  const { body: project } = await by.post('/projects', { name: `History ${Math.random()}`.replace('.', '') })
  const commit = async (branch: string, message: string, paths: readonly string[], start?: string) => {
    const { body } = await by.post(`/projects/${project.id}/repository/commits`, {
      branch,
      ...(start === undefined ? {} : { start_branch: start }),
      commit_message: message,
      actions: paths.map(path => ({ action: 'create', file_path: path, content: `of ${path}\n` })),
    })
    return body
  }
  const first = await commit('main', 'Begin [1]', ['README.md'])
  const many = await commit(
    'main',
    'Add many',
    Array.from({ length: count }, (_, index) => `file-${String(index).padStart(2, '0')}.txt`),
  )
  return { project, first, many, commit, page: `/${project.path_with_namespace}` }
}

test('the first files of a large diff come with the page, the next ones as a frame that is a link too', async () => {
  const { page, many } = await repository(20)
  const address = `${page}/-/commit/${many.id}`

  const shown = await owner.get(address)
  assert.match(shown.body, /20 files changed/)
  assert.match(shown.body, /of file-04\.txt/)
  assert.ok(!shown.body.includes('of file-05.txt'))
  assert.match(
    shown.body,
    new RegExp(
      `<turbo-frame id="files-2" src="[^"]*/commit/${many.id}\\?page=2" loading="lazy"[^>]*><p><a class="btn" href="[^"]*\\?page=2"`,
    ),
  )
  const next = await owner.get(address, { page: '2' })
  assert.match(next.body, /of file-09\.txt/)
  assert.match(next.body, /<h1>Add many<\/h1>/)
})

test('a commit is answered as a patch and as a plain diff, the first one too', async () => {
  const { page, first, many } = await repository(1)

  const patch = await owner.get(`${page}/-/commit/${many.id}.patch`)
  assert.match(String(patch.headers['content-type']), /^text\/plain/)
  assert.match(patch.body, new RegExp(`^From ${many.id} `))
  assert.match(patch.body, /Subject: \[PATCH\] Add many/)
  assert.match((await owner.get(`${page}/-/commit/${first.id}.patch`)).body, /\+of README\.md/)
  assert.match((await owner.get(`${page}/-/commit/${first.id}.diff`)).body, /^diff --git a\/README\.md/)
  assert.equal((await owner.get(`${page}/-/commit/${'0'.repeat(40)}.patch`)).status, 404)
})

test('a commit says which branches and tags contain it', async () => {
  const { project, page, first } = await repository(1)
  await by.post(`/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: first.id })

  const refs = await owner.get(`${page}/-/commit/${first.id}/refs`)
  assert.match(refs.body, new RegExp(`href="${page}/-/tree/main"`))
  assert.match(refs.body, new RegExp(`href="${page}/-/tree/v1"`))
})

test('commits are found by message and author as they are written, and lead to the accounts', async () => {
  const { page } = await repository(1)
  const list = `${page}/-/commits/main`

  assert.match((await owner.get(list)).body, new RegExp(`href="/${owner.person.username}"`))
  const found = await owner.get(list, { search: 'begin [1]' })
  assert.match(found.body, />Begin \[1\]<\/a>/)
  assert.ok(!found.body.includes('>Add many</a>'))
  assert.match((await owner.get(list, { search: 'begin [1]', author: '@' })).body, />Begin \[1\]<\/a>/)
  assert.match((await owner.get(list, { search: 'begin', author: 'no.body' })).body, /No commit matches/)
})

test('a day that is none is marked at its field, where what was typed stays', async () => {
  const { page } = await repository(1)
  const list = `${page}/-/commits/main`

  for (const until of ['tomorrow', '2024-13-40', '2023-02-30', '20210401']) {
    const { status, body } = await owner.get(list, { author: 'lamp', since: '2021-04-01', until })
    assert.equal(status, 422)
    assert.match(body, new RegExp(`id="until" name="until" value="${until}"[^>]* aria-invalid="true" aria-describedby="until-wrong"`))
    assert.match(body, /type="date" id="since" name="since" value="2021-04-01"/)
    assert.match(body, /id="author" name="author" value="lamp"/)
    assert.match(body, /id="until-wrong" role="alert">To is no day/)
    assert.doesNotMatch(body, />Begin \[1\]<\/a>|No commit matches/)
  }
  assert.match((await owner.get(list, { since: '2021-04-01', until: '' })).body, />Begin \[1\]<\/a>/)
})

test('the commits of a file that was renamed lead to those of its former name', async () => {
  const { project, page } = await repository(1)
  const move = (previous_path: string, file_path: string) =>
    by.post(`/projects/${project.id}/repository/commits`, {
      branch: 'main',
      commit_message: `Move ${previous_path}`,
      actions: [{ action: 'move', previous_path, file_path }],
    })
  const { body: moved } = await move('file-00.txt', 'wick & oil.txt')
  await move('wick & oil.txt', 'lamp.txt')
  const formerIn = (body: string) => /the file was <span [^>]*>([^<]*)<\/span>: <a href="([^"]*)"/.exec(body)?.slice(1) ?? []

  const [name, address = ''] = formerIn((await owner.get(`${page}/-/commits/main/lamp.txt`)).body)
  assert.deepEqual([name, address], ['wick &amp; oil.txt', `${page}/-/commits/${moved.id}/wick%20%26%20oil.txt`])
  const [first, before = ''] = formerIn((await owner.get(address)).body)
  assert.equal(first, 'file-00.txt')
  const beginning = await owner.get(before)
  assert.match(beginning.body, />Add many<\/a>/)
  for (const body of [beginning.body, (await owner.get(`${page}/-/commits/main/lamp.txt`, { search: 'Move' })).body])
    assert.deepEqual(formerIn(body), [])
})

test('revisions are compared by address, from where they parted or directly', async () => {
  const { page, commit } = await repository(1)
  await commit('topic/a', 'Topic', ['topic.txt'], 'main')
  await commit('main', 'More', ['more.txt'])

  const parted = await owner.get(`${page}/-/compare/main...topic/a`)
  assert.match(parted.body, /1 commit</)
  assert.match(parted.body, /of topic\.txt/)
  assert.ok(!parted.body.includes('of more.txt'))
  assert.match(parted.body, new RegExp(`href="${page}/-/compare/topic/a...main"`))
  assert.match((await owner.get(`${page}/-/compare/main..topic/a`)).body, /of more\.txt/)
  for (const odd of ['main', 'main...', 'main...nothing', '...', 'a....b'])
    assert.equal((await owner.get(`${page}/-/compare/${odd}`)).status, 404, odd)
})

test('a comparison of branches leads to a merge request of them, for those who may open one', async () => {
  const { page, commit } = await repository(1)
  const { id } = await commit('topic/a', 'Topic', ['topic.txt'], 'main')
  const button = (path: string) => /href="([^"]*merge_requests\/new\?[^"]*)"/.exec(path)?.[1]?.replaceAll('&amp;', '&')
  const to = button((await owner.get(`${page}/-/compare/main...topic/a`)).body)
  assert.equal(
    to,
    `${page}/-/merge_requests/new?${new URLSearchParams({ 'merge_request[source_branch]': 'topic/a', 'merge_request[target_branch]': 'main' })}`,
  )
  assert.match((await owner.get(String(to))).body, /name="title"[^>]*value="Topic"/)
  for (const without of ['topic/a...main', `main...${id}`])
    assert.equal(button((await owner.get(`${page}/-/compare/${without}`)).body), undefined, without)
})

test('the form of a comparison says which name is not there, and keeps what was typed', async () => {
  const { page } = await repository(1)
  const { status, body } = await owner.get(`${page}/-/compare`, { from: 'main', to: 'mian' })
  assert.equal(status, 404)
  assert.match(body, /No branch, tag or commit has the name mian\./)
  assert.match(body, /id="to" name="to" value="mian"[^>]* aria-invalid="true"/)
  assert.match(body, /id="from" name="from" value="main" list="branches" required placeholder/)
})

test('contributors are listed with their commits, and shown over time', async () => {
  const { page } = await repository(1)
  const shown = await owner.get(`${page}/-/graphs/main`)
  assert.match(shown.body, new RegExp(`href="/${owner.person.username}"`))
  assert.match(shown.body, />2<span class="sr-only"> commits of/)
  assert.match(shown.body, /<figure class="chart" id="contributions"><figcaption><h3>Commits by week<\/h3>/)
  assert.match(shown.body, /<tr><th scope="row">[^<]*<\/th><td>2<\/td><\/tr>/)
  assert.doesNotMatch((await owner.get(`${page}/-/graphs/main`, { page: '2' })).body, /<figure/)
})

test('the history of a private project is not there for others', async () => {
  const { page, first } = await repository(1)
  const stranger = await surfer()
  for (const path of [`commit/${first.id}.patch`, `commit/${first.id}/refs`, 'compare/main...main', 'graphs/main', 'commits/main'])
    assert.equal((await stranger.get(`${page}/-/${path}`)).status, 404, path)
})

test('a branch that is not there is said at its field, and the forms of a commit lead back to it', async () => {
  const { page, many, first } = await repository(1)
  for (const [way, commit] of [
    ['cherry_pick', first],
    ['revert', many],
  ] as const) {
    const address = `${page}/-/commit/${commit.id}/${way}`
    const { status, body } = await owner.submit(address, { branch: 'nowhere' })
    assert.equal(status, 404)
    const [field = ''] = /<input[^>]*name="branch"[^>]*>/.exec(body) ?? []
    assert.match(field, / value="nowhere"/)
    assert.match(field, / aria-invalid="true"/)
    assert.match(body, /Branch does not exist, or you may not see it/)
    assert.match((await owner.get(address)).body, new RegExp(`<a class="btn" href="${page}/-/commit/${commit.id}"[^>]*>Cancel</a>`))
  }
  // What is not there at all stays a page that says so.
  const nothing = await owner.submit(`${page}/-/commit/${'0'.repeat(40)}/revert`, { branch: 'main' })
  assert.equal(nothing.status, 404)
  assert.ok(!nothing.body.includes('name="branch"'))
})

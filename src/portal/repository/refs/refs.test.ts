import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

/** A private project with a commit on `main`, and its page. */
async function repository() {
  const { body: project } = await by.post('/projects', { name: `Refs ${Math.random()}`.replace('.', '') })
  const commitOn = (branch: string, content: string, start?: string) =>
    by.post(`/projects/${project.id}/repository/commits`, {
      branch,
      ...(start === undefined ? {} : { start_branch: start }),
      commit_message: `Write ${content}`,
      actions: [{ action: 'create', file_path: `${content}.txt`, content }],
    })
  await commitOn('main', 'one')
  return { project, commitOn, page: `/${project.path_with_namespace}` }
}

test('branches say how far they are from the default one, and are created and deleted by forms', async () => {
  const { project, commitOn, page } = await repository()
  await commitOn('feature/a', 'two', 'main')
  await commitOn('feature/a', 'three')
  await commitOn('main', 'four')

  const list = await owner.get(`${page}/-/branches`)
  assert.match(list.body, new RegExp(`href="${page}/-/tree/feature/a">feature/a</a>`))
  assert.match(list.body, /1 behind, 2 ahead/)
  assert.match(list.body, new RegExp(`href="${page}/-/compare/main...feature/a"`))
  assert.match((await owner.get(`${page}/-/branches`, { state: 'stale' })).body, /No branch matches/)
  assert.match((await owner.get(`${page}/-/branches`, { state: 'active', search: 'FEAT' })).body, />feature\/a<\/a>/)
  assert.equal((await owner.get(`${page}/-/branches`, { state: 'odd' })).status, 400)

  const taken = await owner.submit(`${page}/-/branches/new`, { branch: 'main', ref: 'main' })
  assert.equal(taken.status, 422)
  assert.match(taken.body, /Name exists already/)
  const from = await owner.submit(`${page}/-/branches/new`, { branch: 'mine', ref: 'nowhere' })
  assert.match(from.body, /Start from is no branch, tag or commit of the project/)
  assert.match((await owner.submit(`${page}/-/branches/new`, { branch: 'a..b', ref: 'main' })).body, /Name is no name for a branch/)
  const tag = (values: Record<string, string>) => owner.submit(`${page}/-/tags/new`, { message: '', ...values })
  assert.match((await tag({ tag_name: 'v1', ref: 'nowhere' })).body, /Of is no branch, tag or commit of the project/)
  assert.match((await tag({ tag_name: 'a..b', ref: 'main' })).body, /Name is no name for a tag/)
  assert.equal((await owner.submit(`${page}/-/branches/new`, { branch: 'feature/b', ref: 'main' })).status, 303)
  assert.equal((await owner.submit(`${page}/-/branches/feature%2Fb/delete`, {})).status, 303)
  assert.equal((await by.get(`/projects/${project.id}/repository/branches/feature%2Fb`)).status, 404)
  // The rules of the API hold: the default branch stays.
  assert.equal((await owner.submit(`${page}/-/branches/main/delete`, {})).status, 400)
})

test('a branch is protected from the list, by those who may do that', async () => {
  const { project, commitOn, page } = await repository()
  await commitOn('release/1&2', 'two', 'main')

  const list = await owner.get(`${page}/-/branches`)
  const form = `${page}/-/settings/protected_branches/new?name=release%2F1%262`
  assert.ok(list.body.includes(`href="${form}">Protect<`))
  assert.ok(list.body.includes(`<a href="${page}/-/settings/protected_branches"><span`), 'the label of main leads to the rules')
  assert.match((await owner.get(form)).body, /name="name"[^>]*value="release\/1&amp;2"/)

  await by.post(`/projects/${project.id}/protected_branches`, { name: 'release/*' })
  assert.ok(!(await owner.get(`${page}/-/branches`)).body.includes('>Protect<'))
  await by.delete(`/projects/${project.id}/protected_branches/release%2F%2A`)
  const developer = await surfer()
  await scene.root.post(`/projects/${project.id}/members`, { user_id: developer.person.id, access_level: 30 })
  const { body } = await developer.get(`${page}/-/branches`)
  assert.match(body, /release\/1&amp;2/)
  assert.ok(!body.includes('protected_branches'))
})

test('the merged branches are deleted in one step', async () => {
  const { project, commitOn, page } = await repository()
  await by.post(`/projects/${project.id}/repository/branches`, { branch: 'old', ref: 'main' })
  await commitOn('main', 'two')
  assert.match((await owner.get(`${page}/-/branches`)).body, /Merged/)

  assert.equal((await owner.submit(`${page}/-/merged_branches/delete`, {})).status, 303)
  assert.equal((await by.get(`/projects/${project.id}/repository/branches/old`)).status, 404)
})

test('tags show their message and release, and are created and deleted by forms', async () => {
  const { project, page } = await repository()
  assert.match((await owner.get(`${page}/-/tags`)).body, /No tags/)

  assert.equal((await owner.submit(`${page}/-/tags/new`, { tag_name: 'v1.0', ref: 'main', message: 'The <first>' })).status, 303)
  await by.post(`/projects/${project.id}/releases`, { tag_name: 'v1.0', name: 'One', description: 'First' })
  const list = await owner.get(`${page}/-/tags`)
  assert.match(list.body, /The &lt;first&gt;/)
  assert.match(list.body, new RegExp(`href="${page}/-/releases/v1\\.0"><span[^>]*>.*Release</span></a>`))
  const archive = /href="([^"]*\/-\/archive\/v1\.0\/[^"]*\.tar\.gz)"/.exec(list.body)?.[1] as string
  assert.equal((await by.get(`${scene.url}${archive}`)).status, 200)

  assert.equal((await owner.submit(`${page}/-/tags/v1.0/delete`, {})).status, 303)
  assert.equal((await by.get(`/projects/${project.id}/repository/tags/v1.0`)).status, 404)
})

test('branches and tags are there for those who may read the code, and change for those who may push', async () => {
  const { project, page } = await repository()
  const stranger = await surfer()
  for (const path of ['branches', 'tags', 'branches/new', 'tags/new'])
    assert.equal((await stranger.get(`${page}/-/${path}`)).status, 404, path)
  assert.equal((await stranger.submit(`${page}/-/branches/main/delete`, {})).status, 404)

  await scene.root.post(`/projects/${project.id}/members`, { user_id: stranger.person.id, access_level: 20 })
  const list = await stranger.get(`${page}/-/branches`)
  assert.equal(list.status, 200)
  assert.ok(!list.body.includes('New branch'))
  assert.equal((await stranger.submit(`${page}/-/branches/new`, { branch: 'mine', ref: 'main' })).status, 403)
})

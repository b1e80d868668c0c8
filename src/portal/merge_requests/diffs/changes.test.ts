import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import { anonymous } from '../../../platform/access/actor.ts'
import { git } from '../../../platform/git/scene.ts'
import { systemContext } from '../../../platform/kernel/context.ts'
import { refreshMergeRequest } from '../../../review/merge_requests/merging/pushed/refresh.ts'
import { anchorOf } from '../../repository/diffs/anchor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()

const files = { 'a.txt': 'a\n', 'docs/b.txt': 'b\n' }

/** A merge request that adds two files, and how more is pushed to it. */
async function place() {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const { id, iid, url, source_branch, sha } = await scene.mergeRequest(project, { author: owner.person, files })
  const refresh = () => refreshMergeRequest(systemContext(scene.deps, scene.deps.database.db, anonymous), id)
  async function push(changed: Readonly<Record<string, string>>): Promise<string> {
    const actions = Object.entries(changed).map(([file_path, content]) => ({
      action: file_path in files ? 'update' : 'create',
      file_path,
      content,
    }))
    const made = await owner.person.post(`${project.url}/repository/commits`, { branch: source_branch, commit_message: 'More', actions })
    await refresh()
    return String(made.body.id)
  }
  return { project, api: url, page: `/${project.full_path}/-/merge_requests/${iid}/diffs`, source_branch, sha, push, refresh }
}

const progressIn = (body: string): string | undefined => />(\d+ of \d+ viewed)</.exec(body)?.[1]
const filesIn = (body: string): string[] =>
  [...body.matchAll(/<h2 id="diff-[^"]*" class="mono">(.*?)<\/h2>/g)].map(([, name]) => name ?? '')
const isFolded = (body: string, path: string): boolean => new RegExp(`<details id="${anchorOf(path)}-body">`).test(body)

test('a mark of a viewed file is of one person and of what they saw: a change of the file takes it away', async () => {
  const { page, api, push } = await place()
  const before = await owner.get(page)
  assert.equal(progressIn(before.body), '0 of 2 viewed')
  const [, blob_id = ''] = /name="path" value="a.txt"><input type="hidden" name="blob_id" value="([0-9a-f]+)"/.exec(before.body) ?? []
  const sent = await owner.submit(`${page}/viewed`, { path: 'a.txt', blob_id, viewed: 'true', query: 'w=1' })
  assert.deepEqual([sent.status, sent.headers.location], [303, `${page}?w=1#${anchorOf('a.txt')}`])
  await owner.submit(`${page}/viewed`, { path: 'docs/b.txt', viewed: 'true' })

  const marked = await owner.get(page)
  assert.equal(progressIn(marked.body), '2 of 2 viewed')
  assert.ok(isFolded(marked.body, 'a.txt'))
  assert.equal(progressIn((await reader.get(page)).body), '0 of 2 viewed')
  const { body: listed } = await owner.person.get(`${api}/viewed_files`)
  assert.deepEqual(
    listed.map(({ path }: { path: string }) => path),
    ['a.txt', 'docs/b.txt'],
  )
  assert.equal(listed[0].blob_id, blob_id)

  await push({ 'a.txt': 'changed\n' })
  const after = await owner.get(page)
  assert.equal(progressIn(after.body), '1 of 2 viewed')
  assert.deepEqual([isFolded(after.body, 'a.txt'), isFolded(after.body, 'docs/b.txt')], [false, true])
  await owner.submit(`${page}/viewed`, { path: 'docs/b.txt', viewed: 'false' })
  assert.equal(progressIn((await owner.get(page)).body), '0 of 2 viewed')
})

test('marks are set and taken away by the API too, for files that the merge request changes', async () => {
  const { api, page } = await place()
  const url = `${api}/viewed_files`
  const set = await owner.person.put(url, { path: 'a.txt' })
  assert.equal(set.status, 200)
  assert.match(set.body.blob_id, /^[0-9a-f]{40}$/)
  assert.equal(progressIn((await owner.get(page)).body), '1 of 2 viewed')
  assert.equal((await owner.person.put(url, { path: 'elsewhere.txt' })).status, 404)
  assert.equal((await owner.person.put(url, { path: 'a.txt', blob_id: 'none' })).status, 400)
  assert.equal((await owner.person.delete(url, { path: 'a.txt' })).status, 204)
  assert.equal((await owner.person.delete(url, { path: 'a.txt' })).status, 204)
  assert.deepEqual((await owner.person.get(url)).body, [])
})

test('what came since the last look is offered after a push, and after a reload too', async () => {
  const { page, sha, push } = await place()
  const link = new RegExp(`href="${page}\\?start_sha=${sha}"`)
  assert.doesNotMatch((await owner.get(page)).body, link)
  await push({ 'docs/b.txt': 'b\nmore\n' })
  for (const _visit of ['first', 'again']) assert.match((await owner.get(page)).body, link)
  assert.doesNotMatch((await reader.get(page)).body, /Since my last look/)

  const since = await owner.get(page, { start_sha: sha })
  assert.deepEqual(filesIn(since.body), ['docs/b.txt'])
  assert.match(since.body, /What changed between version 1, of .* and version 2\./s)
  assert.equal((await owner.get(page, { start_sha: '0'.repeat(40) })).status, 404)
  assert.equal((await owner.get(page, { diff_id: '1000000' })).status, 404)
})

test('of a rebased branch, what came with the target branch is left out between two versions', async () => {
  const { project, page, sha, source_branch, refresh } = await place()
  await owner.get(page)
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  await scene.commit(project, { 'on_main.txt': 'main\n' }, { branch: 'main', message: 'On main' })
  await scene.commit(project, { ...files, 'a.txt': 'A\n' }, { branch: 'rebased', start_branch: 'main', message: 'Again' })
  git(repository, ['update-ref', `refs/heads/${source_branch}`, 'refs/heads/rebased'])
  await refresh()
  const { body } = await owner.get(page, { start_sha: sha })
  assert.deepEqual(filesIn(body), ['a.txt'])
  assert.match(body, /What came with the target branch is left out/)
})

test('commits are shown one by one, with the one before and the one after', async () => {
  const { page, sha, push } = await place()
  const second = await push({ 'c.txt': 'c\n' })
  const third = await push({ 'd.txt': 'd\n' })
  const shown = await owner.get(page, { commit_id: second })
  assert.deepEqual(filesIn(shown.body), ['c.txt'])
  assert.match(shown.body, /Commit 2 of 3/)
  assert.match(shown.body, new RegExp(`commit_id=${sha}" rel="prev"`))
  assert.match(shown.body, new RegExp(`commit_id=${third}" rel="next"`))
  assert.equal(progressIn(shown.body), undefined)
  assert.equal((await owner.get(page, { commit_id: '0'.repeat(40) })).status, 404)
})

test('the owners of a file stand beside its name, by the CODEOWNERS file of the target branch', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const owners = '* @all one@example.com\n/docs/ @Writers @<b>bold</b>\n[Many]\n/docs/ @a @b @c @d\n/a.txt\n'
  await scene.commit(project, { CODEOWNERS: owners })
  const { iid } = await scene.mergeRequest(project, { author: owner.person, files })

  const { body } = await reader.get(`/${project.full_path}/-/merge_requests/${iid}/diffs`)

  const said = [...body.matchAll(/title="Code owners: (.*?)">owned by (.*?)<\/span>/g)].map(([, all, shown]) => [all, shown])
  const bold = '@&lt;b&gt;bold&lt;/b&gt;'
  assert.deepEqual(said, [
    ['@all, one@example.com', '@all, one@example.com'],
    [`@writers, ${bold}, @a, @b, @c, @d`, `@writers, ${bold}, @a, @b and 2 more`],
  ])
})

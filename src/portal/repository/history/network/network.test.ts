import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawPush } from '../../../../../test/raw_push.ts'
import { openScene } from '../../../../../test/scene.ts'
import { oauthScene } from '../../../../identity/oauth/scene.ts'
import { resolveCommits } from '../../../../platform/git/index.ts'
import { findRepository } from '../../../../spaces/projects/repository/store.ts'
import { graphOf } from './queries.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

/** A private project with commits on `main`, a branch, and a merge of another one. */
async function projectWithBranches() {
  const { body: project } = await by.post('/projects', { name: `Graph ${Math.random()}`.replace('.', '') })
  const url = `/projects/${project.id}/repository`
  let made = 0
  const commit = async (branch: string, message: string, start?: string): Promise<string> => {
    made += 1
    const { body } = await by.post(`${url}/commits`, {
      branch,
      ...(start === undefined ? {} : { start_branch: start }),
      commit_message: message,
      actions: [{ action: 'create', file_path: `file-${made}.txt`, content: '1' }],
    })
    return body.id
  }
  return { project, url, commit, page: `/${project.path_with_namespace}` }
}

/** The titles of the commits of a page, in their order. */
const titlesOf = (body: string): string[] =>
  [...body.matchAll(/<a href="[^"]*\/-\/commit\/[^"]*" title="([^"]*)">/g)].map(found => found[1] as string)

test('the graph is a table of all branches and tags, with the drawing beside it; or of one revision', async () => {
  const { url, page, commit } = await projectWithBranches()
  const first = await commit('main', 'Begin <here>')
  const topic = await commit('topic/a', 'On the topic', 'main')
  await commit('main', 'Go on')
  await by.post(`${url}/tags`, { tag_name: 'v1', ref: first })

  const { body } = await owner.get(`${page}/-/network/main`)
  assert.deepEqual(new Set(titlesOf(body)), new Set(['Begin &lt;here&gt;', 'On the topic', 'Go on']))
  assert.equal(body.match(/<circle /g)?.length, 3)
  assert.match(body, new RegExp(`href="${page}/-/network/topic/a" title="topic/a"`))
  assert.match(body, new RegExp(`href="${page}/-/network/v1" title="v1"`))
  assert.match(body, new RegExp(`<span class="sr-only">${first.slice(0, 8)}</span>`))
  assert.match(body, /<span class="sr-only">The first commit<\/span>/)

  const only = await owner.get(`${page}/-/network/topic/a`, { filter_ref: '1' })
  assert.deepEqual(titlesOf(only.body), ['On the topic', 'Begin &lt;here&gt;'])
  assert.match(only.body, new RegExp(`<tr id="c${topic.slice(0, 12)}" aria-current="true">`))
  assert.match((await owner.get(`${page}/-/commits/main`)).body, new RegExp(`href="${page}/-/network/main"`))
})

test('the page with the revision is shown, and the others are cut from the same walk', async () => {
  const { project, url, page, commit } = await projectWithBranches()
  const first = await commit('main', 'Begin')
  for (let count = 0; count < 101; count++) await commit('main', `Step ${count}`)
  await by.post(`${url}/branches`, { branch: 'old', ref: first })

  const old = await owner.get(`${page}/-/network/old`)
  assert.deepEqual(titlesOf(old.body), ['Step 0', 'Begin'])
  assert.match(old.body, /aria-current="page">2<\/span>/)
  assert.equal(titlesOf((await owner.get(`${page}/-/network/old`, { page: '1' })).body).length, 100)
  assert.deepEqual(titlesOf((await owner.get(`${page}/-/network/old`, { page: '77' })).body), [])
  const repository = await findRepository(scene.deps.storages, { id: project.id, repository_storage: 'default' })
  assert.ok(repository)
  const tips = (await resolveCommits(repository, ['main', 'old'])) as string[]
  assert.equal(await graphOf(repository, tips), await graphOf(repository, [...tips.reverse(), ...tips]))
})

test('tags of files and of trees, and many names of one commit, are no trouble', async () => {
  const { project, url, page, commit } = await projectWithBranches()
  await commit('main', 'Begin')
  const { body: tree } = await by.get(`${url}/tree`)
  // The API makes none of these.
  const place = { ...project, full_path: project.path_with_namespace }
  const tag = { ref: 'refs/tags/a-file', old: '0'.repeat(40), new: tree[0].id }
  assert.deepEqual((await rawPush(scene, place, owner.person, [tag])).lines, ['ok refs/tags/a-file'])
  for (const name of ['a', 'b', 'c', 'd']) await by.post(`${url}/branches`, { branch: name, ref: 'main' })

  const shown = await owner.get(`${page}/-/network/main`)
  assert.equal(shown.status, 200)
  assert.match(shown.body, /and 2 more/)
})

test('the graph of a private project is not there for others', async () => {
  const { page, commit } = await projectWithBranches()
  await commit('main', 'Begin')
  const stranger = await surfer()
  assert.equal((await stranger.get(`${page}/-/network/main`)).status, 404)
  assert.equal((await owner.get(`${page}/-/network/nothing`)).status, 404)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { gitProcesses } from '../../platform/git/index.ts'
import { git } from '../../platform/git/scene.ts'

const scene = await openScene()

async function world() {
  const { project, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const commit = await scene.commit(project, { a: '1' })
  return { project, developer, reporter, commit, url: `${project.url}/repository/tags` }
}

test('an annotated tag has its message and its own id, a light one its commit’s', async () => {
  const { developer, commit, url } = await world()

  const light = await developer.post(url, { tag_name: 'v1', ref: 'main' })
  const annotated = await developer.post(url, { tag_name: 'dir/v2', ref: commit, message: 'Zweite Version ✓' })

  assert.equal(light.status, 201)
  const { commit: tip, ...rest } = light.body
  assert.equal(tip.id, commit)
  assert.deepEqual(rest, { name: 'v1', message: '', target: commit, release: null, protected: false })
  assert.equal(annotated.body.message, 'Zweite Version ✓')
  assert.notEqual(annotated.body.target, commit)
  assert.equal(annotated.body.commit.id, commit)
  assert.deepEqual((await developer.get(`${url}/dir%2Fv2`)).body, annotated.body)
})

test('tags are refused, deleted and missed in the words of the public API', async () => {
  const { developer, reporter, url } = await world()
  await developer.post(url, { tag_name: 'v1', ref: 'main' })
  const refusals: [tag_name: string, ref: string, message: string][] = [
    ['v1', 'main', 'Tag v1 already exists'],
    ['v2', 'nothing', 'Target nothing is invalid'],
    ['a..b', 'main', 'Tag name invalid'],
    ['v1/x', 'main', 'Tag name invalid'],
  ]
  for (const [tag_name, ref, message] of refusals)
    assert.deepEqual(await developer.post(url, { tag_name, ref }), { status: 400, body: { message } }, tag_name)
  assert.equal((await reporter.delete(`${url}/v1`)).status, 403)
  assert.equal((await developer.delete(`${url}/v1`)).status, 204)
  assert.deepEqual(await developer.delete(`${url}/v1`), { status: 404, body: { message: '404 Tag Not Found' } })
})

test('tags are listed newest first, or by name, and searched', async () => {
  const { developer, url } = await world()
  const names = async (query = {}) => (await developer.get(url, query)).body.map((tag: { name: string }) => tag.name)
  for (const [index, tag_name] of ['b1', 'a1', 'c2'].entries()) {
    scene.setTime(`2021-06-0${index + 1}T00:00:00Z`)
    await developer.post(url, { tag_name, ref: 'main', message: tag_name })
  }
  scene.setTime(undefined)
  assert.deepEqual(await names(), ['c2', 'a1', 'b1'])
  assert.deepEqual(await names({ sort: 'asc' }), ['b1', 'a1', 'c2'])
  assert.deepEqual(await names({ order_by: 'name', sort: 'asc' }), ['a1', 'b1', 'c2'])
  assert.deepEqual(await names({ search: '1$', order_by: 'name' }), ['b1', 'a1'])
  assert.deepEqual((await developer.get(url, { order_by: 'size' })).body, { message: { order_by: ['does not have a valid value'] } })
})

test('a tag of a file or of another tag is shown too', async () => {
  const { project, developer, commit, url } = await world()
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  git(repository, ['tag', 'file', `${commit}:a`])
  git(repository, ['tag', '-a', '-m', 'inner', 'inner', commit])
  git(repository, ['tag', '-a', '-m', 'outer', 'outer', 'inner'])

  assert.equal((await developer.get(`${url}/file`)).body.commit, null)
  const { message, commit: tip } = (await developer.get(`${url}/outer`)).body
  assert.deepEqual([message, tip.id], ['outer', commit])
  assert.equal((await developer.get(url)).body.length, 3)
})

test('a page of tags costs the same number of git processes, whatever its length', async () => {
  const { developer, url } = await world()
  const cost = async () => {
    const before = gitProcesses.started
    await developer.get(url)
    return gitProcesses.started - before
  }
  await developer.post(url, { tag_name: 'first', ref: 'main', message: 'x' })
  const few = await cost()
  for (let index = 0; index < 8; index++)
    await developer.post(url, { tag_name: `v${index}`, ref: 'main', ...(index % 2 && { message: 'x' }) })
  assert.deepEqual([await cost(), few], [few, 1])
})

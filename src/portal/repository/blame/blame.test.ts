import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

/** A private project, and a function that commits actions to its `main` and answers the id of the commit. */
async function projectWithCommits() {
  const { body: project } = await by.post('/projects', { name: `Blamed ${Math.random()}`.replace('.', '') })
  const commit = async (commit_message: string, ...actions: readonly Record<string, unknown>[]): Promise<string> =>
    (await by.post(`/projects/${project.id}/repository/commits`, { branch: 'main', commit_message, actions })).body.id
  return { page: `/${project.path_with_namespace}`, commit }
}

test('blame shows the commit of each block, and leads to the file before it, also under its name of then', async () => {
  const { page, commit } = await projectWithCommits()
  const lines = Array.from({ length: 12 }, (_, index) => `const x${index} = '<i>'`)
  const first = await commit('Begin <b>', { action: 'create', file_path: 'old name.ts', content: lines.join('\n') })
  const second = await commit('Move', {
    action: 'move',
    previous_path: 'old name.ts',
    file_path: 'new.ts',
    content: lines.with(4, 'const y = 1').join('\n'),
  })

  const { body, status } = await owner.get(`${page}/-/blame/main/new.ts`)

  assert.equal(status, 200)
  assert.match(body, new RegExp(`href="${page}/-/commit/${first}" title="Begin &lt;b&gt;"`))
  assert.match(body, new RegExp(`<tr id="L5"><th scope="rowgroup" rowspan="1">.*${page}/-/commit/${second}`))
  assert.match(body, /<tr id="L6"><th scope="rowgroup" rowspan="7">/)
  assert.equal(body.match(/Blame before/g)?.length, 2)
  assert.match(body, new RegExp(`href="${page}/-/blame/${first}/old%20name.ts"`))
  assert.ok(!body.includes("'<i>'"))
  assert.equal((await owner.get(`${page}/-/blame/${first}/${encodeURIComponent('old name.ts')}`)).status, 200)
})

test('blame of a long file comes in pages, and what has no lines is said to have none', async () => {
  const { page, commit } = await projectWithCommits()
  await commit(
    'Begin',
    { action: 'create', file_path: 'long.txt', content: 'x\n'.repeat(2_001) },
    { action: 'create', file_path: 'empty', content: '' },
    { action: 'create', file_path: 'nul', content: Buffer.from('a\0b').toString('base64'), encoding: 'base64' },
    { action: 'create', file_path: 'large.txt', content: 'y'.repeat(3_000_000) },
    { action: 'create', file_path: 'one line.json', content: `"${'z'.repeat(1_000_000)}"` },
  )

  const last = await owner.get(`${page}/-/blame/main/long.txt`, { page: '3' })
  assert.match(last.body, /id="L2001"/)
  assert.ok(!last.body.includes('id="L2000"'))
  assert.match((await owner.get(`${page}/-/blame/main/long.txt`, { page: '4' })).body, /There are no lines here/)
  assert.match((await owner.get(`${page}/-/blame/main/empty`)).body, /There are no lines here/)
  assert.match((await owner.get(`${page}/-/blame/main/nul`)).body, /is not a text/)
  assert.match((await owner.get(`${page}/-/blame/main/large.txt`)).body, /too large for blame/)
  assert.match((await owner.get(`${page}/-/blame/main/${encodeURIComponent('one line.json')}`)).body, /id="L1"/)
  assert.equal((await owner.get(`${page}/-/blame/main`)).status, 404)
  assert.equal((await (await surfer()).get(`${page}/-/blame/main/long.txt`)).status, 404)
})

/** Files from memory: what is kept by content opens nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'

const scene = await openScene()

test('a file that was read follows its branch, and not what was kept', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'one' })
  const url = `${project.url}/repository/files/a.txt`
  const read = async (ref: string) => {
    const { status, body } = await owner.get(url, { ref })
    return status === 200 ? Buffer.from(body.content, 'base64').toString() : status
  }
  for (let n = 0; n < 2; n++) assert.equal(await read('main'), 'one')

  await owner.put(url, { branch: 'main', content: 'two', commit_message: 'two' })

  assert.equal(await read('main'), 'two')
  await owner.post(`${project.url}/repository/branches`, { branch: 'other', ref: 'main' })
  assert.equal(await read('other'), 'two')
  await owner.delete(`${project.url}/repository/branches/other`)
  assert.equal(await read('other'), 404)
})

test('a blob and a commit that another project has are not found in one that has them not', async () => {
  const { project, owner } = await scene.project()
  const sha = await scene.commit(project, { 'a.txt': 'secret' })
  const url = `${project.url}/repository`
  const { body: entries } = await owner.get(`${url}/tree`)
  const [{ id: blob }] = entries
  for (let n = 0; n < 2; n++) {
    assert.equal((await owner.get(`${url}/blobs/${blob}`)).status, 200)
    assert.equal((await owner.get(`${url}/files/a.txt`, { ref: sha })).status, 200)
  }
  const { project: other, owner: stranger } = await scene.project()
  await scene.commit(other, { 'b.txt': 'else' })

  for (const path of [`blobs/${blob}`, `blobs/${blob}/raw`, `files/a.txt?ref=${sha}`, `files/a.txt/raw?ref=${sha}`, 'files/a.txt?ref=main'])
    assert.equal((await stranger.get(`${other.url}/repository/${path}`)).status, 404, path)
})

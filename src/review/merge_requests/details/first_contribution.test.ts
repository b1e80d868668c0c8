/** First contributions to a project (merge requests API at 14.0 `first_contribution`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'

const scene = await openScene()

test('merge requests of a non-member are first contributions until one of them is merged', async () => {
  const { project, developer } = await scene.project({ visibility: 'public', members: ['developer'] })
  const own = await scene.mergeRequest(project, { author: developer })
  const first = await scene.mergeRequest(project)
  const second = await scene.mergeRequest(project)
  const isFirst = async ({ url }: { url: string }) => (await developer.get(url)).body.first_contribution

  assert.deepEqual([await isFirst(own), await isFirst(first), await isFirst(second)], [false, true, true])
  const { status, body } = await scene.root.put(`${first.url}/merge`)
  assert.equal(status, 200)
  assert.equal('first_contribution' in body, false, 'which is said of one that is asked for alone')
  assert.equal(await isFirst(second), false)
})

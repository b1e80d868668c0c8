/** Large files in JSON, for clients that read slowly. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { openScene } from '../../../../test/scene.ts'

const scene = await openScene()

/** More than what sockets buffer; four of them are what one caller may have in memory. */
const SIZE = 20 * 1024 * 1024

test('large files that wait for slow readers have a bounded room in memory, and others are served', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const sha = await scene.commit(project, { large: 'x'.repeat(SIZE), small: 'x'.repeat(1000) })
  const address = (name: string) => `${project.url}/repository/files/${name}?ref=main`
  const { answers } = scene.deps.limiter
  const slow = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const asked = request(`${scene.url}/api/v4${address('large')}`, { headers: { 'private-token': owner.token }, agent: false }).end()
      const [answer] = await once(asked, 'response')
      return { asked, status: answer.statusCode }
    }),
  )
  assert.deepEqual([slow.map(({ status }) => status), answers.bytes()], [[200, 200, 200, 200], 4 * SIZE])

  const tree = (await owner.get(`${project.url}/repository/tree`)).body
  const { id } = tree.find(({ name }: { name: string }) => name === 'large')
  for (const url of [address('large'), `${project.url}/repository/blobs/${id}`]) {
    const refused = await owner.get(url)
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '5'])
  }
  assert.equal((await owner.get(address('small'))).status, 200)
  assert.equal((await owner.get(`${project.url}/repository/files/large/raw?ref=${sha}`)).status, 200)
  assert.equal((await developer.get(address('large'))).body.size, SIZE)

  for (const { asked } of slow) asked.destroy()
  await eventually(() => answers.bytes() === 0, 'the room to be free')
  assert.equal((await owner.get(address('large'))).status, 200)
})

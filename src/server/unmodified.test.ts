/** What has changed since `If-Unmodified-Since` is not deleted (decision 15), whatever it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../test/scene.ts'

const scene = await openScene()

test('labels, members, hooks, protections, lists and invitations are not deleted by who saw an older state', async () => {
  const { group } = await scene.group({ owner: scene.root })
  const { project, reporter } = await scene.project({ group, owner: scene.root, members: ['reporter'] })
  await scene.commit(project, { 'a.txt': 'a\n' })
  const { root } = scene
  const made = async (path: string, body: object, key = 'id') => {
    const answer = await root.post(path, body)
    assert.equal(answer.status, 201, JSON.stringify([path, answer.body]))
    return `${path}/${encodeURIComponent(answer.body[key])}`
  }
  const label = await made(`${project.url}/labels`, { name: 'red', color: '#ff0000' })
  const board = await made(`${project.url}/boards`, { name: 'Plan' })
  const { body: flag } = await root.post('/features/group_level_protected_environments', { value: 'true' })
  assert.equal(flag.state, 'on')
  const addresses = [
    await made(`${board}/lists`, { label_id: Number(label.split('/').at(-1)) }),
    label,
    await made(`${group.url}/labels`, { name: 'blue', color: '#0000ff' }),
    `${project.url}/members/${reporter.id}`,
    await made(`${project.url}/hooks`, { url: 'https://example.com/hook' }),
    await made('/hooks', { url: 'https://example.com/hook' }),
    await made(`${project.url}/protected_branches`, { name: 'kept/*' }, 'name'),
    await made(`${project.url}/protected_tags`, { name: 'v*' }, 'name'),
    await made(`${group.url}/protected_environments`, { name: 'staging', deploy_access_levels: [{ access_level: 40 }] }, 'name'),
  ]
  const invited = await root.post(`${project.url}/invitations`, { email: 'new@example.com', access_level: 30 })
  assert.equal(invited.body.status, 'success')
  addresses.push(`${project.url}/invitations/${encodeURIComponent('new@example.com')}`)

  const since = (time: number) => ({ 'if-unmodified-since': new Date(time).toUTCString() })
  for (const address of addresses) {
    assert.equal((await root.delete(address, {}, since(Date.now() - 60_000))).status, 412, address)
    assert.ok([200, 204].includes((await root.delete(address, {}, since(Date.now() + 60_000))).status), address)
  }
})

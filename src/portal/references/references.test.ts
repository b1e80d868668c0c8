import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const other = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

const card = (who: typeof owner, address: string) => who.client.get(`${scene.url}/-/card`, { address }, { 'x-part': '1' })

test('a card shows what a reference names to those who may see it, and to nobody else that it is there', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'private' })
  await by.post(`${project.url}/issues`, { title: 'Paint <b> the shed', labels: 'bug' })
  await by.put(`${project.url}/issues/1`, { state_event: 'close' })
  await by.post(`${project.url}/milestones`, { title: 'Harbour', due_date: '2020-01-01' })
  await by.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Add the lamp',
    actions: [{ action: 'create', file_path: 'lamp.txt', content: 'a' }],
  })
  const { body: commits } = await by.get(`${project.url}/repository/commits`)
  const path = `/${project.full_path}/-`
  const expected: readonly (readonly [address: string, says: RegExp])[] = [
    [`${path}/issues/1`, /Closed[\s\S]*Paint &lt;b&gt; the shed[\s\S]*bug/],
    [`${path}/milestones/1`, /Overdue[\s\S]*Harbour/],
    [`${path}/commit/${commits[0].id}`, new RegExp(commits[0].title)],
  ]
  for (const [address, says] of expected) {
    const seen = await card(owner, address)
    assert.equal(seen.status, 200, address)
    assert.match(seen.body, says)
    assert.equal((await card(other, address)).status, 404, address)
  }
  assert.match((await card(other, `/${owner.person.username}`)).body, new RegExp(`@${owner.person.username}`))
  for (const address of [`${path}/issues/2`, `${path}/commit/0000000`, '/nobody-at-all', '/groups/nothing', '//elsewhere.example/x'])
    assert.equal((await card(owner, address)).status, 404, address)
})

test('a confidential issue has no card for those who may not see it', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await by.post(`${project.url}/issues`, { title: 'Secret', confidential: true })
  assert.equal((await card(other, `/${project.full_path}/-/issues/1`)).status, 404)
  assert.match((await card(owner, `/${project.full_path}/-/issues/1`)).body, /Confidential/)
})

test('references say that their item is closed, for each reader what they may know, as it is now', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await by.post(`${project.url}/issues`, { title: 'Open one' })
  await by.post(`${project.url}/issues`, { title: 'Secret', confidential: true })
  await by.post(`${project.url}/issues`, { title: 'Text', description: 'See #1 and #2' })
  const at = `/${project.full_path}/-/issues/3`
  const text = async (who: typeof owner) => /See .*? and .*?</.exec((await who.get(at)).body.replaceAll(/<(?!\/p)[^>]*>/g, ''))?.[0]
  assert.equal(await text(owner), 'See #1 and #2<')
  await by.put(`${project.url}/issues/1`, { state_event: 'close' })
  await by.put(`${project.url}/issues/2`, { state_event: 'close' })
  assert.equal(await text(owner), 'See #1 (closed) and #2 (closed)<')
  assert.equal(await text(other), 'See #1 (closed) and #2<', 'what is kept for one reader is not shown to another')
  assert.equal(await text(owner), 'See #1 (closed) and #2 (closed)<')
})

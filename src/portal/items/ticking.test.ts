import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

/** A public project of the owner with an issue, and the path of the issue's page. */
async function place(description: string) {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const { body } = await by.post(`${project.url}/issues`, { title: 'Paint the shed', description })
  const at = `/${project.full_path}/-/issues/${body.iid}`
  return {
    project,
    at,
    issue: async () => (await by.get(`${project.url}/issues/${body.iid}`)).body,
    url: `${project.url}/issues/${body.iid}`,
  }
}

const boxesIn = (body: string): string[] => [...body.matchAll(/data-task="([^"]+)"/g)].map(([, name = '']) => name)

test('a box of a description changes its line alone, and the count of tasks follows', async () => {
  const { at, issue } = await place('First:\n\n- [ ] one\n- [x] two\n\n<input type="checkbox" disabled data-task="2:0123456789abcdef">')
  const { body } = await owner.get(at)
  const [one, two, ...others] = boxesIn(body)
  assert.deepEqual(others, [])
  assert.match(body, new RegExp(`<task-list data-action="${at}/tasks">`))

  assert.equal((await owner.submit(`${at}/tasks`, { task: one as string, done: 'true' })).status, 303)
  assert.match((await issue()).description, /- \[x\] one\n- \[x\] two/)
  assert.deepEqual((await issue()).task_completion_status, { count: 2, completed_count: 2 })
  assert.equal((await owner.submit(`${at}/tasks`, { task: two as string, done: 'false' })).status, 303)
  assert.deepEqual((await issue()).task_completion_status, { count: 2, completed_count: 1 })
})

test('a box whose line has changed meanwhile ticks nothing; other changes are kept', async () => {
  const { at, issue, url } = await place('- [ ] one\n- [ ] two')
  const [one, two] = boxesIn((await owner.get(at)).body)
  await by.put(url, { description: '- [ ] one\n- [ ] zero\n- [ ] two' })
  const refused = await owner.submit(`${at}/tasks`, { task: two as string, done: 'true' })
  assert.equal(refused.status, 409)
  assert.match(refused.body, /changed meanwhile/)
  await owner.submit(`${at}/tasks`, { task: one as string, done: 'true' })
  assert.equal((await issue()).description, '- [x] one\n- [ ] zero\n- [ ] two')
  assert.equal((await owner.submit(`${at}/tasks`, { task: '0:xx' })).status, 400)
})

test('boxes are for those who may change the text', async () => {
  const { at, url, issue } = await place('- [ ] one')
  await by.post(`${url}/notes`, { body: '- [ ] in a note' })
  const shown = (await reader.get(at)).body
  assert.doesNotMatch(shown, /<task-list/)
  const [one, noted] = boxesIn(shown)
  const { body: notes } = await by.get(`${url}/notes`)
  assert.equal((await reader.submit(`${at}/tasks`, { task: one as string, done: 'true' })).status, 403)
  assert.equal((await reader.submit(`${at}/notes/${notes[0].id}/tasks`, { task: noted as string, done: 'true' })).status, 403)
  assert.equal((await issue()).description, '- [ ] one')
  assert.equal((await owner.submit(`${at}/notes/${notes[0].id}/tasks`, { task: noted as string, done: 'true' })).status, 303)
  assert.equal((await by.get(`${url}/notes`)).body[0].body, '- [x] in a note')
})

test('a merge request has boxes too', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  for (const branch of ['main', 'topic'])
    await by.post(`${project.url}/repository/commits`, {
      branch,
      ...(branch === 'main' ? {} : { start_branch: 'main' }),
      commit_message: `On ${branch}`,
      actions: [{ action: 'create', file_path: `${branch}.txt`, content: 'a' }],
    })
  const { body } = await by.post(`${project.url}/merge_requests`, {
    source_branch: 'topic',
    target_branch: 'main',
    title: 'One',
    description: '1. [ ] look',
  })
  const at = `/${project.full_path}/-/merge_requests/${body.iid}`
  const [box] = boxesIn((await owner.get(at)).body)
  assert.equal((await owner.submit(`${at}/tasks`, { task: box as string, done: 'true' })).status, 303)
  assert.equal((await by.get(`${project.url}/merge_requests/${body.iid}`)).body.description, '1. [x] look')
})

test('any emoji is found by its names, and who reacted is said', async () => {
  const { at, url } = await place('Grey')
  assert.match((await owner.get(`${at}/reactions`, { search: 'racing car' })).body, /value="racing_car"/)
  assert.match((await owner.get(`${at}/reactions`, { search: ':thumbs' })).body, /value="thumbsup"/)
  assert.match((await owner.get(`${at}/reactions`, { search: '<b>' })).body, /No emoji is called so/)
  await owner.submit(`${at}/reactions`, { name: 'racing_car' })
  await reader.submit(`${at}/reactions`, { name: 'racing_car' })
  assert.deepEqual(
    (await by.get(`${url}/award_emoji`)).body.map(({ name }: { name: string }) => name),
    ['racing_car', 'racing_car'],
  )
  const said = `${owner.person.name} and ${reader.person.name} reacted with racing car`
  assert.ok((await owner.get(at)).body.includes(said))
  assert.ok((await scene.anonymous.get(`${scene.url}${at}/reactions`)).body.includes(said))
  const found = await owner.client.get(`${scene.url}${at}/reactions`, { search: 'racing' }, { 'turbo-frame': 'any' })
  assert.doesNotMatch(found.body, /<html/)
})

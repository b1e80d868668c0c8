import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
scene.setTime('2021-06-15T12:00:00Z')
const { surfer } = oauthScene(scene)
const planner = await surfer()
const stranger = await surfer()
const by = scene.as({ 'private-token': planner.person.token })

/** A private group with a project and an iteration in each state. */
async function planned() {
  const { group } = await scene.group({ owner: planner.person, visibility: 'private' })
  const { project } = await scene.project({ group, owner: planner.person, visibility: 'private' })
  const iteration = async (title: string, start_date: string, due_date: string): Promise<{ id: number }> => {
    const made = await by.post(`${group.url}/iterations`, { title, start_date, due_date })
    assert.equal(made.status, 201)
    return made.body
  }
  const past = await iteration('May', '2021-05-01', '2021-05-31')
  const current = await iteration('June', '2021-06-10', '2021-06-20')
  await iteration('July', '2021-07-01', '2021-07-31')
  return { group, project, past, current, iterations: `/groups/${group.full_path}/-/iterations` }
}

const titles = (body: string): string[] => [...body.matchAll(/<div class="title"><a href="[^"]*">([^<]*)</g)].map(([, title = '']) => title)

test('iterations are listed by state, in their group and in its projects', async () => {
  const { project, iterations } = await planned()
  assert.deepEqual(titles((await planner.get(iterations)).body), ['June', 'July'])
  assert.deepEqual(titles((await planner.get(iterations, { state: 'closed' })).body), ['May'])
  assert.deepEqual(titles((await planner.get(`/${project.full_path}/-/iterations`, { state: 'all' })).body), ['May', 'June', 'July'])
  assert.equal((await stranger.get(iterations)).status, 404)
})

test('a project without an iteration leads to where they are made', async () => {
  const { group } = await scene.group({ owner: planner.person, visibility: 'private' })
  const { project } = await scene.project({ group, owner: planner.person, visibility: 'private' })
  const { body } = await planner.get(`/${project.full_path}/-/iterations`)
  assert.match(body, new RegExp(`None is planned. They are made in <a href="/groups/${group.full_path}/-/iterations">the group</a>`))
})

test('the page of an iteration shows its days and its issues by state', async () => {
  const { project, current, iterations } = await planned()
  const issue = async (title: string, body: object = {}) => {
    const made = await by.post(`${project.url}/issues`, { title, ...body })
    await by.post(`${project.url}/issues/${made.body.iid}/notes`, { body: `/iteration *iteration:${current.id}` })
    return made.body
  }
  await issue('Free')
  await issue('Taken', { assignee_ids: [planner.person.id], weight: 3 })
  const done = await issue('Done', { weight: 2 })
  await by.put(`${project.url}/issues/${done.iid}`, { state_event: 'close' })

  const { body } = await planner.get(`${iterations}/${current.id}`)
  assert.deepEqual(titles(body), ['Free', 'Taken', 'Done'])
  assert.match(body, /5 days left/)
  assert.match(body, /1 of 3 issues closed/)
  assert.match(body, /2 of 5 closed/)
  await by.post(`${project.url}/issues`, { title: 'Named', description: `Until *iteration:${current.id} ends, *iteration:"July" begins` })
  const text = (await planner.get(`/${project.full_path}/-/issues/4`)).body
  assert.ok(text.includes(`${iterations}/${current.id}" title="June" class="gfm gfm-iteration"`), 'a reference leads to the page')
  assert.match(text, />July<\/a> begins/)
})

test('an iteration is made, changed and deleted by forms', async () => {
  const { iterations, group } = await planned()
  const send = (rest: string, fields: Record<string, string>) => planner.submit(`${iterations}${rest}`, fields)
  const overlap = await send('/new', { title: 'More', start_date: '2021-06-20', due_date: '2021-06-30', description: '' })
  assert.equal(overlap.status, 422)
  assert.match(overlap.body, /cannot overlap/)
  const made = await send('/new', { title: 'More', start_date: '2021-06-21', due_date: '2021-06-30', description: '# Plan' })
  assert.equal(made.status, 303)
  const at = String(made.headers.location).replace(/^.*(?=\/\d+$)/, '')
  assert.match((await planner.get(iterations + at)).body, /<h1[^>]*>[\s\S]*Plan/)
  assert.equal(
    (await send(`${at}/edit`, { title: 'Still more', start_date: '2021-06-21', due_date: '2021-06-30', description: '' })).status,
    303,
  )
  assert.equal((await send(`${at}/delete`, {})).status, 303)
  const { body } = await by.get(`${group.url}/iterations`)
  assert.equal(body.length, 3)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const planner = await surfer()
const reader = await surfer()
const by = scene.as({ 'private-token': planner.person.token })

/** A public group with a project, both of the planner. */
async function planned() {
  const { group } = await scene.group({ owner: planner.person, visibility: 'public' })
  const { project } = await scene.project({ group, owner: planner.person, visibility: 'public', path: 'crane' })
  const make = async (url: string, body: object) => {
    const made = await by.post(url, body)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body
  }
  const epic = (title: string, body: object = {}) => make(`${group.url}/epics`, { title, ...body })
  const issue = (title: string, body: object = {}) => make(`${project.url}/issues`, { title, ...body })
  return { group, project, epic, issue, epics: `/groups/${group.full_path}/-/epics` }
}

const titles = (body: string): string[] => [...body.matchAll(/<div class="title"><a href="[^"]*">([^<]*)</g)].map(([, title = '']) => title)

test('epics are listed with filters, states and how far they are', async () => {
  const { epic, issue, epics, project } = await planned()
  const one = await epic('One', { labels: 'harbour' })
  await epic('Two')
  await epic('Secret', { confidential: true })
  await issue('Open', { epic_id: one.id })
  const closed = await issue('Closed', { epic_id: one.id })
  await by.put(`${project.url}/issues/${closed.iid}`, { state_event: 'close' })

  const { body } = await planner.get(epics)
  assert.deepEqual(titles(body), ['Secret', 'Two', 'One'])
  assert.match(body, /Open <span class="counter">3<\/span>/)
  assert.match(body, /1 of 2 issues closed/)
  assert.deepEqual(titles((await reader.get(epics)).body), ['Two', 'One'])
  assert.deepEqual(titles((await planner.get(epics, { labels: 'harbour' })).body), ['One'])
  const asked = await planner.get(epics, { filter: '-label:harbour', state: 'opened' })
  assert.equal(asked.status, 303)
  assert.match(String(asked.headers.location), /not\[labels\]=harbour/)
})

test('several epics are changed together, or none of them', async () => {
  const { epic, epics, group } = await planned()
  const [one, two] = [await epic('One'), await epic('Two')]
  const send = (by: typeof planner, ids: string) => by.submit(`${epics}/bulk`, { ids, add_labels: 'harbour', state_event: 'close' })
  assert.equal((await send(reader, `${one.id}`)).status, 403)
  assert.equal((await send(planner, `${one.id},999999999`)).status, 404)
  assert.equal((await by.get(`${group.url}/epics/${one.iid}`)).body.state, 'opened')
  assert.equal((await send(planner, `${one.id},${two.id}`)).status, 303)
  const { body } = await by.get(`${group.url}/epics`, { state: 'closed' })
  assert.deepEqual(
    body.map(({ title, labels }: { title: string; labels: string[] }) => [title, labels]),
    [
      ['Two', ['harbour']],
      ['One', ['harbour']],
    ],
  )
})

test('an epic is opened by the form, with the days that it takes from elsewhere or has of its own', async () => {
  const { epics, group } = await planned()
  const fields = {
    title: 'Harbour',
    description: 'See **it**',
    begins: 'fixed',
    start_date_fixed: '2021-05-01',
    ends: 'inherited',
    due_date_fixed: '',
  }
  assert.equal((await reader.submit(`${epics}/new`, fields)).status, 403)
  const refused = await planner.submit(`${epics}/new`, { ...fields, title: '' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /See \*\*it\*\*/)
  const made = await planner.submit(`${epics}/new`, fields)
  assert.deepEqual([made.status, made.headers.location], [303, `${epics}/1`])
  const { body } = await by.get(`${group.url}/epics/1`)
  assert.deepEqual([body.start_date, body.start_date_is_fixed, body.due_date, body.due_date_is_fixed], ['2021-05-01', true, null, false])
  const shown = (await planner.get(`${epics}/1`)).body
  assert.match(shown, /See <strong>it<\/strong>/)
  assert.match(shown, /Begins 2021-05-01/)
})

test('issues and epics are put into an epic by reference, moved and taken out', async () => {
  const { epic, issue, epics, group, project } = await planned()
  const above = await epic('Above')
  const [one, two] = [await issue('One'), await issue('Two')]
  const below = await epic('Below')
  const at = `${epics}/${above.iid}`
  for (const given of [`crane#${one.iid}`, two.web_url])
    assert.equal((await planner.submit(`${at}/issues/add`, { issue: given })).status, 303, given)
  for (const given of ['crane#99', '#1', 'nonsense', '<b>'])
    assert.match((await planner.submit(`${at}/issues/add`, { issue: given })).body, /is no issue that you may see/, given)
  assert.equal((await planner.submit(`${at}/children/add`, { child: `&${below.iid}` })).status, 303)
  assert.match((await planner.submit(`${at}/children/add`, { child: `&${above.iid}` })).body, />Epic is the epic itself or below it</)
  assert.equal((await planner.submit(`${at}/children/new`, { title: 'New below' })).status, 303)
  assert.equal((await reader.submit(`${at}/issues/add`, { issue: `crane#${one.iid}` })).status, 403)

  const shown = (await planner.get(at)).body
  assert.deepEqual(titles(shown), ['Below', 'New below', 'One', 'Two'])
  assert.ok(!(await reader.get(at)).body.includes('Move up'), 'buttons are for those who may plan')

  assert.equal((await planner.submit(`${at}/issues/${two.id}/move`, { move_after_id: String(one.id) })).status, 303)
  const { body: children } = await by.get(`${group.url}/epics/${above.iid}/epics`)
  assert.equal((await planner.submit(`${at}/children/${children[1].id}/move`, { move_after_id: String(children[0].id) })).status, 303)
  assert.deepEqual(titles((await planner.get(at)).body), ['New below', 'Below', 'Two', 'One'])
  assert.equal((await planner.submit(`${at}/issues/${two.id}/remove`, {})).status, 303)
  assert.equal((await planner.submit(`${at}/children/${below.id}/remove`, {})).status, 303)
  assert.equal((await planner.submit(`${at}/children/${below.id}/remove`, {})).status, 404)
  assert.deepEqual(titles((await planner.get(at)).body), ['New below', 'One'])
  assert.equal((await by.get(`${project.url}/issues/${two.iid}`)).body.epic, null)
})

test('the tree below an epic shows each level, without what the reader may not see', async () => {
  const { epic, issue, epics } = await planned()
  const above = await epic('Above')
  const middle = await epic('Middle', { parent_id: above.id })
  const low = await epic('Low', { parent_id: middle.id })
  await epic('Hidden', { parent_id: above.id, confidential: true })
  await issue('Deep', { epic_id: low.id, weight: 4 })
  const { body } = await planner.get(`${epics}/${above.iid}`)
  assert.deepEqual(titles(body), ['Middle', 'Low', 'Hidden'])
  assert.match(body, /0 of 1 issue closed, weight 0 of 4/)
  assert.deepEqual(titles((await reader.get(`${epics}/${above.iid}`)).body), ['Middle', 'Low'])
  assert.equal((await reader.get(`${epics}/4`)).status, 404)
})

test('people discuss an epic, and references in its texts lead to pages', async () => {
  const { epic, epics, group } = await planned()
  await by.post(`${group.url}/labels`, { name: 'deep water', color: '#0969da' })
  await by.post(`${group.url}/milestones`, { title: 'Spring' })
  await epic('First')
  await epic('Second', { description: 'After &1, ~"deep water" until %Spring' })
  const at = `${epics}/2`
  const { body } = await planner.get(at)
  assert.ok(body.includes(`${epics}/1" title="First" class="gfm gfm-epic"`))
  assert.ok(body.includes(`/groups/${group.full_path}/-/issues?label_name=deep%20water"`))
  assert.match(body, /class="gfm gfm-milestone"[^>]*>%Spring</)

  assert.equal((await reader.submit(`${at}/comment`, { body: 'Why?' })).status, 303)
  assert.equal((await planner.submit(`${at}/discussions/new`, { body: 'Who?' })).status, 303)
  assert.equal((await planner.submit(`${at}/comment`, { body: 'Done', also: 'close' })).status, 303)
  assert.equal((await reader.submit(`${at}/unsubscribe`, {})).status, 303)
  const shown = (await reader.get(at)).body
  for (const said of ['Why?', 'Who?', 'Done']) assert.ok(shown.includes(`<p dir="auto">${said}</p>`), said)
  assert.match(shown, />Subscribe</)
  assert.match(shown, /Closed<\/span>/)
  assert.equal((await scene.anonymous.get(scene.url + at)).status, 302, 'epics are for those who have signed in')
})

test('a description that another person has changed meanwhile is not overwritten unseen', async () => {
  const { epic, epics, group } = await planned()
  await epic('Harbour', { description: 'One' })
  await by.put(`${group.url}/epics/1`, { description: 'Zero\n\nOne' })
  const refused = await planner.submit(`${epics}/1/edit`, { title: 'Harbour', description: 'Two', known_description: 'One' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /<ins>Zero/)
})

test('the editor completes labels, people and epics of the group, and shows a text as it will look', async () => {
  const { epic, group } = await planned()
  await epic('Harbour')
  const base = `/groups/${group.full_path}/-`
  const completed = async (kind: string, search: string) => (await planner.get(`${base}/completions`, { kind, search })).body
  assert.match(await completed('epic', 'harb'), /data-value="&amp;1"/)
  assert.match(await completed('user', planner.person.username), new RegExp(`@${planner.person.username}`))
  assert.match((await planner.submit(`${base}/preview`, { text: '&1' })).body, /gfm-epic/)
})

test('the free tier has neither the pages nor their tabs', async () => {
  const free = await openScene({ settings: { tier: 'free' } })
  const owner = await oauthScene(free).surfer()
  const { group } = await free.group({ owner: owner.person, visibility: 'public' })
  const { body } = await owner.get(`/groups/${group.full_path}/-/labels`)
  assert.ok(body.includes('>Labels') && !body.includes('/-/epics"') && !body.includes('/-/roadmap"') && !body.includes('/-/iterations"'))
  for (const rest of ['epics', 'epics/1', 'epics/1/reactions', 'epics/new', 'roadmap', 'iterations'])
    assert.equal((await owner.get(`/groups/${group.full_path}/-/${rest}`)).status, 404, rest)
})

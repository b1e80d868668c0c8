import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneGroup } from '../../../test/scene.ts'

const scene = await openScene()

const titles = (answer: { body: { title: string }[] }) => answer.body.map(epic => epic.title)
const epicIn = async (person: Person, group: SceneGroup, attributes: object = {}) =>
  (await person.post(`${group.url}/epics`, { title: 'Harbour', ...attributes })).body

test('an epic has all documented fields', async () => {
  const { group, owner } = await scene.group()

  const { status, body } = await owner.post(`${group.url}/epics`, {
    title: ' Harbour ',
    description: 'Rebuild it',
    labels: 'b,a',
    start_date_is_fixed: true,
    start_date_fixed: '2021-01-01',
  })

  assert.equal(status, 201)
  const { id, author, created_at, updated_at, ...rest } = body
  assert.equal(author.id, owner.id)
  assert.equal(created_at, updated_at)
  const self = `${scene.url}/api/v4/groups/${group.id}/epics/1`
  assert.deepEqual(rest, {
    iid: 1,
    group_id: group.id,
    parent_id: null,
    parent_iid: null,
    title: 'Harbour',
    description: 'Rebuild it',
    confidential: false,
    start_date: '2021-01-01',
    start_date_is_fixed: true,
    start_date_fixed: '2021-01-01',
    start_date_from_inherited_source: null,
    start_date_from_milestones: null,
    end_date: null,
    due_date: null,
    due_date_is_fixed: false,
    due_date_fixed: null,
    due_date_from_inherited_source: null,
    due_date_from_milestones: null,
    state: 'opened',
    web_url: `${scene.url}/groups/${group.full_path}/-/epics/1`,
    reference: '&1',
    references: { short: '&1', relative: '&1', full: `${group.full_path}&1` },
    closed_at: null,
    upvotes: 0,
    downvotes: 0,
    labels: ['a', 'b'],
    _links: { self, epic_issues: `${self}/issues`, group: `${scene.url}/api/v4/groups/${group.id}`, parent: null },
  })
  assert.deepEqual(await owner.get(`${group.url}/epics/1`), { status: 200, body })
})

test('the source of dates is visible to users who may change them', async () => {
  const { group, owner, guest } = await scene.group({ members: ['guest'] })
  await epicIn(owner, group)
  const { body } = await guest.get(`${group.url}/epics/1`)
  assert.equal('start_date_is_fixed' in body, false)
  assert.equal(body.start_date, null)
})

test('an epic is changed, closed and reopened; repeating a request changes nothing', async () => {
  const { group, owner } = await scene.group()
  await epicIn(owner, group, { labels: 'a,b' })
  const url = `${group.url}/epics/1`

  const closed = (await owner.put(url, { state_event: 'close', add_labels: 'c', remove_labels: 'a' })).body
  assert.deepEqual([closed.state, closed.labels, typeof closed.closed_at], ['closed', ['b', 'c'], 'string'])
  const again = (await owner.put(url, { state_event: 'close', due_date_is_fixed: true, due_date_fixed: '2022-02-02' })).body
  assert.deepEqual([again.closed_at, again.due_date, again.end_date], [closed.closed_at, '2022-02-02', '2022-02-02'])
  const reopened = (await owner.put(url, { state_event: 'reopen', labels: '', title: 'Quay' })).body
  assert.deepEqual([reopened.state, reopened.closed_at, reopened.labels, reopened.title], ['opened', null, [], 'Quay'])
  assert.deepEqual((await owner.put(url, { title: '  ' })).body, { message: { title: ["can't be blank"] } })
})

test('two concurrent requests close an epic once', async () => {
  const { group, owner } = await scene.group()
  await epicIn(owner, group)
  await Promise.all([1, 2].map(() => owner.put(`${group.url}/epics/1`, { state_event: 'close' })))
  const { db } = scene.deps.database
  const events = await db
    .selectFrom('events')
    .select('id')
    .where('namespace_id', '=', group.id)
    .where('kind', '=', 'epic.updated')
    .execute()
  assert.equal(events.length, 1)
})

test('numbers have no gaps under concurrent creation', async () => {
  const { group, owner } = await scene.group()
  const made = await Promise.all([1, 2, 3, 4, 5].map(() => epicIn(owner, group)))
  assert.deepEqual(made.map(epic => epic.iid).sort(), [1, 2, 3, 4, 5])
})

test('a list includes epics of subgroups and, on request, of ancestors; references are relative to the requested group', async () => {
  const { group: top, owner } = await scene.group()
  const { group } = await scene.group({ parent: top, owner })
  await epicIn(owner, top, { title: 'top' })
  await epicIn(owner, group, { title: 'below' })

  const all = await owner.get(`${top.url}/epics`)
  assert.deepEqual(titles(all), ['below', 'top'])
  assert.equal(all.body[0].references.relative, `${group.path}&1`)
  assert.deepEqual(titles(await owner.get(`${top.url}/epics?include_descendant_groups=false`)), ['top'])
  assert.deepEqual(titles(await owner.get(`${group.url}/epics`)), ['below'])
  const above = await owner.get(`${group.url}/epics?include_ancestor_groups=true&sort=asc`)
  assert.deepEqual(titles(above), ['top', 'below'])
  assert.equal(above.body[0].references.relative, `${top.path}&1`)
})

test('a list is narrowed by author, labels, state, words and times, and by their negations', async () => {
  const { group, owner, developer } = await scene.group({ members: ['developer'] })
  const list = async (query: string) => titles(await owner.get(`${group.url}/epics?sort=asc&${query}`))
  await epicIn(owner, group, { title: 'one', labels: 'x,y', created_at: '2020-01-01T00:00:00Z' })
  await epicIn(developer, group, { title: 'two', labels: 'x', description: 'wet stones', created_at: '2020-01-01T00:00:00Z' })
  await epicIn(owner, group, { title: 'three' })
  await owner.put(`${group.url}/epics/3`, { state_event: 'close' })

  assert.deepEqual(await list(`author_id=${owner.id}`), ['one', 'three'])
  assert.deepEqual(await list(`author_username=${developer.username}`), ['two'])
  assert.deepEqual(await list('labels=x'), ['one', 'two'])
  assert.deepEqual(await list('labels=x,y'), ['one'])
  assert.deepEqual(await list('labels=none'), ['three'])
  assert.deepEqual(await list('labels=Any'), ['one', 'two'])
  assert.deepEqual(await list('not[labels]=y'), ['two', 'three'])
  assert.deepEqual(await list(`not[author_id]=${owner.id}`), ['two'])
  assert.deepEqual(await list('state=closed'), ['three'])
  assert.deepEqual(await list('state=opened'), ['one', 'two'])
  assert.deepEqual(await list('search=STONES'), ['two'])
  // Contract: bounds are inclusive (decision 41); only owners may set the time of creation.
  assert.deepEqual(await list('created_before=2020-01-01T00:00:00Z'), ['one'])
  assert.deepEqual(await list('created_after=2020-01-01T00:00:00Z'), ['one', 'two', 'three'])
  assert.deepEqual(await list('order_by=title'), ['one', 'three', 'two'])
  const { body } = await owner.get(`${group.url}/epics?with_labels_details=true&labels=y`)
  assert.deepEqual(
    body[0].labels.map((label: { name: string; text_color: string }) => [label.name, label.text_color]),
    [
      ['x', '#FFFFFF'],
      ['y', '#FFFFFF'],
    ],
  )
  assert.equal((await owner.get(`${group.url}/epics?author_id=1&author_username=x`)).status, 400)
})

test('confidential epics exist only for members from Reporter up', async () => {
  const { group, owner, guest, reporter } = await scene.group({ visibility: 'public', members: ['guest', 'reporter'] })
  const stranger = await scene.user()
  await epicIn(owner, group, { confidential: true })

  assert.equal((await reporter.get(`${group.url}/epics`)).body.length, 1)
  for (const person of [guest, stranger]) {
    assert.deepEqual((await person.get(`${group.url}/epics`)).body, [])
    assert.deepEqual(await person.get(`${group.url}/epics/1`), { status: 404, body: { message: '404 Epic Not Found' } })
  }
  assert.equal((await scene.anonymous.get(`${group.url}/epics`)).status, 401)
})

test('deleting an epic releases its issues and child epics', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const parent = await epicIn(owner, group)
  await epicIn(owner, group, { parent_id: parent.id })
  const issue = (await owner.post(`${project.url}/issues`, { title: 'Pile' })).body
  await owner.post(`${group.url}/epics/1/issues/${issue.id}`)

  assert.equal((await owner.delete(`${group.url}/epics/1`)).status, 204)

  assert.equal((await owner.get(`${group.url}/epics/2`)).body.parent_id, null)
  assert.equal((await owner.get(`${project.url}/issues/1`)).body.epic, null)
  assert.equal((await epicIn(owner, group)).iid, 3)
})

test('epics of a deleted user are reassigned to the ghost user, or deleted', async () => {
  const { group, owner } = await scene.group()
  for (const [query, left] of [
    ['', ['Ghost User']],
    ['?hard_delete=true', ['Ghost User']],
  ] as const) {
    const person = await scene.user()
    await scene.root.post(`${group.url}/members`, { user_id: person.id, access_level: 20 })
    await epicIn(person, group)
    assert.equal((await scene.root.delete(`/users/${person.id}${query}`)).status, 204)
    const { body } = await owner.get(`${group.url}/epics`)
    assert.deepEqual(
      body.map((epic: { author: { name: string } }) => epic.author.name),
      left,
    )
  }
})

test('epics can be filtered by the reaction of the caller (epics API at 14.0 `my_reaction_emoji`)', async () => {
  const { group } = await scene.group()
  const [one] = await Promise.all(['One', 'Two'].map(async title => (await scene.root.post(`${group.url}/epics`, { title })).body))
  await scene.root.post(`${group.url}/epics/${one.iid}/award_emoji`, { name: 'star' })
  const found = async (my_reaction_emoji: string) =>
    (await scene.root.get(`${group.url}/epics`, { my_reaction_emoji })).body.map((epic: { title: string }) => epic.title)

  assert.deepEqual([await found('star'), await found('heart')], [['One'], []])
  assert.deepEqual([await found('Any'), await found('None')], [['One'], ['Two']])
  const { body: others } = await scene.root.get(`${group.url}/epics?not[my_reaction_emoji]=star`)
  assert.deepEqual(
    others.map((epic: { title: string }) => epic.title),
    ['Two'],
  )
})

test('the fixed dates are also accepted by their deprecated names `start_date` and `end_date` (epics API at 14.0)', async () => {
  const { group } = await scene.group()
  const given = { title: 'Old', start_date_is_fixed: true, start_date: '2030-01-01', due_date_is_fixed: true, end_date: '2030-02-01' }
  const { body: made } = await scene.root.post(`${group.url}/epics`, given)
  assert.deepEqual([made.start_date, made.due_date, made.end_date], ['2030-01-01', '2030-02-01', '2030-02-01'])

  const { body: changed } = await scene.root.put(`${group.url}/epics/${made.iid}`, { end_date: '2030-03-01', start_date: null })

  assert.deepEqual([changed.start_date, changed.due_date], [null, '2030-03-01'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Answer, Query } from '../../../../test/client.ts'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'

const scene = await openScene()

/** The titles of a list, in its order. */
const titles = ({ status, body }: Answer): string[] => {
  assert.equal(status, 200, JSON.stringify(body))
  return body.map((issue: { title: string }) => issue.title)
}

/** Creates issues one after the other; each has its key as title. */
async function issuesIn(
  who: Person,
  project: SceneProject,
  wanted: Record<string, object>,
): Promise<Record<string, { id: number; iid: number }>> {
  const made: Record<string, { id: number; iid: number }> = {}
  for (const [title, attributes] of Object.entries(wanted)) {
    const answer = await who.post(`${project.url}/issues`, { title, ...attributes })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    made[title] = answer.body
  }
  return made
}

test('labels: all of them, None, Any, the deprecated No+Label, and negated (document 3; decision 35)', async () => {
  const { project, owner } = await scene.project()
  await issuesIn(owner, project, { both: { labels: 'red,blue' }, red: { labels: 'red' }, plain: {} })
  const list = async (query: Query) => titles(await owner.get(`${project.url}/issues`, { sort: 'asc', ...query }))

  assert.deepEqual(await list({ labels: 'red' }), ['both', 'red'])
  assert.deepEqual(await list({ labels: 'red,blue' }), ['both'])
  assert.deepEqual(await list({ labels: 'Red' }), [])
  for (const none of ['None', 'none', 'NONE', 'No Label', 'No+Label']) assert.deepEqual(await list({ labels: none }), ['plain'], none)
  for (const any of ['Any', 'any']) assert.deepEqual(await list({ labels: any }), ['both', 'red'], any)
  assert.deepEqual(await list({ not: { labels: 'blue' } }), ['red', 'plain'])
  assert.deepEqual(await list({ not: { labels: 'blue,red' } }), ['plain'])
})

test('assignees and authors: by id, by name, None, Any and negated', async () => {
  const { project, owner, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  await issuesIn(owner, project, { both: { assignee_ids: [developer.id, reporter.id] }, one: { assignee_ids: [developer.id] } })
  await issuesIn(reporter, project, { nobody: {} })
  const list = async (query: Query) => titles(await owner.get(`${project.url}/issues`, { sort: 'asc', ...query }))

  assert.deepEqual(await list({ assignee_id: developer.id }), ['both', 'one'])
  assert.deepEqual(await list({ assignee_id: 'None' }), ['nobody'])
  assert.deepEqual(await list({ assignee_id: 'any' }), ['both', 'one'])
  assert.deepEqual(await list({ assignee_username: [developer.username, reporter.username] }), ['both'], 'all of them (decision 39)')
  assert.deepEqual(await list({ not: { assignee_id: reporter.id } }), ['one', 'nobody'], 'rows without an assignee stay (decision 35)')
  assert.deepEqual(await list({ not: { assignee_username: [developer.username] } }), ['nobody'])
  assert.deepEqual(await list({ author_id: reporter.id }), ['nobody'])
  assert.deepEqual(await list({ author_username: reporter.username.toUpperCase() }), ['nobody'])
  assert.deepEqual(await list({ not: { author_id: reporter.id } }), ['both', 'one'])
  assert.deepEqual(await list({ author_username: 'nobody-at-all' }), [])
})

test('milestones: by title, None, Any and negated', async () => {
  const { project, owner } = await scene.project()
  const milestone = await owner.post(`${project.url}/milestones`, { title: 'v1' })
  await issuesIn(owner, project, { planned: { milestone_id: milestone.body.id }, unplanned: {} })
  const list = async (query: Query) => titles(await owner.get(`${project.url}/issues`, query))

  assert.deepEqual(await list({ milestone: 'v1' }), ['planned'])
  assert.deepEqual(await list({ milestone: 'none' }), ['unplanned'])
  assert.deepEqual(await list({ milestone: 'Any' }), ['planned'])
  assert.deepEqual(await list({ not: { milestone: 'v1' } }), ['unplanned'])
  assert.deepEqual(await list({ milestone: 'v2' }), [])
})

test('search finds words in title and description, `in` narrows the fields, and `not[search]` excludes matches', async () => {
  const { project, owner } = await scene.project()
  await issuesIn(owner, project, {
    'Broken build': { description: 'since Monday' },
    Other: { description: 'a broken window, 100%' },
    Empty: {},
  })
  const list = async (query: Query) => titles(await owner.get(`${project.url}/issues`, { sort: 'asc', ...query }))

  assert.deepEqual(await list({ search: 'broken' }), ['Broken build', 'Other'])
  assert.deepEqual(await list({ search: 'window broken' }), ['Other'])
  assert.deepEqual(await list({ search: 'broken', in: 'title' }), ['Broken build'])
  assert.deepEqual(await list({ search: 'broken', in: 'description,title' }), ['Broken build', 'Other'])
  assert.deepEqual(await list({ search: '100%' }), ['Other'])
  assert.deepEqual(await list({ not: { search: 'broken' } }), ['Empty'])
  assert.deepEqual(await list({ not: { search: 'broken', in: 'title' } }), ['Other', 'Empty'])
})

test('an empty name, title or list is ignored, also when negated (public behaviour at 14.0)', async () => {
  const { project, owner } = await scene.project()
  await issuesIn(owner, project, { red: { labels: 'red' }, plain: {} })
  const list = async (query: Query) => titles(await owner.get(`${project.url}/issues`, { sort: 'asc', ...query }))

  const names = ['milestone', 'author_username', 'assignee_username', 'labels', 'my_reaction_emoji', 'search']
  for (const name of [...names, 'iteration_title', 'health_status', 'state'])
    assert.deepEqual(await list({ [name]: '' }), ['red', 'plain'], name)
  for (const name of names) assert.deepEqual(await list({ not: { [name]: '' } }), ['red', 'plain'], `not[${name}]`)
})

test('state, confidentiality, type, weight, numbers and dates narrow the list', async () => {
  const { project, owner } = await scene.project()
  const made = await issuesIn(owner, project, {
    secret: { confidential: true, weight: 3, created_at: '2021-01-01T00:00:00Z' },
    incident: { issue_type: 'incident', created_at: '2021-01-02T00:00:00Z' },
    light: { weight: 0, created_at: '2021-01-03T00:00:00Z' },
  })
  await owner.put(`${project.url}/issues/${made.light?.iid}`, { state_event: 'close' })
  const list = async (query: Query) => titles(await owner.get(`${project.url}/issues`, { sort: 'asc', ...query }))

  assert.deepEqual(await list({}), ['secret', 'incident', 'light'])
  assert.deepEqual(await list({ state: 'opened' }), ['secret', 'incident'])
  assert.deepEqual(await list({ state: 'closed' }), ['light'])
  assert.deepEqual(await list({ state: 'all' }), ['secret', 'incident', 'light'])
  assert.deepEqual(await list({ confidential: true }), ['secret'])
  assert.deepEqual(await list({ confidential: 'no' }), ['incident', 'light'])
  assert.deepEqual(await list({ issue_type: 'incident' }), ['incident'])
  assert.deepEqual(await list({ weight: 0 }), ['light'])
  assert.deepEqual(await list({ weight: 'None' }), ['incident'])
  assert.deepEqual(await list({ weight: 'Any' }), ['secret', 'light'])
  assert.deepEqual(await list({ iids: [made.secret!.iid, made.light!.iid] }), ['secret', 'light'])
  assert.deepEqual(
    await list({ created_after: '2021-01-02T00:00:00Z', created_before: '2021-01-02T00:00:00Z' }),
    ['incident'],
    'inclusive (decision 41)',
  )
})

test('the keywords of `due_date` (document 3; decision 37)', async () => {
  const { project, owner } = await scene.project()
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  await issuesIn(owner, project, { late: { due_date: day(-1) }, today: { due_date: day(0) }, far: { due_date: day(200) }, never: {} })
  const list = async (due_date: string) => titles(await owner.get(`${project.url}/issues`, { sort: 'asc', due_date }))

  assert.deepEqual(await list('0'), ['never'])
  assert.deepEqual(await list('overdue'), ['late'])
  assert.ok((await list('week')).includes('today'))
  assert.ok((await list('month')).includes('today'))
  assert.deepEqual(await list('next_month_and_previous_two_weeks'), ['late', 'today'])
})

test('reactions: by name, None, Any and negated, of the caller alone', async () => {
  const { project, owner, guest } = await scene.project({ members: ['guest'] })
  const made = await issuesIn(owner, project, { starred: {}, plain: {} })
  await scene.deps.database.db
    .insertInto('award_emoji')
    .values({ user_id: owner.id, name: 'star', issue_id: made.starred?.id as number })
    .execute()
  const list = async (query: Query, who = owner) => titles(await who.get(`${project.url}/issues`, query))

  assert.deepEqual(await list({ my_reaction_emoji: 'star' }), ['starred'])
  assert.deepEqual(await list({ my_reaction_emoji: 'heart' }), [])
  assert.deepEqual(await list({ my_reaction_emoji: 'None' }), ['plain'])
  assert.deepEqual(await list({ my_reaction_emoji: 'any' }), ['starred'])
  assert.deepEqual(await list({ not: { my_reaction_emoji: 'star' } }), ['plain'])
  assert.deepEqual(await list({ my_reaction_emoji: 'Any' }, guest), [])
})

test('every order works in both directions, unset values come last, and ties are ordered by id', async () => {
  const { project, owner } = await scene.project()
  for (const [name, priority] of [
    ['urgent', 0],
    ['later', 5],
  ] as const)
    await owner.post(`${project.url}/labels`, { name, color: '#ff0000', priority })
  const soon = await owner.post(`${project.url}/milestones`, { title: 'soon', due_date: '2030-01-01' })
  const far = await owner.post(`${project.url}/milestones`, { title: 'far', due_date: '2040-01-01' })
  const made = await issuesIn(owner, project, {
    a: { labels: 'later', milestone_id: soon.body.id, due_date: '2031-01-01', weight: 5 },
    b: { labels: 'urgent,later', milestone_id: far.body.id, due_date: '2030-01-01', weight: 1 },
    c: {},
    d: { milestone_id: soon.body.id, labels: 'urgent' },
  })
  await scene.deps.database.db
    .updateTable('issues')
    .set({ upvotes: 2 })
    .where('id', '=', made.c?.id as number)
    .execute()
  await owner.put(`${project.url}/issues/${made.a?.iid}/reorder`, { move_after_id: made.d?.id })
  const list = async (order_by: string, sort: string) => titles(await owner.get(`${project.url}/issues`, { order_by, sort })).join('')

  const expected: [string, string, string][] = [
    ['created_at', 'abcd', 'dcba'],
    ['due_date', 'bacd', 'abdc'],
    ['weight', 'bacd', 'abdc'],
    ['milestone_due', 'adbc', 'bdac'],
    ['label_priority', 'bdac', 'adbc'],
    ['priority', 'dabc', 'badc'],
    ['popularity', 'abdc', 'cdba'],
    ['relative_position', 'bcda', 'adcb'],
  ]
  for (const [order, ascending, descending] of expected) {
    assert.equal(await list(order, 'asc'), ascending, `${order} asc`)
    assert.equal(await list(order, 'desc'), descending, `${order} desc`)
  }
  assert.equal((await list('updated_at', 'desc')).length, 4)
})

test('parameters that exclude each other are a 400, also when negated, and so are invalid values', async () => {
  const { project, owner } = await scene.project()
  const refused = async (query: Query, ...names: string[]) => {
    const { status, body } = await owner.get(`${project.url}/issues`, query)
    assert.equal(status, 400, JSON.stringify(query))
    assert.deepEqual(Object.keys(body.message).sort(), names.sort())
  }

  await refused({ assignee_id: 1, assignee_username: ['a'] }, 'assignee_id', 'assignee_username')
  await refused({ author_id: 1, author_username: 'a' }, 'author_id', 'author_username')
  await refused({ iteration_id: 1, iteration_title: 'a' }, 'iteration_id', 'iteration_title')
  await refused({ not: { author_id: 1, author_username: 'a' } }, 'not[author_id]', 'not[author_username]')
  await refused({ state: 'open', order_by: 'size' }, 'state', 'order_by')
  await refused({ assignee_id: 'someone' }, 'assignee_id')
  await refused({ due_date: 'tomorrow' }, 'due_date')
  await refused({ created_after: '2021-02-30' }, 'created_after')
  await refused({ not: 'labels' }, 'not')
})

test('the list of the instance shows one’s own issues unless `scope` says otherwise; dashes are an older spelling', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await issuesIn(owner, project, { mine: {}, given: { assignee_ids: [developer.id] } })
  await issuesIn(developer, project, { theirs: {} })
  const list = async (query: Query) => titles(await developer.get('/issues', { sort: 'asc', ...query }))

  assert.deepEqual(await list({}), ['theirs'])
  assert.deepEqual(await list({ scope: 'created-by-me' }), ['theirs'])
  assert.deepEqual(await list({ scope: 'assigned_to_me' }), ['given'])
  assert.deepEqual(await list({ scope: 'assigned-to-me' }), ['given'])
  assert.deepEqual(await list({ scope: 'all' }), ['mine', 'given', 'theirs'])
  assert.deepEqual(await list({ author_id: owner.id }), [], 'the default scope stays')
})

test('anonymous callers must pass `scope=all` for the list of the instance, and see public issues (decision 10)', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await issuesIn(owner, project, { 'open to all zebra': {}, 'secret zebra': { confidential: true } })

  assert.equal((await scene.anonymous.get('/issues')).status, 401)
  assert.equal((await scene.anonymous.get('/issues_statistics')).status, 401)
  assert.deepEqual(titles(await scene.anonymous.get('/issues', { scope: 'all', search: 'zebra' })), ['open to all zebra'])
})

test('a group’s list holds its subgroups, leaves out archived projects, and has references relative to the group (decisions 33 and 35)', async () => {
  const { group, owner } = await scene.group()
  const { group: inner } = await scene.group({ parent: group, owner })
  const { project } = await scene.project({ group: inner, owner })
  const { project: old } = await scene.project({ group, owner })
  await issuesIn(owner, project, { live: {} })
  await issuesIn(owner, old, { archived: {} })
  await scene.root.post(`${old.url}/archive`)

  const answer = await owner.get(`${group.url}/issues`)
  assert.deepEqual(titles(answer), ['live'])
  assert.deepEqual(answer.body[0].references, {
    short: '#1',
    relative: `${inner.path}/${project.path}#1`,
    full: `${project.full_path}#1`,
  })
  assert.equal((await owner.get(`${project.url}/issues`)).body[0].references.relative, '#1')
  assert.equal((await owner.get('/issues')).body[0].references.relative, `${project.full_path}#1`)
  assert.deepEqual(titles(await owner.get(`${group.url}/issues`, { non_archived: false, sort: 'asc' })), ['live', 'archived'])
  assert.deepEqual(titles(await owner.get(`${old.url}/issues`)), ['archived'])
})

test('confidential issues are visible to author, assignees, Reporters and administrators, in lists and counts alike (decision 34)', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project, guest, reporter } = await scene.project({ group, owner, visibility: 'public', members: ['guest', 'reporter'] })
  const outsider = await scene.user()
  await issuesIn(owner, project, { open: {}, secret: { confidential: true }, assigned: { confidential: true, assignee_ids: [guest.id] } })
  await issuesIn(outsider, project, { own: { confidential: true } })

  const sees: [string, Answer[]][] = [
    ['open', await everywhere(scene.anonymous)],
    ['open,own', await everywhere(outsider)],
    ['open,assigned', await everywhere(guest)],
    ['open,secret,assigned,own', await everywhere(reporter)],
    ['open,secret,assigned,own', await everywhere(scene.root)],
  ]
  for (const [expected, answers] of sees)
    for (const answer of answers) {
      assert.equal(titles(answer).join(','), expected)
      assert.equal(answer.headers['x-total'], String(expected.split(',').length))
    }
  const opened = async (who: Person) => (await who.get(`${project.url}/issues_statistics`)).body.statistics.counts.opened
  assert.deepEqual([await opened(outsider), await opened(guest), await opened(reporter)], [2, 2, 4])
  const count = async (who: Person) => (await who.get(project.url)).body.open_issues_count
  assert.deepEqual([await count(outsider), await count(guest), await count(reporter), await count(scene.root)], [1, 1, 4, 4])

  function everywhere(who: Pick<Person, 'get'>): Promise<Answer[]> {
    return Promise.all([`${project.url}/issues`, `${group.url}/issues`].map(path => who.get(path, { sort: 'asc' })))
  }
})

test('issues of projects where they are disabled or members-only are left out of every list', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project, guest } = await scene.project({ group, owner, visibility: 'public', members: ['guest'] })
  await issuesIn(owner, project, { one: {} })
  const outsider = await scene.user()

  await owner.put(project.url, { issues_access_level: 'private' })
  assert.equal((await outsider.get(`${project.url}/issues`)).status, 404)
  assert.deepEqual(titles(await outsider.get(`${group.url}/issues`)), [])
  assert.deepEqual(titles(await guest.get(`${group.url}/issues`)), ['one'])

  await owner.put(project.url, { issues_access_level: 'disabled' })
  assert.equal((await owner.get(`${project.url}/issues/1`)).status, 404)
  for (const who of [owner, guest, scene.root]) assert.deepEqual(titles(await who.get(`${group.url}/issues`)), [])
})

test('labels have details on request', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/labels`, { name: 'light', color: '#ffffff', description: '<b>bold</b>' })
  await issuesIn(owner, project, { one: { labels: 'light' } })

  const [issue] = (await owner.get(`${project.url}/issues`, { with_labels_details: true })).body
  const { name, color, description, text_color } = issue.labels[0]
  assert.deepEqual(
    { name, color: color.toLowerCase(), description, text_color },
    { name: 'light', color: '#ffffff', description: '<b>bold</b>', text_color: '#333333' },
  )
  assert.ok(!issue.labels[0].description_html.includes('<script'))
  assert.deepEqual((await owner.get(`${project.url}/issues`)).body[0].labels, ['light'])
})

test('statistics count a list by state', async () => {
  const { project, owner } = await scene.project()
  const made = await issuesIn(owner, project, { a: { labels: 'x' }, b: { labels: 'x' }, c: {} })
  await owner.put(`${project.url}/issues/${made.a?.iid}`, { state_event: 'close' })

  const counts = async (path: string, query = {}) => (await owner.get(path, query)).body.statistics.counts
  assert.deepEqual(await counts(`${project.url}/issues_statistics`), { all: 3, closed: 1, opened: 2 })
  assert.deepEqual(await counts(`${project.url}/issues_statistics`, { labels: 'x' }), { all: 2, closed: 1, opened: 1 })
  assert.deepEqual(await counts('/issues_statistics'), { all: 3, closed: 1, opened: 2 })
})

test('the orders by milestone and priority follow changes of milestones, labels and priorities', async () => {
  const { project, owner } = await scene.project()
  const [one, two] = [
    await owner.post(`${project.url}/milestones`, { title: 'one', due_date: '2030-01-01' }),
    await owner.post(`${project.url}/milestones`, { title: 'two', due_date: '2031-01-01' }),
  ]
  for (const [name, priority] of Object.entries({ x: 1, y: 2 }))
    await owner.post(`${project.url}/labels`, { name, color: '#ff0000', priority })
  await issuesIn(owner, project, { a: { milestone_id: one.body.id, labels: 'x' }, b: { milestone_id: two.body.id, labels: 'y' } })
  const list = async (order_by: string) => titles(await owner.get(`${project.url}/issues`, { order_by, sort: 'asc' })).join('')
  assert.deepEqual([await list('milestone_due'), await list('label_priority')], ['ab', 'ab'])

  await owner.put(`${project.url}/milestones/${one.body.id}`, { due_date: '2032-01-01' })
  await owner.put(`${project.url}/labels/x`, { priority: 3 })
  assert.deepEqual([await list('milestone_due'), await list('label_priority')], ['ba', 'ba'])

  await owner.put(`${project.url}/labels/y`, { priority: null })
  assert.equal(await list('label_priority'), 'ab')
  await owner.put(`${project.url}/labels/y`, { priority: 0 })
  await owner.delete(`${project.url}/labels/y`)
  await owner.delete(`${project.url}/milestones/${two.body.id}`)
  assert.deepEqual([await list('milestone_due'), await list('label_priority')], ['ab', 'ab'])
})

test('long lists are read in order and short ones by matching sets; both respect order and filters', async () => {
  const { project, owner } = await scene.project()
  const { id: red } = (await owner.post(`${project.url}/labels`, { name: 'red', color: '#ff0000' })).body
  const { id: blue } = (await owner.post(`${project.url}/labels`, { name: 'blue', color: '#0000ff' })).body
  const milestone = (await owner.post(`${project.url}/milestones`, { title: 'v1' })).body
  const { db } = scene.deps.database
  // More rows than a page is cut from: all are red, the last ten are blue, and every other one has the milestone `v1`.
  await sql`
    with made as (
      insert into issues (iid, project_id, author_id, title, weight, milestone_id, created_at)
      select n, ${project.id}, ${owner.id}, 'Issue ' || n, n % 3, case when n % 2 = 0 then ${milestone.id}::bigint end,
             timestamptz '2021-01-01' + n * interval '1 minute'
        from generate_series(1, 2100) n returning id, iid)
    insert into issue_labels (issue_id, label_id)
    select id, ${red}::bigint from made union all select id, ${blue}::bigint from made where iid > 2090`.execute(db)
  const list = async (query: Query) => {
    const answer = await owner.get(`${project.url}/issues`, { per_page: 3, ...query })
    return [answer.headers['x-total'], ...titles(answer).map(title => Number(title.slice('Issue '.length)))]
  }

  assert.deepEqual(await list({}), ['2100', 2100, 2099, 2098])
  assert.deepEqual(await list({ state: 'opened', sort: 'asc', page: 2 }), ['2100', 4, 5, 6])
  assert.deepEqual(await list({ state: 'closed' }), ['0'])
  assert.deepEqual(await list({ labels: 'red' }), ['2100', 2100, 2099, 2098])
  assert.deepEqual(await list({ labels: 'red', not: { labels: 'blue' } }), ['2090', 2090, 2089, 2088])
  assert.deepEqual(await list({ labels: 'red', page: 700 }), ['2100', 3, 2, 1])
  assert.deepEqual(await list({ labels: 'red', page: 701 }), ['2100'])
  assert.deepEqual(await list({ labels: 'red,blue' }), ['10', 2100, 2099, 2098])
  assert.deepEqual(await list({ labels: 'blue,red', sort: 'asc', page: 2 }), ['10', 2094, 2095, 2096])
  assert.deepEqual(await list({ labels: 'red,nowhere' }), ['0'])
  assert.deepEqual(await list({ labels: 'red', milestone: 'v1', weight: 0, sort: 'asc' }), ['350', 6, 12, 18])
  assert.deepEqual(await list({ labels: 'red', order_by: 'weight', sort: 'desc', created_before: '2021-01-01T00:05:00Z' }), ['5', 5, 2, 4])
})

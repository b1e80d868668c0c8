import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import { issueFilterKeys } from '../../items/filter_text.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

/** A public project of the owner in a group, and the path of its issues. */
async function place() {
  const { group } = await scene.group({ owner: owner.person, visibility: 'public' })
  const { project } = await scene.project({ owner: owner.person, visibility: 'public', namespace_id: group.id } as never)
  const issue = async (body: object) => {
    const made = await by.post(`${project.url}/issues`, body)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body
  }
  return { group, project, issue, issues: `/${project.full_path}/-/issues`, groupIssues: `/groups/${group.full_path}/-/issues` }
}

const titles = (body: string): string[] =>
  [...body.matchAll(/<div class="title"><a href="[^"]*">([^<]*)<\/a>/g)].map(([, title = '']) => title)

test('an empty list says what it is for, and of a narrowed one that nothing is like this', async () => {
  const { issues } = await place()
  const said = async (query: Record<string, string>) => /None is like this/.test((await owner.get(issues, query)).body)
  assert.match((await owner.get(issues)).body, /is written down as an issue/)
  assert.deepEqual(
    [await said({}), await said({ order_by: 'title' }), await said({ state: 'closed' }), await said({ search: 'x' })],
    [false, false, true, true],
  )
})

test('each filter of the table writes its own parameter, and is read from it', async () => {
  const { project, issue, issues, groupIssues } = await place()
  const { person } = owner
  await by.post(`${project.url}/labels`, { name: 'bug', color: '#ff0000' })
  const { body: milestone } = await by.post(`${project.url}/milestones`, { title: 'Harbour' })
  const one = await issue({
    title: 'Paint the shed',
    labels: 'bug',
    milestone_id: milestone.id,
    assignee_ids: [person.id],
    due_date: '2020-01-01',
    weight: 3,
    health_status: 'at_risk',
    confidential: true,
  })
  await by.post(`${project.url}/issues/${one.iid}/award_emoji`, { name: 'rocket' })
  await issue({ title: 'Mend the door', description: 'It creaks' })

  const shed = ['Paint the shed']
  const door = ['Mend the door']
  const both = [...door, ...shed]
  const table: readonly (readonly [text: string, params: Record<string, string>, found: readonly string[]])[] = [
    ['label:bug', { labels: 'bug' }, shed],
    ['-label:bug', { 'not[labels]': 'bug' }, door],
    ['label:None', { labels: 'None' }, door],
    [`author:${person.username}`, { author_username: person.username }, both],
    [`-author:${person.username}`, { 'not[author_username]': person.username }, []],
    [`author-id:${person.id}`, { author_id: String(person.id) }, both],
    [`-author-id:${person.id}`, { 'not[author_id]': String(person.id) }, []],
    [`assignee:${person.username}`, { assignee_username: person.username }, shed],
    [`-assignee:${person.username}`, { 'not[assignee_username]': person.username }, door],
    ['assigned:None', { assignee_id: 'None' }, door],
    ['assigned:Any', { assignee_id: 'Any' }, shed],
    [`-assigned:${person.id}`, { 'not[assignee_id]': String(person.id) }, door],
    ['milestone:Harbour', { milestone: 'Harbour' }, shed],
    ['-milestone:Harbour', { 'not[milestone]': 'Harbour' }, door],
    ['weight:3', { weight: '3' }, shed],
    ['weight:None', { weight: 'None' }, door],
    ['iterated:None', { iteration_id: 'None' }, both],
    ['iteration:Nothing', { iteration_title: 'Nothing' }, []],
    ['epic:Any', { epic_id: 'Any' }, []],
    ['epic:None', { epic_id: 'None' }, both],
    ['health:at_risk', { health_status: 'at_risk' }, shed],
    ['health:None', { health_status: 'None' }, door],
    ['reaction:rocket', { my_reaction_emoji: 'rocket' }, shed],
    ['-reaction:rocket', { 'not[my_reaction_emoji]': 'rocket' }, door],
    ['due:overdue', { due_date: 'overdue' }, shed],
    ['due:0', { due_date: '0' }, door],
    ['type:incident', { issue_type: 'incident' }, []],
    ['confidential:yes', { confidential: 'true' }, shed],
    ['confidential:no', { confidential: 'false' }, door],
    [`number:${one.iid}`, { iids: String(one.iid) }, shed],
    ['in:title creaks', { in: 'title', search: 'creaks' }, []],
    ['without:creaks', { 'not[search]': 'creaks' }, shed],
    ['without:creaks without-in:title', { 'not[search]': 'creaks', 'not[in]': 'title' }, both],
    ['created-after:2999-01-01', { created_after: '2999-01-01' }, []],
    ['created-before:2999-01-01', { created_before: '2999-01-01' }, both],
    ['updated-after:2999-01-01', { updated_after: '2999-01-01' }, []],
    ['updated-before:2999-01-01', { updated_before: '2999-01-01' }, both],
    ['scope:assigned_to_me', { scope: 'assigned_to_me' }, shed],
  ]
  for (const [text, params, found] of table) {
    const asked = await owner.get(issues, { filter: text, state: 'opened' })
    assert.equal(asked.status, 303, text)
    const { searchParams } = new URL(String(asked.headers.location), scene.url)
    assert.deepEqual(Object.fromEntries(searchParams), { state: 'opened', ...params }, text)
    const shown = await owner.get(issues, Object.fromEntries(searchParams))
    assert.deepEqual(titles(shown.body), found, text)
    assert.ok(shown.body.includes(`id="filter" name="filter" value="${text}"`), `${text} is shown`)
    if (!text.startsWith('scope:'))
      assert.deepEqual(titles((await owner.get(groupIssues, Object.fromEntries(searchParams))).body), found, text)
  }
  const tried = new Set(table.flatMap(([text]) => [...text.matchAll(/([a-z-]+?):/g)].map(([, key = '']) => key.replace(/^-/, ''))))
  const untried = issueFilterKeys.filter(({ key }) => !tried.has(key)).map(({ key }) => key)
  assert.deepEqual(untried, ['non-archived'], 'a filter without a test')
})

test('a list offers what it understands: negated iterations are for the list of the instance, weights not for the free tier', async () => {
  const { issues } = await place()
  const own = await owner.get('/dashboard/issues', { filter: '-iteration:One -reaction:tada', scope: 'all' })
  const { searchParams } = new URL(String(own.headers.location), scene.url)
  assert.deepEqual(Object.fromEntries(searchParams), { 'not[iteration_title]': 'One', search: '-reaction:tada' })
  assert.match((await owner.get(issues)).body, /<dt class="mono">\(-\)reaction:/)
  assert.match((await owner.get(issues)).body, /<dt class="mono">iteration:/)
})

test('a list becomes a file with all of its filters, in which nothing is calculated', async () => {
  const { issue, issues, groupIssues } = await place()
  await issue({ title: '=HYPERLINK("https://elsewhere.example")', description: '+1, "quoted"\nand\r\nlines', labels: 'a,b' })
  await issue({ title: '@sum', confidential: true })
  await issue({ title: 'Plain', assignee_ids: [owner.person.id], due_date: '2030-01-02', weight: 2 })
  const rows = async (who: typeof owner, path: string, query: Record<string, string>) => {
    const answer = await who.get(`${path}/export`, query)
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^text\/csv/)
    assert.match(String(answer.headers['content-disposition']), /^attachment; filename="[\w-]+_issues_\d{4}-\d\d-\d\d\.csv"$/)
    return parse(answer.body, { columns: true }) as Record<string, string>[]
  }
  const all = await rows(owner, issues, { state: 'all' })
  assert.deepEqual(
    all.map(row => row.Title),
    ['Plain', "'@sum", `'=HYPERLINK("https://elsewhere.example")`],
  )
  assert.equal(all[2]?.Description, `'+1, "quoted"\nand\r\nlines`)
  assert.deepEqual(Object.keys(all[0] ?? {}), [
    'Issue ID',
    'URL',
    'Title',
    'State',
    'Description',
    'Author',
    'Author Username',
    'Assignee',
    'Assignee Username',
    'Confidential',
    'Locked',
    'Due Date',
    'Created At (UTC)',
    'Updated At (UTC)',
    'Closed At (UTC)',
    'Milestone',
    'Weight',
    'Labels',
    'Time Estimate',
    'Time Spent',
    'Epic ID',
    'Epic Title',
  ])
  const { State, Confidential, Weight, 'Due Date': due, 'Assignee Username': assignee } = all[0] as Record<string, string>
  assert.deepEqual([State, Confidential, Weight, due, assignee], ['Open', 'No', '2', '2030-01-02', owner.person.username])
  assert.deepEqual(
    (await rows(owner, issues, { labels: 'a,b' })).map(row => row.Labels),
    ['a,b'],
  )
  assert.equal((await rows(reader, issues, {})).length, 2, 'a confidential issue is for members')
  assert.equal((await rows(reader, groupIssues, { 'not[labels]': 'a' })).length, 1)
  assert.equal((await owner.get(`${issues}/export`, { assignee_id: 'x y' })).status, 400)
})

/** Sends a file with the form. */
async function send(who: typeof owner, issues: string, csv: string) {
  const token = /name="authenticity_token" value="([^"]+)"/.exec((await who.get(`${issues}/import`)).body)?.[1] ?? ''
  const form = new FormData()
  form.set('authenticity_token', token)
  form.set('file', new File([csv], 'issues.csv', { type: 'text/csv' }))
  return who.client.post(`${scene.url}${issues}/import`, form)
}

test('issues come from a file: all of them, or none with a message for each line', async () => {
  const { project, issues } = await place()
  await by.post(`${project.url}/milestones`, { title: 'Harbour' })
  await by.post(`${project.url}/labels`, { name: 'bug', color: '#ff0000' })
  const done = await send(
    owner,
    issues,
    '\uFEFFTitle;Description;Due Date;Milestone;Other\r\n"One; two";"Lines\nof text";2030-01-02;Harbour;x\r\n\'=Two;/label ~bug;;;\r\n',
  )
  assert.equal(done.status, 303)
  const { body } = await by.get(`${project.url}/issues`)
  assert.deepEqual(
    body.map((issue: Record<string, never>) => [issue.title, issue.description, issue.due_date, issue.labels]),
    [
      ['=Two', '', null, ['bug']],
      ['One; two', 'Lines\nof text', '2030-01-02', []],
    ],
  )
  assert.equal(body[1].milestone.title, 'Harbour')

  const refused = await send(owner, issues, 'title,description,due_date\nfine,"two\nlines",\n,no title,soon\nlate,,2021-02-30\n')
  assert.equal(refused.status, 422)
  for (const says of [/line 4: title can&#39;t be blank/, /line 4: due date/, /line 5: due date/]) assert.match(refused.body, says)
  assert.match((await send(owner, issues, 'title,milestone\none,\ntwo,Nowhere\n')).body, /line 3: there is no milestone Nowhere/)
  assert.match((await send(owner, issues, 'name\none\n')).body, /with a column/)
  assert.match((await send(owner, issues, 'title\n"open\n')).body, /cannot be read as CSV/)
  assert.match((await send(owner, issues, `title\n${'x\n'.repeat(1001)}`)).body, /has 1001 issues/)
  assert.match((await send(owner, issues, `title\n${'x'.repeat(300)}\n<b>,\n`)).body, /line 2: title is longer/)
  const manyActions = `x,"${'/label ~bug\n'.repeat(51)}"\n`.repeat(10)
  assert.match((await send(owner, issues, `title,description\n${manyActions}`)).body, /has 510 quick actions/)
  assert.equal((await by.get(`${project.url}/issues`)).body.length, 2)
  assert.equal((await reader.get(`${issues}/import`)).status, 403)
})

test('several issues get everything that one can get, or nothing', async () => {
  const { group, project, issue, issues } = await place()
  const [one, two] = [await issue({ title: 'One' }), await issue({ title: 'Two' })]
  const { body: epic } = await by.post(`/groups/${group.id}/epics`, { title: 'Voyage' })
  await by.post(`/groups/${group.id}/milestones`, { title: 'Harbour' })
  const iids = `${one.iid},${two.iid}`
  const get = async (iid: number) => (await by.get(`${project.url}/issues/${iid}`)).body
  const submit = (fields: Record<string, string>) => owner.submit(`${issues}/bulk`, { iids, ...fields })

  const done = await submit({
    add_labels: 'bug',
    milestone_title: 'Harbour',
    epic: 'Voyage',
    weight: '5',
    health: 'at_risk',
    due_date: '2030-01-02',
    confidential: 'yes',
    assignee_username: `@${owner.person.username}`,
    subscription: 'unsubscribe',
    state_event: '',
  })
  assert.equal(done.status, 303)
  const { labels, milestone, epic: shown, weight, health_status, due_date, confidential, assignees, subscribed, state } = await get(two.iid)
  assert.deepEqual(
    [labels, milestone.title, shown.id, weight, health_status, due_date, confidential, assignees[0].id, subscribed, state],
    [['bug'], 'Harbour', epic.id, 5, 'at_risk', '2030-01-02', true, owner.person.id, false, 'opened'],
  )
  await submit({ epic: 'None', milestone_title: 'none', health: 'none', assignee_username: 'None', confidential: 'no' })
  const cleared = await get(one.iid)
  assert.deepEqual(
    [cleared.epic, cleared.milestone, cleared.health_status, cleared.assignees, cleared.confidential],
    [null, null, null, [], false],
  )
  for (const [field, value] of [
    ['epic', 'Nowhere'],
    ['iteration_title', 'Nowhere'],
    ['milestone_title', 'Nowhere'],
  ] as const) {
    const { status, body } = await submit({ [field]: value, add_labels: 'late "<b>', state_event: 'close', back: `${issues}?labels=bug` })
    assert.equal(status, 422, field)
    // What was chosen and typed is there to be sent again, and the message stands at its field, by its label.
    assert.match(body, new RegExp(`name="${field}" value="Nowhere"[^>]* aria-invalid="true"`))
    assert.match(body, /class="wrong"[^>]*>(Epic|Iteration|Milestone) is not the title/)
    assert.match(body, /name="add_labels" value="late &quot;&lt;b(>|&gt;)"/)
    assert.match(body, /<option value="close" selected>/)
    assert.match(body, new RegExp(`name="iids\\[\\]" value="${one.iid}"><input type="hidden" name="iids\\[\\]" value="${two.iid}">`))
    assert.match(body, new RegExp(`href="${issues}\\?labels=bug">Cancel`))
  }
  assert.equal((await get(one.iid)).labels.includes('late'), false)
  const boxes = [one, two].map(({ iid }) => ['iids[]', String(iid)] as const)
  const several = await owner.submit(`${issues}/bulk`, [...boxes, ['weight', '-1']])
  assert.match(several.body, /Change 2 issues.*?name="weight" value="-1"[^>]* aria-invalid="true"/s)

  const { project: other } = await scene.project({ owner: owner.person })
  assert.equal((await submit({ to_project: other.full_path, add_labels: 'moved' })).status, 303)
  assert.deepEqual((await by.get(`${other.url}/issues`)).body.map((row: { title: string }) => row.title).sort(), ['One', 'Two'])
  assert.equal((await get(one.iid)).state, 'closed')
})

test('the order by hand is changed by a form, and by what the script sends', async () => {
  const { issue, issues } = await place()
  const [one, two, three] = [await issue({ title: 'One' }), await issue({ title: 'Two' }), await issue({ title: 'Three' })]
  const list = { order_by: 'relative_position', sort: 'asc' }
  const order = async () => titles((await owner.get(issues, list)).body)
  const before = await order()
  assert.equal(before.length, 3)
  const { body } = await owner.get(issues, list)
  assert.match(body, /data-sort-list="issue"/)
  assert.match(body, new RegExp(`formaction="${issues}/${three.iid}/reorder" name="move_`))
  assert.doesNotMatch((await reader.get(issues, list)).body, /data-sort-list/)

  const back = `${issues}?order_by=relative_position&sort=asc`
  const moved = await owner.submit(`${issues}/${three.iid}/reorder`, { move_before_id: String(one.id), back })
  assert.deepEqual([moved.status, moved.headers.location], [303, back])
  await owner.submit(`${issues}/${two.iid}/reorder`, { move_after_id: String(three.id), move_before_id: String(one.id), position: '1' })
  assert.deepEqual(await order(), ['Three', 'Two', 'One'])
  assert.equal((await reader.submit(`${issues}/${three.iid}/reorder`, { move_after_id: String(one.id) })).status, 403)
  assert.equal((await owner.submit(`${issues}/${three.iid}/reorder`, {})).status, 400)
})

test('a new issue of a group, or of one’s own, begins with the choice of its project', async () => {
  const { group } = await scene.group({ owner: owner.person, visibility: 'public' })
  const inGroup = (attributes: object) => scene.project({ owner: owner.person, group, visibility: 'public', ...attributes })
  const { project: one } = await inGroup({ path: 'choose-one' })
  const { project: two } = await inGroup({ path: 'choose-two' })
  const { project: without } = await inGroup({ path: 'choose-none', issues_access_level: 'disabled' })
  const { project: elsewhere } = await scene.project({ owner: owner.person })
  const link = ({ full_path }: { full_path: string }) => `href="/${full_path}/-/issues/new"`
  const page = `/groups/${group.full_path}/-/issues`
  const offered = async (who: typeof owner, url: string) => {
    const { status, body } = await who.get(url)
    assert.equal(status, 200)
    return [one, two, without, elsewhere].map(project => body.includes(link(project)))
  }

  assert.ok((await owner.get(page)).body.includes(`href="${page}/new"`))
  assert.ok(!(await scene.anonymous.get(`${scene.url}${page}`)).body.includes(`href="${page}/new"`))
  assert.deepEqual(await offered(owner, `${page}/new`), [true, true, false, false])
  assert.ok((await owner.get(`${page}/new`)).body.includes(`${group.full_path} / </span>${one.name}</a>`))
  assert.deepEqual(await offered(owner, `${page}/new?search=choose-two`), [false, true, false, false])
  assert.ok((await owner.get('/dashboard/issues')).body.includes('href="/dashboard/issues/new"'))
  assert.deepEqual(await offered(owner, '/dashboard/issues/new'), [true, true, false, true])
  assert.deepEqual(await offered(reader, '/dashboard/issues/new'), [false, false, false, false])
})

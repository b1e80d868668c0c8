import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../../test/scene.ts'
import { recordQueries } from '../../../platform/db/statements/statements.ts'

const scene = await openScene()
const { db } = scene.deps.database

test('a project counts its issues by state, confidential ones separately, through all changes', async () => {
  const { project, owner } = await scene.project()
  const { project: target } = await scene.project({ owner })
  const make = async (confidential: boolean) => (await owner.post(`${project.url}/issues`, { title: 'Shed', confidential })).body.iid
  const issue = (iid: number) => `${project.url}/issues/${iid}`
  const [closed, secret, shown, reopened, moved, gone] = await Promise.all([false, true, true, false, false, true].map(make))
  await owner.put(issue(closed), { state_event: 'close' })
  await owner.put(issue(secret), { state_event: 'close' })
  await owner.put(issue(shown), { state_event: 'close', confidential: false })
  await owner.put(issue(reopened), { state_event: 'close' })
  await owner.put(issue(reopened), { state_event: 'reopen', confidential: true })
  await owner.post(`${issue(moved)}/move`, { to_project_id: target.id })
  await owner.put(issue(gone), { state_event: 'close' })
  await owner.delete(issue(gone))

  const { rows } = await sql`
    select p.open_issues_count, p.closed_issues_count, p.confidential_open_issues_count, p.confidential_closed_issues_count,
           count(*) filter (where state = 'opened')::int as open, count(*) filter (where state = 'closed')::int as closed,
           count(*) filter (where state = 'opened' and confidential)::int as secretly_open,
           count(*) filter (where state = 'closed' and confidential)::int as secretly_closed
      from projects p join issues on issues.project_id = p.id where p.id in (${project.id}, ${target.id}) group by p.id order by p.id`.execute(
    db,
  )
  assert.deepEqual(
    rows.map(row => Object.values(row as object)),
    [
      [1, 4, 1, 1, 1, 4, 1, 1],
      [1, 0, 0, 0, 1, 0, 0, 0],
    ],
  )
})

test('a list of more than 10,000 visible issues has no totals (decisions 3 and 34)', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project } = await scene.project({ group, owner, visibility: 'public' })
  await sql`
    insert into issues (iid, project_id, author_id, title, state, closed_at, confidential)
    select n, ${project.id}, ${owner.id}, 'Old ' || n, 'closed', timestamptz '2021-01-01', n = 1 from generate_series(1, 10001) n`.execute(
    db,
  )
  await sql`insert into iid_counters (project_id, noun, value) values (${project.id}, 'issue', 10001)`.execute(db)
  await sql`update projects set closed_issues_count = 10001, confidential_closed_issues_count = 1 where id = ${project.id}`.execute(db)
  const outsider = await scene.user()
  const places = [`${project.url}/issues?`, `${group.url}/issues?`, '/issues?scope=all&']
  const ask = (who: typeof owner, query: string) => Promise.all(places.map(place => who.get(`${place}per_page=1&${query}`)))
  const totals = async (who: typeof owner, query: string) => (await ask(who, query)).map(answer => answer.headers['x-total'])

  assert.deepEqual(await totals(outsider, 'state=closed'), ['10000', '10000', '10000'])
  assert.deepEqual(await totals(owner, 'state=closed'), [undefined, undefined, undefined])
  assert.deepEqual(await totals(outsider, 'state=opened'), await totals(owner, 'state=opened'))

  await owner.post(`${project.url}/issues`, { title: 'New' })
  await owner.put(`${project.url}/issues/10002`, { state_event: 'close' })
  // Injected: statements of a request that came by the network are in no recording.
  const injected = (place: string) =>
    scene.app.inject({
      url: `/api/v4${place}per_page=1&sort=asc&page=10001&state=closed`,
      headers: { 'private-token': outsider.token },
    })
  const { result, queries } = await recordQueries(() => Promise.all(places.map(injected)))
  assert.deepEqual(
    result.map(answer => [answer.headers['x-total'], answer.headers['x-next-page'], answer.json()[0].title]),
    places.map(() => [undefined, '', 'New']),
  )
  assert.ok(queries.length > places.length)
  assert.deepEqual(
    queries.filter(query => query.sql.includes('count(*)')),
    [],
    'what projects count of themselves tells that there are too many',
  )
})

/** Concurrent creation of issues, batched into few statements. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'
import { findActingUser } from '../../../../platform/access/credentials/credentials.ts'
import { foreignKeyViolation } from '../../../../platform/db/errors.ts'
import { recordStatements } from '../../../../platform/db/statements/statements.ts'
import { systemContext } from '../../../../platform/kernel/context.ts'
import { visibleProject } from '../../../../spaces/projects/queries.ts'
import { createIssueInOneStatement } from './create.ts'

const scene = await openScene()
const { pool, db } = scene.deps.database

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('concurrent creations take few statements, and each issue has its own author', async () => {
  const { project, owner, developer, guest } = await scene.project({ members: ['developer', 'guest'] })
  const people = [owner, developer, guest]
  const asked = upTo(36).map(n => ({ n, by: people[n % 3]!, confidential: n % 4 === 0, agent: `Example/${n}` }))

  const { result: made, statements } = await recordStatements(() =>
    Promise.all(
      asked.map(async ({ n, by, confidential, agent }) => {
        const answer = await scene.app.inject({
          method: 'POST',
          url: `/api/v4${project.url}/issues`,
          headers: { 'private-token': by.token, 'user-agent': agent },
          payload: { title: `Issue ${n}`, confidential, description: n % 2 ? '- [x] done' : null },
        })
        assert.equal(answer.statusCode, 201, answer.body)
        return answer.json()
      }),
    ),
  )

  const inserts = statements.filter(statement => statement.includes('insert into "issues"')).length
  assert.ok(inserts < 18, `${inserts} statements for 36 issues`)
  const facts = made.map(({ title, author, confidential, subscribed, task_completion_status: { count } }) => ({
    title,
    author: author.username,
    confidential,
    subscribed,
    count,
  }))
  assert.deepEqual(
    facts,
    asked.map(({ n, by, confidential }) => ({ title: `Issue ${n}`, author: by.username, confidential, subscribed: true, count: n % 2 })),
  )
  assert.deepEqual(
    made.map(({ iid }) => iid).sort((a, b) => a - b),
    upTo(36),
  )
  const { rows } = await pool.query(
    `select issues.title, issues.author_id, events.actor_id, feed_entries.author_id as feed_author, user_agent
       from issues join issue_user_agents on issue_user_agents.issue_id = issues.id
            join events on events.kind = 'issue.created' and events.payload = jsonb_build_object('issue_id', issues.id)
            join feed_entries on target_type = 'issue' and target_id = issues.id and action = 'created'
      where issues.project_id = $1 and events.project_id = $1 and feed_entries.project_id = $1 order by substr(title, 7)::integer`,
    [project.id],
  )
  assert.deepEqual(
    rows,
    asked.map(({ n, by: { id }, agent }) => ({ title: `Issue ${n}`, author_id: id, actor_id: id, feed_author: id, user_agent: agent })),
  )
  assert.equal((await owner.get(project.url)).body.open_issues_count, 36)
  assert.equal((await scene.root.get(`${project.url}/issues?confidential=true`)).body.length, 9)
})

test('each issue of a batch has its own labels and assignees, if any, with their side effects', async () => {
  const { project, owner, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const names = ['high', 'oak', 'wood']
  const people = [developer.id, reporter.id].toSorted((a, b) => a - b)
  for (const [priority, name] of names.entries()) await owner.post(`${project.url}/labels`, { name, color: '#112233', priority })
  const asked = upTo(16).map(n => ({
    title: `Issue ${n}`,
    labels: names.filter((_, index) => (n >> index) % 2 === 1),
    assignee_ids: people.slice(0, n % 3),
  }))

  const made = await Promise.all(asked.map(async issue => (await owner.post(`${project.url}/issues`, issue)).body))

  assert.deepEqual(
    made.map(({ title, labels, assignees }) => ({ title, labels, assignee_ids: assignees.map(({ id }: { id: number }) => id) })),
    asked,
  )
  for (const { iid, labels } of made) {
    const { body } = await owner.get(`${project.url}/issues/${iid}/resource_label_events`)
    const added = body.map((event: { label: { name: string }; user: { id: number } }) => `${event.label.name} by ${event.user.id}`)
    assert.deepEqual(
      added,
      labels.map((name: string) => `${name} by ${owner.id}`),
    )
  }
  const todos = (await reporter.get('/todos?per_page=50')).body.map(
    ({ target, action_name, author }: { target: { title: string }; action_name: string; author: { id: number } }) =>
      `${target.title}: ${action_name} by ${author.id}`,
  )
  const assigned = asked.filter(({ assignee_ids }) => assignee_ids.includes(reporter.id))
  assert.deepEqual(todos.toSorted(), assigned.map(({ title }) => `${title}: assigned by ${owner.id}`).toSorted())
  const { rows } = await pool.query('select title, label_priority from issues where project_id = $1', [project.id])
  const priorities = new Map(rows.map(({ title, label_priority }) => [title, label_priority]))
  for (const { title, labels } of asked)
    assert.equal(priorities.get(title), labels[0] === undefined ? null : names.indexOf(labels[0]), title)
})

test('each event of a batch is delivered to hooks', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/hooks`, { url: 'http://hooks.example.com/', issues_events: true })

  await Promise.all(upTo(12).map(n => owner.post(`${project.url}/issues`, { title: `Issue ${n}` })))

  const { rows } = await pool.query(
    `select count(distinct events.id)::integer as events, count(*)::integer as jobs
       from events join graphile_worker._private_jobs on _private_jobs.payload ->> 'event_id' = events.id::text
      where project_id = $1 and kind = 'issue.created'`,
    [project.id],
  )
  assert.deepEqual(rows, [{ events: 12, jobs: 12 }])
})

test('an issue that cannot be inserted takes no number and does not fail the others', async () => {
  const { project, owner } = await scene.project()
  const user = await findActingUser(db, owner.username)
  const ctx = systemContext(scene.deps, db, { user, credential: undefined, sudoBy: undefined })
  const place = (await visibleProject(db, ctx.actor, String(project.id)))!
  const nobody = 2 ** 40

  const ended = await Promise.allSettled(
    upTo(12).map(n => createIssueInOneStatement(ctx, place, { title: `Issue ${n}`, ...(n === 7 && { author_id: nobody }) })),
  )

  const failed = ended.flatMap((end, index) => (end.status === 'rejected' ? [[index + 1, foreignKeyViolation(end.reason)]] : []))
  assert.deepEqual(failed, [[7, 'issues_author_id_fkey']])
  const made = (await owner.get(`${project.url}/issues?per_page=50&sort=asc`)).body
  assert.deepEqual(
    made.map(({ iid }: { iid: number }) => iid),
    upTo(11),
  )
  assert.equal((await owner.get(project.url)).body.open_issues_count, 11)
})

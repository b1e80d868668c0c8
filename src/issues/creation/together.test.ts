/** Issues that are made at the same time, several by one statement (issue 4 "Speed and cost", "Bad input"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { findActingUser } from '../../access/credentials.ts'
import { foreignKeyViolation } from '../../db/errors.ts'
import { recordStatements } from '../../db/statements.ts'
import { outsideRequest } from '../../kernel/context.ts'
import { visibleProject } from '../../projects/queries.ts'
import { createIssueAtOnce } from './create.ts'

const scene = await openScene()
const { pool, db } = scene.deps.database

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('issues that several people make at the same time are made by few statements, and each is its author’s own', async () => {
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
    `select issues.title, issues.author_id, events.actor_id, feed_entries.author_id as told_of, user_agent
       from issues join issue_user_agents on issue_user_agents.issue_id = issues.id
            join events on events.kind = 'issue.created' and events.payload = jsonb_build_object('issue_id', issues.id)
            join feed_entries on target_type = 'issue' and target_id = issues.id and action = 'created'
      where issues.project_id = $1 and events.project_id = $1 and feed_entries.project_id = $1 order by substr(title, 7)::integer`,
    [project.id],
  )
  assert.deepEqual(
    rows,
    asked.map(({ n, by: { id }, agent }) => ({ title: `Issue ${n}`, author_id: id, actor_id: id, told_of: id, user_agent: agent })),
  )
  assert.equal((await owner.get(project.url)).body.open_issues_count, 36)
  assert.equal((await scene.root.get(`${project.url}/issues?confidential=true`)).body.length, 9)
})

test('each event of issues that are made at the same time is delivered where a hook watches', async () => {
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

test('an issue that cannot be written takes neither a number nor the others with it', async () => {
  const { project, owner } = await scene.project()
  const user = await findActingUser(db, owner.username)
  const ctx = outsideRequest(scene.deps, db, { user, credential: undefined, sudoBy: undefined })
  const place = (await visibleProject(db, ctx.actor, String(project.id)))!
  const nobody = 2 ** 40

  const ended = await Promise.allSettled(
    upTo(12).map(n => createIssueAtOnce(ctx, place, { title: `Issue ${n}`, ...(n === 7 && { author_id: nobody }) })),
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

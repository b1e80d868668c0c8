/** The number of statements that creating an issue takes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'
import { recordStatements } from '../../../../platform/db/statements/statements.ts'

const scene = await openScene()
// Fixed, so that a slow run does not cross the interval after which a token's last use is recorded again.
scene.setTime(new Date().toISOString())

/** The statements of a request, and its response. */
async function asked(token: string, url: string, payload: object) {
  const headers = { 'private-token': token }
  const ask = async (sent: object) => scene.app.inject({ method: 'POST', url: `/api/v4${url}`, headers, payload: sent })
  // The first use of a token is recorded by a statement of its own.
  await ask({ title: 'Begin' })
  const { result, statements } = await recordStatements(() => ask(payload))
  return { answer: result, statements }
}

test('an issue is created by one statement, besides those that load the caller and the project and flush the WAL', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })

  const { answer, statements } = await asked(developer.token, `${project.url}/issues`, {
    title: 'Paint it',
    description: '- [ ] sand\n- [x] paint',
  })

  assert.equal(answer.statusCode, 201)
  const { author, subscribed, task_completion_status } = answer.json()
  assert.deepEqual(
    { author: author.username, subscribed, task_completion_status },
    { author: developer.username, subscribed: true, task_completion_status: { count: 2, completed_count: 1 } },
  )
  assert.equal(statements.length, 4, statements.join('\n'))
  assert.equal(statements.filter(statement => statement.includes('insert into "issues"')).length, 1)
})

test('existing labels and assignees are written by the same statement', async () => {
  const { project, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  for (const name of ['oak', 'wood']) await developer.post(`${project.url}/labels`, { name, color: '#112233' })

  const { answer, statements } = await asked(developer.token, `${project.url}/issues`, {
    title: 'Paint it',
    labels: 'wood,oak',
    assignee_ids: [reporter.id],
  })

  const { labels, assignees, subscribed } = answer.json()
  assert.deepEqual([labels, assignees[0].username, subscribed], [['oak', 'wood'], reporter.username, true])
  assert.deepEqual(
    statements.filter(statement => /\binsert\b|^(begin|commit)/.test(statement)).map(statement => statement.slice(0, 13)),
    ['with "number"'],
  )
})

test('input that takes several statements is written in one transaction: new labels, mentions, quick actions and long texts', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  for (const more of [
    { labels: 'wood' },
    { description: `For @${developer.username}` },
    { description: 'So\n/due 2030-01-01' },
    { description: 'So '.repeat(7_000) },
  ]) {
    const { answer, statements } = await asked(developer.token, `${project.url}/issues`, { title: 'Paint it', ...more })

    assert.equal(answer.statusCode, 201, answer.body)
    const ends = statements.filter(statement => /^(begin|commit)/.test(statement))
    assert.equal(ends.length, 2, statements.join('\n'))
  }
})

test('the event of an issue created by one statement is delivered once: people may get mail about it, and hooks hear of it', async () => {
  const { project, owner } = await scene.project()
  const jobs = async () => {
    const { rows } = await scene.deps.database.pool.query(
      "select payload ->> 'event_id' as id from graphile_worker._private_jobs where payload ->> 'event_id' in (select id::text from events where project_id = $1 and kind = 'issue.created')",
      [project.id],
    )
    return rows.length
  }
  await owner.post(`${project.url}/issues`, { title: 'Nobody watches' })
  assert.equal(await jobs(), 1)
  await owner.post(`${project.url}/hooks`, { url: 'http://hooks.example.com/', issues_events: true })

  await owner.post(`${project.url}/issues`, { title: 'A hook does' })

  assert.equal(await jobs(), 2)
})

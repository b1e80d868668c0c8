/**
 * The floor of making an issue: a bare handler that reads the body and writes the same rows in one durable transaction
 * of one statement. It asks nobody who they are, and looks for nothing.
 */
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { serveFloor } from './serve.ts'

export interface IssueCreation {
  readonly databaseUrl: string
  readonly poolSize: number
  readonly projectId: number
  readonly authorId: number
}

const statement = `
  with number as (
    insert into iid_counters (project_id, noun, value) values ($1, 'issue', 1)
    on conflict (project_id, noun) do update set value = iid_counters.value + 1 returning value),
  issue as (
    insert into issues (project_id, author_id, iid, title, description) select $1, $2, value, $3, $4 from number returning *),
  sender as (insert into issue_user_agents (issue_id, user_agent, ip_address) select id, '', '127.0.0.1' from issue),
  event_row as (
    insert into events (kind, payload, actor_id, project_id) select 'issue.created', jsonb_build_object('issue_id', id), $2, $1 from issue),
  feed_row as (
    insert into feed_entries (project_id, author_id, action, target_type, target_id)
    select $1, $2, 'created', 'issue', id from issue),
  counted as (update projects set open_issues_count = open_issues_count + 1 where id = $1)
  select * from issue`

await serveFloor<IssueCreation>(async ({ databaseUrl, poolSize, projectId, authorId }) => {
  const { pool } = await openDatabase({ url: databaseUrl, poolSize, log: pino({ level: 'error' }) })
  async function create(body: string): Promise<string> {
    const { title, description } = JSON.parse(body) as { title: string; description: string }
    const { rows } = await pool.query({ name: 'create', text: statement, values: [projectId, authorId, title, description] })
    return JSON.stringify(rows[0])
  }
  return (request, response) => {
    text(request)
      .then(create)
      .then(
        issue => response.writeHead(201, { 'content-type': 'application/json' }).end(issue),
        error => response.writeHead(500).end(String(error)),
      )
  }
})

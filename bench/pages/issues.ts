/** Issues to look at: a list, one with some notes, and one with very many. */
import { sql } from 'kysely'
import type { Database } from '../../src/platform/db/connection.ts'
import { call } from '../api.ts'
import type { RunningIngot } from '../ingot.ts'

/** Issues of the list; the first two have notes. */
const LISTED = 30
export const SOME_NOTES = 50
export const MANY_NOTES = 2_000

/** A note as people write them: a list, code, names. */
const noteOf = (number: number): string =>
  `Note ${number}: as **said** in #${(number % LISTED) + 1}, see \`module-${number}.ts\` and @root.\n\n- [ ] look at ~bug\n- [x] done\n\n\`\`\`ts\nexport const value = ${number}\n\`\`\``

/** Makes the issues of a project. */
export async function makeIssues(ingot: RunningIngot, { db }: Database, projectId: number): Promise<void> {
  const api = `/projects/${projectId}`
  for (const name of ['bug', 'docs', 'ui']) await call(ingot, 'POST', `${api}/labels`, { name, color: '#d73a4a' })
  for (let number = 1; number <= LISTED; number++)
    await call(ingot, 'POST', `${api}/issues`, {
      title: `Mend part ${number}`,
      description: noteOf(number),
      labels: ['bug', 'docs', 'ui'].slice(0, (number % 3) + 1).join(','),
    })
  for (const iid of [1, 2])
    for (let number = 0; number < SOME_NOTES; number++) await call(ingot, 'POST', `${api}/issues/${iid}/notes`, { body: noteOf(number) })
  // The others are copies of those: thousands of requests would take longer than all measurements.
  await sql`insert into notes (issue_id, author_id, body, discussion_id, created_at, updated_at)
    select n.issue_id, n.author_id, n.body || ' ' || copy, md5(n.id || '-' || copy) || left(md5(copy::text), 8),
           n.created_at + copy * interval '1 second', n.updated_at + copy * interval '1 second'
      from notes n join issues i on i.id = n.issue_id, generate_series(1, ${MANY_NOTES / SOME_NOTES - 1}) copy
     where i.project_id = ${projectId} and i.iid = 2 and n.action is null`.execute(db)
  await sql`update issues set user_notes_count = ${MANY_NOTES} where project_id = ${projectId} and iid = 2`.execute(db)
  await sql`analyze notes`.execute(db)
}

/** How many open issues a project has, kept by whoever opens and closes them. */
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

/** What of an issue the counts depend on. */
export interface Counted {
  readonly state: string
  readonly confidential: boolean
}

const weightOf = (issue: Counted | undefined) => ({
  open: issue?.state === 'opened' ? 1 : 0,
  confidential: issue?.state === 'opened' && issue.confidential ? 1 : 0,
})

/**
 * Counts an issue that was `before` and is `after` now; undefined where there was none or is none any more. Late in a
 * transaction: others wait for the project's row.
 */
export async function countIssue(db: Db, projectId: number, before: Counted | undefined, after: Counted | undefined): Promise<void> {
  const [old, now] = [weightOf(before), weightOf(after)]
  const change = { open: now.open - old.open, confidential: now.confidential - old.confidential }
  if (change.open !== 0 || change.confidential !== 0) await counting(db, projectId, change).execute()
}

/** Counts new issues, which are open, some of them confidential; a statement, or a part of the one that inserts them. */
export const countingNewIssues = (db: Db, projectId: number, open: number, confidential: number) =>
  counting(db, projectId, { open, confidential })

const counting = (db: Db, projectId: number, { open, confidential }: ReturnType<typeof weightOf>) =>
  db
    .updateTable('projects')
    .set({
      open_issues_count: sql`open_issues_count + ${open}`,
      confidential_open_issues_count: sql`confidential_open_issues_count + ${confidential}`,
    })
    .where('id', '=', projectId)

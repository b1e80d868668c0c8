/** The counts of open and closed issues of a project, maintained by the commands that open and close them. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'

/** The facts of an issue that the counts depend on. */
export interface Counted {
  readonly state: string
  readonly confidential: boolean
}

const columns = ['open_issues_count', 'closed_issues_count', 'confidential_open_issues_count', 'confidential_closed_issues_count'] as const
type Column = (typeof columns)[number]

/** The counts of a project. */
export type IssueCounts = { readonly [K in Column]: number }

/** The counts as columns of the project `projects`. */
export const issueCounts = sql.join(columns.map(name => sql.ref(`projects.${name}`)))

const weightOf = (issue: Counted | undefined, change: number): IssueCounts => {
  const one = (state: string, isSecret = false) => (issue?.state === state && (issue.confidential || !isSecret) ? change : 0)
  return {
    open_issues_count: one('opened'),
    closed_issues_count: one('closed'),
    confidential_open_issues_count: one('opened', true),
    confidential_closed_issues_count: one('closed', true),
  }
}

/**
 * Updates the counts for an issue that was `before` and is `after` now; undefined if it did not exist, or no longer exists. Called late in
 * a transaction: others wait for the project's row.
 */
export async function countIssue(db: Db, projectId: number, before: Counted | undefined, after: Counted | undefined): Promise<void> {
  const [gone, come] = [weightOf(before, -1), weightOf(after, 1)]
  const changes = Object.fromEntries(columns.map(name => [name, gone[name] + come[name]] as const).filter(([, change]) => change !== 0))
  if (Object.keys(changes).length > 0) await counting(db, projectId, changes).execute()
}

/** Counts new open issues, some of them confidential; a statement, or a part of the one that inserts them. */
export const countingNewIssues = (db: Db, projectId: number, open: number, confidential: number) =>
  counting(db, projectId, { open_issues_count: open, confidential_open_issues_count: confidential })

const counting = (db: Db, projectId: number, changes: Partial<IssueCounts>) =>
  db
    .updateTable('projects')
    .set(Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, sql`${sql.ref(name)} + ${change}`])))
    .where('id', '=', projectId)

/** The counted kinds of a list of issues in a state; other words are not counted. */
const kindsIn: { readonly [state: string]: readonly ('open' | 'closed')[] } = {
  opened: ['open'],
  closed: ['closed'],
  all: ['open', 'closed'],
}

/** The number of issues in this state, or `all`, that are not confidential. */
export const openlyCounted = (project: IssueCounts, state: string): number =>
  (kindsIn[state] ?? []).reduce((sum, kind) => sum + project[`${kind}_issues_count`] - project[`confidential_${kind}_issues_count`], 0)

/** The same as SQL, for the project `projects`. */
export const openlyCountedOf = (state: string): RawBuilder<number> =>
  (kindsIn[state] ?? []).reduce(
    (sum, kind) => sql`${sum} + ${sql.ref(`projects.${kind}_issues_count`)} - ${sql.ref(`projects.confidential_${kind}_issues_count`)}`,
    sql<number>`0`,
  )

/** Counts the issues of an archive, which all come together. */
export async function countIssues(db: Db, projectId: number, counts: IssueCounts): Promise<void> {
  await counting(db, projectId, counts).execute()
}

/** A list of issues as a CSV file: those of its filters, in the columns of the platform's export. */
import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { Issue } from '../../../planning/issues/entity.ts'
import { listGroupIssues, listProjectIssues } from '../../../planning/issues/lists/endpoints.ts'
import { type IssueList, issues } from '../../../planning/issues/queries.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { contentDisposition } from '../../../platform/kernel/answer/disposition.ts'
import { presentAll } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type ByteAnswer, bytes, type Endpoint, endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { readAs } from '../../../platform/pages/answers.ts'
import { pages } from '../../../platform/pages/dialect.ts'
import { inGroupPage } from '../../../spaces/groups/pages/scope.ts'
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import { wireOf } from '../../items/listing.ts'

/** Issues that are read at a time. */
const AT_A_TIME = 500

/** The JSON of an issue, as far as a row has it. */
interface Exported {
  readonly iid: number
  readonly web_url: string
  readonly title: string
  readonly state: string
  readonly description: string | null
  readonly author: { readonly name: string; readonly username: string }
  readonly assignees: readonly { readonly name: string; readonly username: string }[]
  readonly confidential: boolean
  readonly discussion_locked: boolean | null
  readonly due_date: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly closed_at: string | null
  readonly milestone: { readonly title: string } | null
  readonly weight?: number | null
  readonly labels: readonly string[]
  readonly time_stats: { readonly time_estimate: number; readonly total_time_spent: number }
  readonly epic?: { readonly iid: number; readonly title: string } | null
}

const yesOrNo = (is: boolean | null): string => (is ? 'Yes' : 'No')

/** `2021-06-01 12:00:00`, in UTC. */
const moment = (at: string | Date | null): string => (at === null ? '' : new Date(at).toISOString().slice(0, 19).replace('T', ' '))

const all = (texts: readonly string[]): string => texts.join(', ')

/** The columns of the platform's export, in its order (public documentation at 14.0). */
const columns: readonly (readonly [head: string, value: (issue: Exported) => string | number])[] = [
  ['Issue ID', ({ iid }) => iid],
  ['URL', ({ web_url }) => web_url],
  ['Title', ({ title }) => title],
  ['State', ({ state }) => (state === 'closed' ? 'Closed' : 'Open')],
  ['Description', ({ description }) => description ?? ''],
  ['Author', ({ author }) => author.name],
  ['Author Username', ({ author }) => author.username],
  ['Assignee', ({ assignees }) => all(assignees.map(({ name }) => name))],
  ['Assignee Username', ({ assignees }) => all(assignees.map(({ username }) => username))],
  ['Confidential', ({ confidential }) => yesOrNo(confidential)],
  ['Locked', ({ discussion_locked }) => yesOrNo(discussion_locked)],
  ['Due Date', ({ due_date }) => due_date ?? ''],
  ['Created At (UTC)', ({ created_at }) => moment(created_at)],
  ['Updated At (UTC)', ({ updated_at }) => moment(updated_at)],
  ['Closed At (UTC)', ({ closed_at }) => moment(closed_at)],
  ['Milestone', ({ milestone }) => milestone?.title ?? ''],
  ['Weight', ({ weight }) => weight ?? ''],
  ['Labels', ({ labels }) => labels.join(',')],
  ['Time Estimate', ({ time_stats }) => time_stats.time_estimate],
  ['Time Spent', ({ time_stats }) => time_stats.total_time_spent],
  ['Epic ID', ({ epic }) => epic?.iid ?? ''],
  ['Epic Title', ({ epic }) => epic?.title ?? ''],
]

/** Rows as text. What a spreadsheet would calculate (`=`, `+`, `-`, `@` at the beginning) gets an apostrophe before it. */
const rowsOf = (rows: readonly (readonly (string | number)[])[]): string =>
  stringify(rows as (string | number)[][], { escape_formulas: true, record_delimiter: 'windows' })

async function* csvOf(ctx: Context, list: IssueList, askedIn: string): AsyncGenerator<string> {
  yield rowsOf([columns.map(([head]) => head)])
  // The ids first: what is created or moved meanwhile neither repeats a row nor hides one.
  const found = (await list.unordered.select('issues.id').orderBy('issues.id', 'desc').execute()) as unknown as readonly { id: number }[]
  for (let at = 0; at < found.length; at += AT_A_TIME) {
    const ids = found.slice(at, at + AT_A_TIME).map(({ id }) => id)
    const rows = await issues(ctx.db, askedIn).where('issues.id', '=', anyOf(ids)).orderBy('issues.id', 'desc').execute()
    const shown = (await presentAll(Issue, ctx, rows)) as unknown as readonly Exported[]
    yield rowsOf(shown.map(issue => columns.map(([, value]) => value(issue))))
  }
}

/** Answers the issues of a list, with the filters of the address. */
async function exported(ctx: Context, list: Endpoint, place: { readonly full_path: string }): Promise<ByteAnswer> {
  const params = readAs(ctx, list, wireOf(ctx.request.address))
  const found = (await list.run({ ...ctx, params } as never)) as IssueList
  const name = `${place.full_path.replaceAll('/', '_')}_issues_${ctx.now.toISOString().slice(0, 10)}.csv`
  return {
    body: Readable.from(csvOf(ctx, found, place.full_path), { objectMode: false }),
    headers: { 'content-disposition': contentDisposition('attachment', name) },
  }
}

const CSV = 'text/csv; charset=utf-8'

export const exportProject = endpoint({
  route: 'GET /:project_path/-/issues/export',
  summary: 'Download the issues of a project as CSV, with the filters of their list',
  scope: inProjectPage,
  can: 'read_issue',
  dialect: pages,
  answers: bytes(CSV),
  run: ctx => exported(ctx, listProjectIssues, ctx.project),
})

export const exportGroup = endpoint({
  route: 'GET /groups/:group_path/-/issues/export',
  summary: 'Download the issues of a group’s projects as CSV, with the filters of their list',
  scope: inGroupPage,
  can: 'read_group',
  dialect: pages,
  answers: bytes(CSV),
  run: ctx => exported(ctx, listGroupIssues, ctx.group),
})

/** Issues, and what hangs on them, by the addresses of their pages. */
import { type NoteableIssue, noteableIssue } from '../../planning/issues/item_kind/noteable.ts'
import type { IssueRow } from '../../planning/issues/queries.ts'
import { findIssue, isOwnIssue } from '../../planning/issues/scope.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'

/** The path of every page of an issue. */
export const ISSUE = '/:project_path/-/issues/:issue_iid'

/** `:issue_iid` becomes an issue of the project that this actor may see, or 404. */
export const inIssuePage = within(inProjectPage, {
  name: 'inIssuePage',
  path: { issue_iid: integer('Number of an issue within its project') },
  async load(ctx, { issue_iid }) {
    const issue = await findIssue(ctx, ctx.project, issue_iid)
    return { issue, isOwn: isOwnIssue(issue, ctx.actor.user?.id), noteable: noteableIssue(ctx, ctx.project, issue) }
  },
  subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
})

/** What the scope of an issue's page gives. */
export interface InIssue {
  readonly project: ProjectWithRole
  readonly issue: IssueRow
  readonly isOwn: boolean
  readonly noteable: NoteableIssue
}

interface Addressed {
  readonly project: { readonly full_path: string }
  readonly issue: { readonly iid: number }
}

/** The path of an issue's page. Pure. */
export const issuePath = ({ project, issue }: Addressed, rest = ''): string => projectPath(project, `/-/issues/${issue.iid}${rest}`)

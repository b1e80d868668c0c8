/** Links between issues (issue links API at 14.0). */
import Type from 'typebox'
import { endpoint, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { type Scope, within } from '../../../platform/kernel/declaration/scope.ts'
import { integer, OneOf, text } from '../../../platform/kernel/declaration/types.ts'
import type { IssueRow } from '../queries.ts'
import { inIssue } from '../scope.ts'
import { findLink, linkIssues, linkSeenFrom, unlinkIssues } from './commands.ts'
import { IssueLink, LinkedIssue } from './entity.ts'
import { linkedIssues, linkTypes } from './queries.ts'

/** `:issue_link_id` is resolved to a link of the issue, or 404. */
export const inIssueLinkOf = <S extends { readonly issue: IssueRow }>(outer: Scope<S>) =>
  within(outer, {
    name: `${outer.name}Link`,
    path: { issue_link_id: integer('ID of a link') },
    load: async (ctx, { issue_link_id }) => ({ link: await findLink(ctx, ctx.issue, issue_link_id) }),
  })

const inIssueLink = inIssueLinkOf(inIssue)

export const listLinks = endpoint({
  route: 'GET /projects/:id/issues/:issue_iid/links',
  summary: 'List the issues linked to an issue',
  scope: inIssue,
  can: 'read_issue',
  answers: pageOf(LinkedIssue),
  run: ({ db, actor, project, issue }) => linkedIssues(db, actor, issue.id, project.full_path),
})

export const createLink = endpoint({
  route: 'POST /projects/:id/issues/:issue_iid/links',
  summary: 'Link an issue to another one',
  scope: inIssue,
  can: 'admin_issue',
  params: {
    target_project_id: text('ID or full path of the other issue’s project', { minLength: 1, examples: ['1'] }),
    target_issue_iid: integer('Number of the other issue within its project', { examples: [2] }),
    link_type: Type.Optional(OneOf(linkTypes, { description: 'Relation of the issue to the other one' })),
  },
  answers: one(IssueLink),
  errors: ['conflict'],
  run: ctx => linkIssues(ctx, ctx.issue, ctx.params),
})

export const getLink = endpoint({
  route: 'GET /projects/:id/issues/:issue_iid/links/:issue_link_id',
  summary: 'Get a link between two issues',
  scope: inIssueLink,
  can: 'read_issue',
  answers: one(IssueLink),
  run: ctx => linkSeenFrom(ctx, ctx.issue, ctx.link),
})

export const deleteLink = endpoint({
  route: 'DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id',
  summary: 'Delete a link between two issues',
  scope: inIssueLink,
  can: 'admin_issue',
  // Contract: the response is the deleted link, with 200 (issue links API).
  answers: one(IssueLink),
  run: ctx => unlinkIssues(ctx, ctx.issue, ctx.link),
})

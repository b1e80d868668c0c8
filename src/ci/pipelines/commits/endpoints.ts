/** Commits with their newest pipeline (commits API at 14.0). The other endpoints of commits are in code/repository/commits. */
import { pushing } from '../../../code/protected_branches/collaboration.ts'
import { actionParams, completeActions, fileActions, MAX_BODY } from '../../../code/repository/commits/actions.ts'
import * as commands from '../../../code/repository/commits/commands.ts'
import type { CommitRow } from '../../../code/repository/commits/entity.ts'
import { fetchForeignStart } from '../../../code/repository/commits/foreign_start.ts'
import { inCommit } from '../../../code/repository/commits/scope.ts'
import { inRepository } from '../../../code/repository/scope.ts'
import { choice } from '../../../platform/kernel/answer/entity.ts'
import { endpoint, one } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { exclusive } from '../../../platform/kernel/request/params.ts'
import { CommitDetail, CommitSummary } from './entity.ts'

const alone = choice<CommitRow>([CommitDetail, CommitSummary], (_facts, { stats }) => (stats === false ? CommitSummary : CommitDetail))
const stats = flag('Count changed lines', { default: true })

export const getCommit = endpoint({
  route: 'GET /projects/:id/repository/commits/:sha',
  cost: 'walk',
  summary: 'Get a commit',
  scope: inCommit,
  can: 'read_code',
  params: { stats },
  answers: one(alone),
  run: ({ commit }) => commit,
})

export const createCommit = endpoint({
  route: 'POST /projects/:id/repository/commits',
  summary: 'Create a commit from changes to files',
  scope: pushing(inRepository),
  can: 'push_to_branch',
  cost: 'walk', // Of the `last_commit_id` of actions, and of what `start_project` brings.
  writes: 'own',
  bodyLimit: MAX_BODY,
  params: {
    branch: text('Name of the branch', { minLength: 1, maxLength: 255, examples: ['main'] }),
    commit_message: text('Message of the commit', { minLength: 1, examples: ['Change a file'] }),
    actions: actionParams,
    start_branch: optional(text('The branch to begin at', { minLength: 1, maxLength: 255 })),
    start_sha: optional(text('The commit to begin at')),
    start_project: optional(text('ID or path of the project that `start_branch` or `start_sha` is in')),
    author_email: optional(text('Email address of the author', { maxLength: 255 })),
    author_name: optional(text('Name of the author', { maxLength: 255 })),
    stats,
    force: optional(flag('Move the branch even if commits are lost')),
  },
  rules: [exclusive('start_branch', 'start_sha'), completeActions],
  answers: one(alone),
  run: async ctx => {
    const start_sha = await fetchForeignStart(ctx, ctx.project, ctx.params)
    const start = start_sha === undefined ? {} : { start_sha, start_branch: undefined }
    return commands.createCommit(ctx, ctx.project, { ...ctx.params, ...start, actions: fileActions(ctx.params.actions) })
  },
})

/** Commits with their newest pipeline (commits API at 14.0). The other endpoints of commits are in code/repository/commits. */
import Type from 'typebox'
import { pushing } from '../../../code/protected_branches/collaboration.ts'
import { actionParams, completeActions, fileActions, MAX_BODY } from '../../../code/repository/commits/actions.ts'
import * as commands from '../../../code/repository/commits/commands.ts'
import type { CommitRow } from '../../../code/repository/commits/entity.ts'
import { fetchForeignStart } from '../../../code/repository/commits/foreign_start.ts'
import { inCommit } from '../../../code/repository/commits/scope.ts'
import { inRepository } from '../../../code/repository/scope.ts'
import { choice } from '../../../platform/kernel/answer/entity.ts'
import { endpoint, one } from '../../../platform/kernel/endpoint.ts'
import { exclusive } from '../../../platform/kernel/request/params.ts'
import { CommitDetail, CommitSummary } from './entity.ts'

const alone = choice<CommitRow>([CommitDetail, CommitSummary], (_facts, { stats }) => (stats === false ? CommitSummary : CommitDetail))
const stats = Type.Boolean({ default: true, description: 'Count changed lines' })

export const getCommit = endpoint({
  route: 'GET /projects/:id/repository/commits/:sha',
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
  writes: 'own',
  bodyLimit: MAX_BODY,
  params: {
    branch: Type.String({ minLength: 1, maxLength: 255, examples: ['main'] }),
    commit_message: Type.String({ minLength: 1, examples: ['Change a file'] }),
    actions: actionParams,
    start_branch: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'The branch to begin at' })),
    start_sha: Type.Optional(Type.String({ description: 'The commit to begin at' })),
    start_project: Type.Optional(Type.String({ description: 'ID or path of the project that `start_branch` or `start_sha` is in' })),
    author_email: Type.Optional(Type.String({ maxLength: 255 })),
    author_name: Type.Optional(Type.String({ maxLength: 255 })),
    stats,
    force: Type.Optional(Type.Boolean({ description: 'Move the branch even if commits are lost' })),
  },
  rules: [exclusive('start_branch', 'start_sha'), completeActions],
  answers: one(alone),
  run: async ctx => {
    const start_sha = await fetchForeignStart(ctx, ctx.project, ctx.params)
    const start = start_sha === undefined ? {} : { start_sha, start_branch: undefined }
    return commands.createCommit(ctx, ctx.project, { ...ctx.params, ...start, actions: fileActions(ctx.params.actions) })
  },
})

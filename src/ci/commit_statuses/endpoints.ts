/** Statuses of commits (commits API at 14.0). */
import Type from 'typebox'
import { inCommit } from '../../code/repository/commits/scope.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/endpoint.ts'
import { OneOf } from '../../platform/kernel/types.ts'
import { WebAddress } from '../../platform/kernel/web_address.ts'
import { reportedStates, reportStatus } from './commands.ts'
import { CommitStatus } from './entity.ts'
import { statusesOf } from './queries.ts'

const text = (description: string, maxLength = 255) => Type.Optional(Type.String({ maxLength, description }))

export const listCommitStatuses = endpoint({
  route: 'GET /projects/:id/repository/commits/:sha/statuses',
  summary: 'List the statuses of a commit',
  scope: inCommit,
  can: 'read_commit_status',
  params: {
    ref: text('Only of pipelines of this branch or tag'),
    stage: text('Only of this stage'),
    name: text('Only of this name'),
    all: Type.Optional(Type.Boolean({ description: 'Those that others have replaced, too' })),
  },
  answers: pageOf(CommitStatus),
  run: ({ db, project, commit, params }) => statusesOf(db, project.id, commit.commit.id, params),
})

export const setCommitStatus = endpoint({
  route: 'POST /projects/:id/statuses/:sha',
  summary: 'Report the status of a commit',
  scope: inCommit,
  can: 'create_commit_status',
  params: {
    state: OneOf(reportedStates, { examples: ['running'] }),
    ref: text('A branch or tag; that of the newest pipeline unless given'),
    name: text('What tells it from other statuses; `default` unless given'),
    context: text('Another name of `name`'),
    target_url: Type.Optional(WebAddress({ maxLength: 255, description: 'Where to find out more: an HTTP address' })),
    description: text('What it is about'),
    coverage: Type.Optional(Type.Number({ description: 'Of the code by its tests, in percent' })),
    pipeline_id: Type.Optional(Type.Integer({ description: 'The pipeline that it belongs to, where the commit has several' })),
  },
  answers: one(CommitStatus),
  run: ctx => reportStatus(ctx, ctx.project, ctx.commit, ctx.params),
})

/** Statuses of commits (commits API at 14.0). */
import Type from 'typebox'
import { inCommit } from '../../code/repository/commits/scope.ts'
import { allows } from '../../platform/access/abilities.ts'
import { WebAddress } from '../../platform/kernel/addresses/web_address.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, integer, number, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { reportedStates, reportStatus } from './commands.ts'
import { CommitStatus } from './entity.ts'
import { statusesOf } from './queries.ts'

const optionalText = (description: string, maxLength = 255) => optional(text(description, { maxLength }))

export const listCommitStatuses = endpoint({
  route: 'GET /projects/:id/repository/commits/:sha/statuses',
  summary: 'List the statuses of a commit',
  scope: inCommit,
  can: 'read_commit_status',
  params: {
    ref: optionalText('Only of pipelines of this branch or tag'),
    stage: optionalText('Only of this stage'),
    name: optionalText('Only of this name'),
    all: optional(flag('Those that others have replaced, too')),
  },
  answers: pageOf(CommitStatus),
  run({ db, actor, project, commit, params }) {
    const withJobs = allows(actor, 'read_job', projectSubject(project)) === 'yes'
    return statusesOf(db, project.id, commit.commit.id, { ...params, withJobs })
  },
})

export const setCommitStatus = endpoint({
  route: 'POST /projects/:id/statuses/:sha',
  summary: 'Report the status of a commit',
  scope: inCommit,
  can: 'create_commit_status',
  params: {
    state: OneOf(reportedStates, { description: 'State of the status', examples: ['running'] }),
    ref: optionalText('A branch or tag; that of the newest pipeline unless given'),
    name: optionalText('What tells it from other statuses; `default` unless given'),
    context: optionalText('Another name of `name`'),
    target_url: Type.Optional(WebAddress({ maxLength: 255, description: 'Where to find out more: an HTTP address' })),
    description: optionalText('What it is about'),
    coverage: optional(number('Of the code by its tests, in percent')),
    pipeline_id: optional(integer('The pipeline that it belongs to, where the commit has several')),
  },
  answers: one(CommitStatus),
  run: ctx => reportStatus(ctx, ctx.project, ctx.commit, ctx.params),
})

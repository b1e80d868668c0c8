/** Runners, for the users who manage them (runners API at 14.0). */
import Type from 'typebox'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { CommaList, flag, integer, OneOf, optional } from '../../platform/kernel/declaration/types.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { attributes } from './attributes.ts'
import * as commands from './commands.ts'
import { Runner, RunnerInFull } from './entity.ts'
import { allRunners, managedRunners, runnerFilterStatuses, runnersOfGroup, runnersOfProject } from './queries.ts'
import { RegisteredRunner } from './registered.ts'
import { inManagedRunner, inProjectRunner, inRunner } from './scope.ts'

const types = ['instance_type', 'group_type', 'project_type'] as const

const filters = {
  type: optional(OneOf(types, { description: 'Only runners of this type' })),
  status: optional(OneOf(runnerFilterStatuses, { description: 'Only runners with this status' })),
  paused: optional(flag('Whether the runner takes no jobs')),
  tag_list: Type.Optional(CommaList(Type.String(), { description: 'They have all of these tags' })),
}

const scopeFilter = Type.Optional(
  OneOf(['active', 'paused', 'online', 'offline'], { description: 'Older form of `status`', deprecated: true }),
)

export const listOwnRunners = endpoint({
  route: 'GET /runners',
  summary: 'List the runners of the projects and groups that you manage',
  scope: inInstance,
  can: 'use_instance',
  params: { ...filters, scope: scopeFilter },
  answers: pageOf(Runner),
  run: ({ db, actor, params, now }) => managedRunners(db, actor, params, now),
})

export const listAllRunners = endpoint({
  route: 'GET /runners/all',
  summary: 'List all runners of the instance',
  scope: inInstance,
  can: 'admin_instance',
  params: {
    ...filters,
    scope: Type.Optional(
      OneOf(['active', 'paused', 'online', 'offline', 'specific', 'shared'], {
        description: 'Older form of `type` and `status`',
        deprecated: true,
      }),
    ),
  },
  answers: pageOf(Runner),
  run: ({ db, params, now }) => allRunners(db, params, now),
})

export const getRunner = endpoint({
  route: 'GET /runners/:id',
  summary: 'Get a runner',
  scope: inRunner,
  can: 'use_instance',
  answers: one(RunnerInFull),
  run: ({ runner }) => runner,
})

export const updateRunner = endpoint({
  route: 'PUT /runners/:id',
  summary: 'Change a runner',
  scope: inManagedRunner,
  can: 'use_instance',
  params: attributes,
  answers: one(RunnerInFull),
  run: ctx => commands.updateRunner(ctx, ctx.runner, ctx.params),
})

export const removeRunner = endpoint({
  route: 'DELETE /runners/:id',
  summary: 'Remove a runner',
  scope: inManagedRunner,
  can: 'use_instance',
  answers: nothing,
  run: ctx => commands.removeManagedRunner(ctx, ctx.runner),
})

export const resetRunnerToken = endpoint({
  route: 'POST /runners/:id/reset_authentication_token',
  summary: 'Give a runner another token',
  scope: inManagedRunner,
  can: 'use_instance',
  answers: one(RegisteredRunner),
  run: ctx => commands.resetManagedToken(ctx, ctx.runner),
})

export const createOwnRunner = endpoint({
  route: 'POST /user/runners',
  summary: 'Create a runner, whose token is to be handed over to it',
  scope: inInstance,
  can: 'use_instance',
  params: {
    runner_type: OneOf(types, {
      description: 'Whom the runner serves: `instance_type`, `group_type` or `project_type`',
      examples: ['instance_type'],
    }),
    group_id: optional(integer('Of a runner of a group')),
    project_id: optional(integer('Of a runner of a project')),
    ...attributes,
  },
  answers: one(RegisteredRunner),
  run: ctx => commands.createRunnerFor(ctx, ctx.params),
})

export const listProjectRunners = endpoint({
  route: 'GET /projects/:id/runners',
  summary: 'List the runners that a project can use',
  scope: inProject,
  can: 'read_project_runners',
  params: { ...filters, scope: scopeFilter },
  answers: pageOf(Runner),
  run: ({ db, project, params, now }) => runnersOfProject(db, project, params, now),
})

export const enableProjectRunner = endpoint({
  route: 'POST /projects/:id/runners',
  summary: 'Give a runner of another project to a project',
  scope: inProject,
  can: 'admin_project_runners',
  params: { runner_id: integer('ID of the runner', { examples: [1] }) },
  answers: one(Runner),
  run: ctx => commands.enableRunnerById(ctx, ctx.project.id, ctx.params.runner_id),
})

export const disableProjectRunner = endpoint({
  route: 'DELETE /projects/:id/runners/:runner_id',
  summary: 'Take a runner from a project',
  scope: inProjectRunner,
  can: 'admin_project_runners',
  answers: nothing,
  run: ctx => commands.disableRunner(ctx, ctx.project.id, ctx.runner),
})

export const listGroupRunners = endpoint({
  route: 'GET /groups/:id/runners',
  summary: 'List the runners that a group can use',
  scope: inGroup,
  can: 'admin_group_runners',
  params: filters,
  answers: pageOf(Runner),
  run: ({ db, group, params, now }) => runnersOfGroup(db, group, params, now),
})

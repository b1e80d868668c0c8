/** Linting CI files (CI lint API at 14.0). */

import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { Lint, ProjectLint } from './entity.ts'
import { lintForProject, lintProject, lintText } from './queries.ts'

const content = text('The CI file', { examples: ['test: {script: make}'] })
const include_jobs = optional(flag('Tell of the jobs that there would be', { default: false }))

const simulation = {
  dry_run: optional(flag('Decide as for a pipeline, instead of only checking what is written', { default: false })),
  ref: optional(
    text(
      'With `dry_run`: the branch or tag; the default branch unless given. CI/CD variables count where the caller may run the file on it',
    ),
  ),
  include_jobs,
}

export const lintCiFile = endpoint({
  route: 'POST /ci/lint',
  summary: 'Check a CI file that belongs to no project',
  scope: inInstance,
  can: 'use_instance',
  // A file may have thousands of jobs.
  cost: 'heavy',
  params: {
    content,
    include_merged_yaml: optional(flag('Return everything in one file', { default: false })),
    include_jobs,
  },
  answers: one(Lint, 200),
  // Nothing is written, and other servers may be asked: no transaction waits for them.
  writes: 'own',
  run: ctx => lintText(ctx, ctx.params.content, ctx.params),
})

export const lintOwnCiFile = endpoint({
  route: 'GET /projects/:id/ci/lint',
  summary: 'Check the CI file of a project',
  scope: inProject,
  can: 'lint_ci',
  cost: 'heavy',
  params: simulation,
  answers: one(ProjectLint),
  run: ctx => lintProject(ctx, ctx.project, ctx.params),
})

export const lintCiFileForProject = endpoint({
  route: 'POST /projects/:id/ci/lint',
  summary: 'Check a text as the CI file of a project',
  scope: inProject,
  can: 'lint_ci',
  cost: 'heavy',
  params: { content, ...simulation },
  answers: one(ProjectLint, 200),
  writes: 'own',
  run: ctx => lintForProject(ctx, ctx.project, ctx.params.content, ctx.params),
})

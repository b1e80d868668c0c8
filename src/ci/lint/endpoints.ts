/** Linting CI files (CI lint API at 14.0). */

import { createHash } from 'node:crypto'
import { root } from '../../platform/kernel/declaration/dialect.ts'
import { bytes, endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { jsonSchema } from '../config/index.ts'
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

/** The address of the JSON schema of CI files, for editors. */
export const SCHEMA_PATH = '/-/ci/schema.json'

let schema: { readonly body: string; readonly digest: string } | undefined

function ciSchema() {
  if (schema) return schema
  const body = JSON.stringify(jsonSchema())
  schema = { body, digest: createHash('sha256').update(body).digest('base64url').slice(0, 16) }
  return schema
}

/** The address of the schema as it is: browsers may keep what it answers. */
export const schemaAddress = (): string => `${SCHEMA_PATH}?v=${ciSchema().digest}`

export const getCiSchema = endpoint({
  route: `GET ${SCHEMA_PATH}`,
  summary: 'Get the JSON schema of CI files, for editors',
  scope: inInstance,
  can: 'read_instance',
  dialect: root,
  counted: false,
  params: { v: optional(text('The version that the client knows: what answers it may be kept', { maxLength: 64 })) },
  answers: bytes('application/schema+json'),
  errors: ['not_modified'],
  run({ params }) {
    const { body, digest } = ciSchema()
    const cache = params.v === digest ? 'public, max-age=31536000, immutable' : 'public, no-cache'
    return { body, etag: digest, headers: { 'cache-control': cache } }
  },
})

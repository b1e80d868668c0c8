/** Imports of repositories from GitHub's API (import API at 14.0). */

import Type from 'typebox'
import { assertImportSource } from '../../platform/application_settings/import_sources.ts'
import { rest } from '../../platform/kernel/declaration/dialect.ts'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { requestGithubImport } from './commands.ts'
import { ImportedRepository } from './entity.ts'

// Contract: refusals have their reason as `errors` (import API at 14.0).
const dialect = {
  ...rest,
  name: 'github_imports',
  refusalBody: Type.Object({
    errors: optional(text('Why it is not imported')),
    message: optional(Type.Unknown({ description: 'What is wrong with a parameter' })),
    error: optional(text('What is wrong with the request or the token')),
  }),
}

export const importGithub = endpoint({
  route: 'POST /import/github',
  summary: 'Import a repository from GitHub with its issues and pull requests, in the background',
  scope: inInstance,
  can: 'use_instance',
  dialect,
  params: {
    personal_access_token: text('Token of GitHub that may read the repository', {
      minLength: 1,
      maxLength: 512,
      examples: ['token-of-github'],
    }),
    repo_id: integer('ID of the repository there', { minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] }),
    new_name: optional(text('Name and path of the new project; those of the repository unless given', { minLength: 1, maxLength: 255 })),
    target_namespace: text('Full path of the group or personal namespace that it comes into', {
      minLength: 1,
      maxLength: 2_048,
      examples: ['nowhere'],
    }),
    github_hostname: optional(text('Address of a GitHub Enterprise server: http or https; github.com unless given', { maxLength: 2_048 })),
  },
  answers: one(ImportedRepository),
  errors: ['unprocessable'],
  writes: 'own',
  async run(ctx) {
    await ctx.deps.limiter.often('project_import', ctx.actor, ctx.request.ip)
    await assertImportSource(ctx.db, 'github')
    return requestGithubImport(ctx, ctx.params)
  },
})

/** Changelogs (repositories API at 14.0). */
import Type, { type TProperties } from 'typebox'
import { pushing } from '../../code/protected_branches/collaboration.ts'
import { inRepository } from '../../code/repository/scope.ts'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { DateTime, optional, text } from '../../platform/kernel/declaration/types.ts'
import { addChangelog, changelogNotes } from './generate.ts'
import { versionOf } from './versions.ts'

const params = {
  version: text('The version it is for, as in semantic versioning', { maxLength: 255, examples: ['1.0.0'] }),
  from: optional(
    text('The commit after which it begins; the tag of the last release before unless given', { minLength: 1, maxLength: 1024 }),
  ),
  to: optional(text('The last commit of it; the newest of the branch unless given', { minLength: 1, maxLength: 1024 })),
  date: optional(DateTime('When the version was released; now unless given')),
  trailer: text('The trailer of the commits that it names', { default: 'Changelog', maxLength: 255, pattern: '^[A-Za-z0-9-]+$' }),
} satisfies TProperties

const isVersion = {
  says: 'version is a semantic version',
  check: ({ version }: Readonly<Record<string, unknown>>) =>
    typeof version === 'string' && versionOf(version) === undefined ? { version: ['is invalid'] } : undefined,
}

const Changelog = plain('Changelog', Type.Object({ notes: text('The section of the version, in Markdown') }))

export const getChangelog = endpoint({
  route: 'GET /projects/:id/repository/changelog',
  summary: 'Make the changelog of a version, without committing it',
  scope: inRepository,
  can: 'read_code',
  cost: 'heavy',
  params,
  rules: [isVersion],
  answers: one(Changelog),
  errors: ['unprocessable'],
  run: async ctx => ({ notes: await changelogNotes(ctx, ctx.project, ctx.repository, ctx.params) }),
})

export const addToChangelog = endpoint({
  route: 'POST /projects/:id/repository/changelog',
  summary: 'Make the changelog of a version, and commit it to a file',
  scope: pushing(inRepository),
  can: 'push_to_branch',
  cost: 'heavy',
  writes: 'own',
  params: {
    ...params,
    branch: optional(text('The branch to commit to; the default one unless given', { minLength: 1, maxLength: 255 })),
    file: text('The file that the changelog is in', { default: 'CHANGELOG.md', minLength: 1, maxLength: 4096 }),
    message: optional(text('Message of the commit', { minLength: 1, maxLength: 10_000 })),
  },
  rules: [isVersion],
  // Contract: 200 without a body (repositories API).
  answers: { kind: 'nothing', status: 200 },
  errors: ['unprocessable'],
  run: ctx => addChangelog(ctx, ctx.project, ctx.repository, ctx.params),
})

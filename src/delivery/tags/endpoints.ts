/** Tags (tags API at 14.0). */
import { Signature } from '../../code/repository/commits/signature_entity.ts'
import { judgeSignatures } from '../../code/repository/commits/signatures.ts'
import { inRepository } from '../../code/repository/scope.ts'
import * as commands from '../../code/repository/tags/commands.ts'
import type { TagRow } from '../../code/repository/tags/queries.ts'
import { inTag } from '../../code/repository/tags/scope.ts'
import { listTags, readTag } from '../../platform/git/index.ts'
import { slicesOf } from '../../platform/kernel/answer/page.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { removeTag } from './commands.ts'
import { Tag } from './entity.ts'

export const listRepositoryTags = endpoint({
  route: 'GET /projects/:id/repository/tags',
  summary: 'List the tags of a repository',
  scope: inRepository,
  can: 'read_code',
  cost: 'walk',
  params: {
    order_by: OneOf(['name', 'updated'], { description: 'What the list is ordered by', default: 'updated' }),
    sort: OneOf(['asc', 'desc'], { description: '`asc` or `desc`', default: 'desc' }),
    search: optional(text('Part of the name; `^x` for names that begin with x, `x$` for those that end so')),
  },
  answers: pageOf(Tag),
  run: async ({ project, repository, params }) => {
    if (!repository) return slicesOf<TagRow>([])
    const tags = await listTags(repository, { search: params.search, order: params.order_by, sort: params.sort })
    return slicesOf(tags.map(tag => ({ ...tag, project, repository })))
  },
})

export const getTag = endpoint({
  route: 'GET /projects/:id/repository/tags/:tag_name',
  summary: 'Get a tag',
  scope: inTag,
  can: 'read_code',
  answers: one(Tag),
  run: ({ tag }) => tag,
})

export const getTagSignature = endpoint({
  route: 'GET /projects/:id/repository/tags/:tag_name/signature',
  summary: 'Get the signature of an annotated tag',
  scope: inTag,
  can: 'read_code',
  answers: one(Signature),
  run: async ctx => {
    const { repository, tag } = ctx
    const tagger = (await readTag(repository, tag.target))?.tagger
    const asked = tagger ? [{ id: tag.target, email: tagger.email, date: tagger.date }] : []
    const signature = (await judgeSignatures(ctx, repository, asked)).get(tag.target)
    if (!signature) throw notFound('Signature')
    return signature
  },
})

export const createTag = endpoint({
  route: 'POST /projects/:id/repository/tags',
  summary: 'Create a tag',
  scope: inRepository,
  can: 'push_code',
  writes: 'own',
  params: {
    tag_name: text('Name of the tag', { minLength: 1, maxLength: 255, examples: ['v1.0.0'] }),
    ref: text('The branch, tag or commit to name', { minLength: 1, maxLength: 255, examples: ['main'] }),
    message: optional(text('Makes it an annotated tag', { maxLength: 1_048_576 })),
  },
  answers: one(Tag),
  run: ctx => commands.createTag(ctx, ctx.project, ctx.repository, ctx.params),
})

export const deleteTag = endpoint({
  route: 'DELETE /projects/:id/repository/tags/:tag_name',
  summary: 'Delete a tag',
  scope: inTag,
  can: 'push_code',
  writes: 'own',
  answers: nothing,
  run: ctx => removeTag(ctx, ctx.project, ctx.tag),
})

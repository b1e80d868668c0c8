/** Protected tags (protected tags API at 14.0). */

import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { AccessLevel, AllowedList } from '../protected_branches/params.ts'
import * as commands from './commands.ts'
import { ProtectedTag } from './entity.ts'
import { protectedTags } from './queries.ts'
import { inProtectedTag } from './scope.ts'

export const listProtectedTags = endpoint({
  route: 'GET /projects/:id/protected_tags',
  summary: 'List the protected tags and patterns of a project',
  scope: inProject,
  can: 'admin_protected_tags',
  answers: pageOf(ProtectedTag),
  run: ({ db, project }) => protectedTags(db, project.id),
})

export const getProtectedTag = endpoint({
  route: 'GET /projects/:id/protected_tags/:name',
  summary: 'Get a protected tag or pattern',
  scope: inProtectedTag,
  can: 'admin_protected_tags',
  answers: one(ProtectedTag),
  run: ({ protectedTag }) => protectedTag,
})

export const protectTag = endpoint({
  route: 'POST /projects/:id/protected_tags',
  summary: 'Protect a tag, or all tags of a pattern',
  scope: inProject,
  can: 'admin_protected_tags',
  params: {
    name: text('A tag, or a pattern with `*`', { minLength: 1, maxLength: 255, examples: ['v*'] }),
    create_access_level: AccessLevel([0, 30, 40]),
    allowed_to_create: AllowedList(),
  },
  answers: one(ProtectedTag),
  errors: ['unprocessable'],
  run: ctx => commands.protectTag(ctx, ctx.project, ctx.params),
})

export const unprotectTag = endpoint({
  route: 'DELETE /projects/:id/protected_tags/:name',
  summary: 'Remove the protection of a tag or pattern',
  scope: inProtectedTag,
  can: 'admin_protected_tags',
  answers: nothing,
  run: ctx => commands.unprotectTag(ctx, ctx.project, ctx.protectedTag),
})

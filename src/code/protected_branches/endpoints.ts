/** Protected branches (protected branches API at 14.0). */
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, onTier, optional, text } from '../../platform/kernel/declaration/types.ts'
import { atLeastOne } from '../../platform/kernel/request/params.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import * as commands from './commands.ts'
import { ProtectedBranch } from './entity.ts'
import { LevelChanges } from './level_changes.ts'
import { AccessLevel, AllowedList } from './params.ts'
import { protectedBranchesMatching } from './queries.ts'
import { inProtectedBranch } from './scope.ts'

export const listProtectedBranches = endpoint({
  route: 'GET /projects/:id/protected_branches',
  summary: 'List the protected branches and patterns of a project',
  scope: inProject,
  can: 'admin_protected_branches',
  params: { search: optional(text('Part of the name')) },
  answers: pageOf(ProtectedBranch),
  run: ({ db, project, params }) => protectedBranchesMatching(db, project.id, params.search),
})

export const getProtectedBranch = endpoint({
  route: 'GET /projects/:id/protected_branches/:name',
  summary: 'Get a protected branch or pattern',
  scope: inProtectedBranch,
  can: 'admin_protected_branches',
  answers: one(ProtectedBranch),
  run: ({ protectedBranch }) => protectedBranch,
})

export const protectBranch = endpoint({
  route: 'POST /projects/:id/protected_branches',
  summary: 'Protect a branch, or all branches of a pattern',
  scope: inProject,
  can: 'admin_protected_branches',
  params: {
    name: text('A branch, or a pattern with `*`', { minLength: 1, maxLength: 255, examples: ['release-*'] }),
    push_access_level: AccessLevel([0, 30, 40, 60]),
    merge_access_level: AccessLevel([0, 30, 40, 60]),
    unprotect_access_level: onTier('premium', AccessLevel([30, 40, 60])),
    allowed_to_push: AllowedList(),
    allowed_to_merge: AllowedList(),
    allowed_to_unprotect: AllowedList(),
    allow_force_push: optional(flag('Users who may push may force-push')),
    code_owner_approval_required: onTier('premium', optional(flag('Whether code owners must approve'))),
  },
  answers: one(ProtectedBranch),
  errors: ['conflict', 'unprocessable'],
  run: ctx => commands.protectBranch(ctx, ctx.project, ctx.params),
})

export const updateProtectedBranch = endpoint({
  route: 'PATCH /projects/:id/protected_branches/:name',
  summary: 'Change a protection',
  scope: inProtectedBranch,
  can: 'admin_protected_branches',
  tier: 'premium',
  // Contract: levels are changed like this since release 15 (protected branches API).
  params: {
    allowed_to_push: optional(LevelChanges([0, 30, 40, 60])),
    allowed_to_merge: optional(LevelChanges([0, 30, 40, 60])),
    allowed_to_unprotect: optional(LevelChanges([30, 40, 60])),
    code_owner_approval_required: optional(flag('Whether code owners must approve')),
    allow_force_push: optional(flag('Users who may push may force-push')),
  },
  rules: [atLeastOne('code_owner_approval_required', 'allow_force_push', 'allowed_to_push', 'allowed_to_merge', 'allowed_to_unprotect')],
  answers: one(ProtectedBranch),
  errors: ['unprocessable'],
  run: ctx => commands.updateProtection(ctx, ctx.project, ctx.protectedBranch, ctx.params),
})

export const unprotectBranch = endpoint({
  route: 'DELETE /projects/:id/protected_branches/:name',
  summary: 'Remove the protection of a branch or pattern',
  scope: inProtectedBranch,
  can: 'admin_protected_branches',
  answers: nothing,
  run: ctx => commands.unprotectBranch(ctx, ctx.project, ctx.protectedBranch),
})

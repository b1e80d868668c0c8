/** Branches (branches API at 14.0). */
import Type from 'typebox'
import { listBranches } from '../../../platform/git/index.ts'
import { plain } from '../../../platform/kernel/answer/entity.ts'
import { slicesOf } from '../../../platform/kernel/answer/page.ts'
import { endpoint, nothing, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { protectByFlags, unprotectByName } from '../../protected_branches/by_flags.ts'
import { inRepository } from '../scope.ts'
import * as commands from './commands.ts'
import { Branch, type BranchRow } from './entity.ts'
import { inBranch } from './scope.ts'

const orders = {
  name_asc: { order: 'name', sort: 'asc' },
  updated_asc: { order: 'updated', sort: 'asc' },
  updated_desc: { order: 'updated', sort: 'desc' },
} as const

export const listRepositoryBranches = endpoint({
  route: 'GET /projects/:id/repository/branches',
  cost: 'walk',
  summary: 'List the branches of a repository',
  scope: inRepository,
  can: 'read_code',
  params: {
    search: optional(text('Part of the name; `^x` for names that begin with x, `x$` for names that end with x')),
    sort: optional(OneOf(['name_asc', 'updated_asc', 'updated_desc'], { description: 'Order of the list' })),
  },
  answers: pageOf(Branch),
  run: async ({ project, repository, params }) => {
    if (!repository) return slicesOf<BranchRow>([])
    const branches = await listBranches(repository, { search: params.search, ...orders[params.sort ?? 'name_asc'] })
    return slicesOf(branches.map(branch => ({ ...branch, project, repository })))
  },
})

export const getBranch = endpoint({
  route: 'GET /projects/:id/repository/branches/:branch',
  summary: 'Get a branch',
  scope: inBranch,
  can: 'read_code',
  answers: one(Branch),
  run: ({ branch }) => branch,
})

export const createBranch = endpoint({
  route: 'POST /projects/:id/repository/branches',
  summary: 'Create a branch',
  scope: inRepository,
  can: 'push_code',
  writes: 'own',
  params: {
    branch: text('Its name', { minLength: 1, maxLength: 255, examples: ['feature'] }),
    ref: text('The branch, tag or commit to start from', { minLength: 1, maxLength: 255, examples: ['main'] }),
  },
  answers: one(Branch),
  run: ctx => commands.createBranch(ctx, ctx.project, ctx.repository, ctx.params),
})

export const deleteBranch = endpoint({
  route: 'DELETE /projects/:id/repository/branches/:branch',
  summary: 'Delete a branch',
  scope: inBranch,
  can: 'push_code',
  writes: 'own',
  answers: nothing,
  run: ctx => commands.deleteBranch(ctx, ctx.branch),
})

const Accepted = plain('Accepted', Type.Object({ message: text('What happens') }))

export const deleteMergedBranches = endpoint({
  route: 'DELETE /projects/:id/repository/merged_branches',
  summary: 'Delete the branches that the default branch contains, except protected ones',
  scope: inRepository,
  can: 'push_code',
  writes: 'own',
  // Contract: 202 with a message (branches API, 14.0).
  answers: one(Accepted, 202),
  run: async ctx => {
    await commands.deleteMergedBranches(ctx, ctx.project, ctx.repository)
    return { message: '202 Accepted' }
  },
})

// Contract: older forms of POST and DELETE …/protected_branches; a repetition is 200 (branches API).
export const protectRepositoryBranch = endpoint({
  route: 'PUT /projects/:id/repository/branches/:branch/protect',
  summary: 'Protect a branch',
  scope: inBranch,
  can: 'admin_protected_branches',
  params: {
    developers_can_push: optional(flag('Whether Developers may push')),
    developers_can_merge: optional(flag('Whether Developers may merge')),
  },
  answers: one(Branch),
  run: async ctx => {
    await protectByFlags(ctx, ctx.project, ctx.branch.name, ctx.params)
    return ctx.branch
  },
})

export const unprotectRepositoryBranch = endpoint({
  route: 'PUT /projects/:id/repository/branches/:branch/unprotect',
  summary: 'Remove the protection of a branch',
  scope: inBranch,
  can: 'admin_protected_branches',
  answers: one(Branch),
  run: async ctx => {
    await unprotectByName(ctx, ctx.project, ctx.branch.name)
    return ctx.branch
  },
})

/** Members of groups and projects (members API of the v4 level 14.0): the same declarations for both. */
import Type, { type TProperties } from 'typebox'
import { inUserById } from '../../identity/users/scope.ts'
import { type Ability, allows, type Role } from '../../platform/access/abilities.ts'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { CommaList, Day, Nullable, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { projectAllowing } from '../projects/scope.ts'
import { admitMember, admitMembers, changeMember, removeMember } from './commands.ts'
import { Member, MemberOrAdditions, Membership } from './entity.ts'
import { importMembers } from './import.ts'
import { allMembersOf, membershipsOfUser, membersOf } from './queries.ts'
import { type InPlace, inAnyMember, inGroupPlace, inMember, inProjectPlace, memberPlaceOfProject } from './scope.ts'

const listParams = {
  query: optional(text('Part of the name or username', { maxLength: 255 })),
  user_ids: Type.Optional(CommaList(Type.Integer(), { maxItems: 1000, description: 'Only these users' })),
  skip_users: Type.Optional(CommaList(Type.Integer(), { maxItems: 1000, description: 'Not these users' })),
} satisfies TProperties

interface Kind<S extends InPlace> {
  readonly noun: 'group' | 'project'
  readonly scope: Scope<S>
  /** Contract: level 50 exists only in groups; owners of a project are those of the group or of the personal namespace. */
  readonly levels: readonly Role[]
  readonly read: Ability
  readonly manage: Ability
  readonly leave: Ability
}

function memberEndpoints<S extends InPlace>({ noun, scope, levels, read, manage, leave }: Kind<S>) {
  const path = `/${noun}s/:id/members` as const
  const inOne = inMember(scope)
  const accessLevel = Type.Unsafe<Role>({ type: 'integer', enum: [...levels], examples: [levels[2]], description: levels.join(', ') })
  const expiresAt = optional(Nullable(Day('The day it ends')))

  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the members of a ${noun}`,
    scope,
    can: read,
    params: listParams,
    answers: pageOf(Member),
    run: ({ db, place, params }) => membersOf(db, place, params),
  })
  const listAll = endpoint({
    route: `GET ${path}/all`,
    summary: `List the members of a ${noun}, those of the groups above included`,
    scope,
    can: read,
    params: listParams,
    answers: pageOf(Member),
    run: ({ db, place, params }) => allMembersOf(db, place, params),
  })
  const get = endpoint({
    route: `GET ${path}/:user_id`,
    summary: `Get a member of a ${noun}`,
    scope: inOne,
    can: read,
    answers: one(Member),
    run: ({ member }) => member,
  })
  const getOfAll = endpoint({
    route: `GET ${path}/all/:user_id`,
    summary: `Get a member of a ${noun} or of the groups above`,
    scope: inAnyMember(scope),
    can: read,
    answers: one(Member),
    run: ({ member }) => member,
  })
  const add = endpoint({
    route: `POST ${path}`,
    summary: `Add members to a ${noun}`,
    scope,
    can: manage,
    params: {
      user_id: Type.Union([Type.Integer(), CommaList(Type.Integer(), { minItems: 1, maxItems: 100 })], {
        description: 'ID of a user, or several with commas',
        examples: [1],
      }),
      access_level: accessLevel,
      expires_at: expiresAt,
    },
    answers: one(MemberOrAdditions),
    errors: ['conflict'],
    run(ctx) {
      const { user_id, ...terms } = ctx.params
      return typeof user_id === 'number' ? admitMember(ctx, ctx.place, { ...terms, user_id }) : admitMembers(ctx, ctx.place, user_id, terms)
    },
  })
  const update = endpoint({
    route: `PUT ${path}/:user_id`,
    summary: `Change the access level or the end of a membership`,
    scope: inOne,
    can: manage,
    params: { access_level: accessLevel, expires_at: expiresAt },
    answers: one(Member),
    run: ctx => changeMember(ctx, ctx.place, ctx.member, ctx.params),
  })
  const remove = endpoint({
    route: `DELETE ${path}/:user_id`,
    summary: `Remove a member from a ${noun}, or leave it oneself`,
    scope: inOne,
    can: leave,
    answers: nothing,
    run: ctx => removeMember(ctx, ctx.place, ctx.member, allows(ctx.actor, manage, inOne.subject(ctx)) === 'yes'),
  })
  return [list, listAll, get, getOfAll, add, update, remove] as const
}

export const groupMembers = memberEndpoints({
  noun: 'group',
  scope: inGroupPlace,
  levels: [10, 20, 30, 40, 50],
  read: 'read_group_members',
  manage: 'admin_group_member',
  leave: 'leave_group',
})

export const projectMembers = memberEndpoints({
  noun: 'project',
  scope: inProjectPlace,
  levels: [10, 20, 30, 40],
  read: 'read_project_members',
  manage: 'admin_project_member',
  leave: 'leave_project',
})

export const listUserMemberships = endpoint({
  route: 'GET /users/:id/memberships',
  summary: 'List the memberships of a user',
  scope: inUserById,
  can: 'admin_user',
  params: { type: optional(OneOf(['Project', 'Namespace'], { description: 'Only memberships of this kind' })) },
  answers: pageOf(Membership),
  run: ({ db, user, params }) => membershipsOfUser(db, user.id, params.type),
})

const Imported = plain('ImportedMembers', Type.Object({ status: text('`success`'), message: text('What was done') }))

export const importProjectMembers = endpoint({
  route: 'POST /projects/:id/import_project_members/:project_id',
  summary: 'Make the members of another project members of this one too',
  scope: inProjectPlace,
  can: 'admin_project_member',
  params: { project_id: text('ID or URL-encoded full path of the project whose members are taken over') },
  // Contract: 200, not 201 (projects API).
  answers: one(Imported, 200),
  async run(ctx) {
    const source = await projectAllowing(ctx, ctx.params.project_id, 'read_project_members')
    if (!source) throw notFound('Project')
    await importMembers(ctx, ctx.place, memberPlaceOfProject(source))
    return { status: 'success', message: 'Successfully imported' }
  },
})

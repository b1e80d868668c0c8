/** Invitations by email to groups and projects (invitations API of the v4 level 14.0): the same declarations for both. */
import Type from 'typebox'
import type { Ability, Role } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { CommaList, Day, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import { type InPlace, inGroupPlace, inProjectPlace } from '../members/scope.ts'
import { changeInvitation, invite, removeInvitation } from './commands.ts'
import { ChangedInvitation, Invitation, Invited } from './entity.ts'
import { invitationsOf } from './queries.ts'
import { inInvitation } from './scope.ts'

interface Kind<S extends InPlace> {
  readonly noun: 'group' | 'project'
  readonly scope: Scope<S>
  readonly levels: readonly Role[]
  readonly manage: Ability
}

function invitationEndpoints<S extends InPlace>({ noun, scope, levels, manage }: Kind<S>) {
  const path = `/${noun}s/:id/invitations` as const
  const inOne = inInvitation(scope)
  const accessLevel = Type.Unsafe<Role>({ type: 'integer', enum: [...levels], examples: [levels[2]], description: levels.join(', ') })
  const expiresAt = optional(Nullable(Day('The day the membership ends')))

  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the invitations to a ${noun}`,
    scope,
    can: manage,
    params: { query: optional(text('Part of the address', { maxLength: 255 })) },
    answers: pageOf(Invitation),
    run: ({ db, place, params }) => invitationsOf(db, place.key, params.query),
  })
  const create = endpoint({
    route: `POST ${path}`,
    summary: `Invite people to a ${noun} by email`,
    scope,
    can: manage,
    params: {
      email: CommaList(Type.String({ maxLength: 254 }), {
        minItems: 1,
        maxItems: 100,
        description: 'An address, or several with commas',
        examples: [['ida.invited@example.com']],
      }),
      access_level: accessLevel,
      expires_at: expiresAt,
    },
    answers: one(Invited),
    run(ctx) {
      const { email, ...terms } = ctx.params
      return invite(ctx, ctx.place, email, terms)
    },
  })
  const update = endpoint({
    route: `PUT ${path}/:email`,
    summary: `Change an invitation to a ${noun}`,
    scope: inOne,
    can: manage,
    params: { access_level: Type.Optional(accessLevel), expires_at: expiresAt },
    answers: one(ChangedInvitation),
    run: ctx => changeInvitation(ctx, ctx.place, ctx.invitation, ctx.params),
  })
  const remove = endpoint({
    route: `DELETE ${path}/:email`,
    summary: `Take back an invitation to a ${noun}`,
    scope: inOne,
    can: manage,
    answers: nothing,
    run: ctx => removeInvitation(ctx, ctx.place, ctx.invitation),
  })
  return [list, create, update, remove] as const
}

export const groupInvitations = invitationEndpoints({
  noun: 'group',
  scope: inGroupPlace,
  levels: [10, 20, 30, 40, 50],
  manage: 'admin_group_member',
})

export const projectInvitations = invitationEndpoints({
  noun: 'project',
  scope: inProjectPlace,
  levels: [10, 20, 30, 40],
  manage: 'admin_project_member',
})

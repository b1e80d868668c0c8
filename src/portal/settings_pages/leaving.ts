/** Leaving a project or group as a member of its own. */
import type { Ability } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type MemberPlace, membersOf } from '../../spaces/members/queries.ts'
import { memberPlaceOfGroup, memberPlaceOfProject } from '../../spaces/members/scope.ts'
import { eitherPath, type InEither } from '../places/planning.ts'
import type { ViewSection } from './declaration.ts'

const placeOf = ({ project, group }: InEither): MemberPlace =>
  project ? memberPlaceOfProject(project) : memberPlaceOfGroup(group as NonNullable<typeof group>)

/** The section, for those who are a member of the place itself and not only of a group above. */
export const leaving = <S extends InEither & object>(can: Ability, noun: 'project' | 'group'): ViewSection<S> => ({
  key: 'leave',
  title: `Leave the ${noun}`,
  look: 'danger',
  says: 'You lose what your role here allows. Roles by the groups above stay.',
  can,
  async isShown(ctx: Context & S) {
    const { user } = ctx.actor
    return user !== undefined && (await membersOf(ctx.db, placeOf(ctx), { user_ids: [user.id] }).executeTakeFirst()) !== undefined
  },
  view: ctx =>
    actionButton(ctx, {
      to: eitherPath(ctx, `/-/${noun}_members/${ctx.actor.user?.id}/remove`),
      face: `Leave the ${noun}`,
      look: 'danger',
      asks: `Leave the ${noun}? Others must let you in again.`,
    }),
})

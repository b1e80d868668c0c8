/** Permissions for quick actions, and resolution of their arguments. */
import { sql } from 'kysely'
import { allows } from '../../platform/access/abilities.ts'
import { splitAtReferences } from '../markdown/references.ts'
import { subjectOf } from '../notes/items/noteable.ts'
import type { ItemTypes, Target } from './action.ts'

/** May the actor change the item's text and state? The author of a new item may. */
export const mayUpdate = ({ ctx, writing, noteable }: Target): boolean =>
  noteable === undefined || allows(ctx.actor, writing.can.update, subjectOf(noteable, noteable.isOwn)) === 'yes'

/** May the actor plan with the item: labels, people, dates, time? */
export const mayPlan = <T extends ItemTypes>({ ctx, writing, place }: Target<T>): boolean =>
  allows(ctx.actor, writing.can.plan, writing.subject(place)) === 'yes'

/** Is the actor a user, who can subscribe, react and approve? */
export const isSignedIn = ({ ctx }: Pick<Target, 'ctx'>): boolean => ctx.actor.user !== undefined

/** Like `mayPlan`, for actions of the paid tiers. */
export const onPremium = <T extends ItemTypes>(target: Target<T>): boolean => target.ctx.tier !== 'free' && mayPlan(target)
export const onUltimate = <T extends ItemTypes>(target: Target<T>): boolean => target.ctx.tier === 'ultimate' && mayPlan(target)

/** The names of one kind in an argument, without signs and quotes; words without a sign count, too. */
export function namesIn(argument: string, kind: 'label' | 'milestone' | 'user'): string[] {
  const sign = { label: '~', milestone: '%', user: '@' }[kind]
  return splitAtReferences(argument).flatMap(piece => {
    if (typeof piece === 'string') return [...piece.matchAll(/"([^"]+)"|[^\s,]+/g)].map(([word, quoted]) => quoted ?? word)
    return piece.kind === kind ? [piece.name] : [piece.text.startsWith(sign) ? piece.text.slice(1) : piece.text]
  })
}

/** The ids of the users in an argument; `me` is the actor. */
export async function peopleNamed({ ctx }: Pick<Target, 'ctx'>, argument: string): Promise<number[]> {
  const names = namesIn(argument, 'user').map(name => name.toLowerCase())
  const me = ctx.actor.user
  const found = await ctx.db.selectFrom('users').select('id').where(sql<boolean>`lower(username) = any(${names})`).orderBy('id').execute()
  return [...new Set([...(me && names.includes('me') ? [me.id] : []), ...found.map(({ id }) => id)])]
}

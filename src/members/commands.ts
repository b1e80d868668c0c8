/** Writes of memberships, in groups and projects alike. */
import type { Role } from '../access/abilities.ts'
import { uniqueViolation } from '../db/errors.ts'
import { recordEvent } from '../events/events.ts'
import type { Context } from '../kernel/context.ts'
import { conflict } from '../kernel/errors.ts'

/** A group or project that has members. */
export type Place = { readonly namespace_id: number } | { readonly project_id: number }

const placeOf = (place: Place) => ('project_id' in place ? { projectId: place.project_id } : { namespaceId: place.namespace_id })

/** Makes a user a member; a 409 when they are one already. */
export async function addMember(
  ctx: Context,
  place: Place,
  member: { user_id: number; access_level: Role; expires_at?: string | null | undefined },
): Promise<void> {
  try {
    await ctx.db
      .insertInto('members')
      .values({
        ...place,
        user_id: member.user_id,
        access_level: member.access_level,
        expires_at: member.expires_at ?? null,
        created_by_id: ctx.actor.user?.id ?? null,
        created_at: ctx.now,
        updated_at: ctx.now,
      })
      .execute()
  } catch (error) {
    if (uniqueViolation(error)) throw conflict('Member already exists')
    throw error
  }
  await recordEvent(ctx.db, {
    kind: 'member.added',
    payload: { user_id: member.user_id, access_level: member.access_level },
    actorId: ctx.actor.user?.id,
    ...placeOf(place),
  })
}

/** Writes of access requests. */
import type { Role } from '../../platform/access/abilities.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, invalid, notFound } from '../../platform/kernel/errors.ts'
import { admitMember } from '../members/commands.ts'
import { allMembersOf, type MemberPlace, type MemberRow } from '../members/queries.ts'
import { type AccessRequestRow, accessRequestBy } from './queries.ts'
import { removeAccessRequests } from './removal.ts'

/**
 * Requests membership. 403 where requests are disabled, and for members of the place or of an ancestor group; 400 when there is a request
 * already.
 */
export async function requestAccess(ctx: Context, place: MemberPlace, enabled: boolean): Promise<AccessRequestRow> {
  const { db, actor } = ctx
  const userId = actor.user?.id
  if (userId === undefined || !enabled) throw forbidden()
  if ((await allMembersOf(db, place, { user_ids: [userId] }).execute()).length > 0) throw forbidden()
  await db
    .insertInto('access_requests')
    .values({ ...place.key, user_id: userId, created_at: ctx.now })
    .execute()
    .catch(rethrowSecond)
  await recordEvent(db, { kind: 'access.requested', payload: { user_id: userId }, actorId: userId, ...inPlace(place.key) })
  return (await accessRequestBy(db, place.key, userId)) as AccessRequestRow
}

function rethrowSecond(error: unknown): never {
  if (uniqueViolation(error)) throw invalid({ user_id: ['has already been taken'] })
  throw error
}

/** A request is answered once. @throws notFound another caller was faster */
async function takeRequest(ctx: Context, place: MemberPlace, request: AccessRequestRow): Promise<void> {
  if ((await removeAccessRequests(ctx.db, place.key, [request.id])) === 0) throw notFound('Access Request')
}

/** Makes the requesting user a member; the terms are checked as for any other new member (spaces/members/commands.ts). */
export async function approveAccess(ctx: Context, place: MemberPlace, request: AccessRequestRow, level: Role): Promise<MemberRow> {
  await takeRequest(ctx, place, request)
  return admitMember(ctx, place, { user_id: request.id, access_level: level })
}

/** Denies a request; the requesting user may withdraw it. `manages` says whether the caller may deny those of others. */
export async function denyAccess(ctx: Context, place: MemberPlace, request: AccessRequestRow, manages: boolean): Promise<void> {
  if (!manages && request.id !== ctx.actor.user?.id) throw forbidden()
  await takeRequest(ctx, place, request)
}

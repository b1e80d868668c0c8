/** Which of several users may read epics. */
import { inGroupPlace, type TextPlace } from '../../../collaboration/mentions/text_place.ts'
import { allows, roles } from '../../../platform/access/abilities.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { GroupRow } from '../../../spaces/groups/queries.ts'
import { groupSubject } from '../../../spaces/groups/scope.ts'
import { type AccessLevel, accessLevelsAt, actorOf } from '../../../spaces/members/access_levels.ts'
import { groupPlaceOf } from '../../../spaces/places/places.ts'

/** The users who may read the epics of a group, in the given order; confidential ones from Reporter up. Two statements. */
export async function epicReadersAmong(db: Db, group: GroupRow, userIds: readonly number[], confidential: boolean): Promise<number[]> {
  const place = { ...groupPlaceOf(group), ownerId: null }
  const standings = await accessLevelsAt(db, place, userIds)
  const isReader = (user: AccessLevel): boolean =>
    allows(actorOf(user), 'read_epic', groupSubject({ ...group, role: user.level })) === 'yes' &&
    (!confidential || user.admin || user.level >= roles.reporter)
  return [...new Set(userIds)].filter(id => {
    const user = standings.get(id)
    return user !== undefined && isReader(user)
  })
}

/** The place of an epic's texts, which decides who can be mentioned in them. */
export const epicTextPlace = (
  group: GroupRow,
  epic: { readonly id: number; readonly iid: number; readonly confidential: boolean },
): TextPlace => ({
  ...inGroupPlace(group),
  key: { epic_id: epic.id },
  iid: epic.iid,
  readers: ({ db }, userIds, internal) => epicReadersAmong(db, group, userIds, epic.confidential || internal),
})

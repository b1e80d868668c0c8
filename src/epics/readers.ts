/** Who may know of an epic, asked about people instead of the caller. */
import { roles } from '../access/abilities.ts'
import type { Db } from '../db/connection.ts'
import type { GroupRow } from '../groups/queries.ts'
import { isOpenTo, type Standing, standingsAt } from '../members/standings.ts'
import { groupPlaceOf } from '../planning/places.ts'

/** Those of these people who may read the epics of a group, in the order given; confidential ones from Reporter up. Two statements. */
export async function epicReadersAmong(db: Db, group: GroupRow, userIds: readonly number[], confidential: boolean): Promise<number[]> {
  const place = { ...groupPlaceOf(group), ownerId: null }
  const standings = await standingsAt(db, place, userIds)
  const isReader = (user: Standing): boolean =>
    user.admin || user.level >= (confidential ? roles.reporter : roles.minimal) || (!confidential && isOpenTo(group, user))
  return [...new Set(userIds)].filter(id => {
    const user = standings.get(id)
    return user !== undefined && isReader(user)
  })
}

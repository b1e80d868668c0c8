/** Which of several users may read merge requests. */
import { inProjectPlace, type TextPlace } from '../../../collaboration/mentions/text_place.ts'
import { allows } from '../../../platform/access/abilities.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { accessLevelsIn, actorOf } from '../../../spaces/projects/attributes/access_levels.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'

/**
 * The users among `ids` who may read the merge requests of the project, in the given order. Two statements.
 * @param ability an additional ability: `read_internal_merge_request_note` for an internal note
 */
export async function mergeRequestReadersAmong(
  db: Db,
  project: ProjectRow,
  userIds: readonly number[],
  ability: 'read_merge_request' | 'read_internal_merge_request_note' = 'read_merge_request',
): Promise<number[]> {
  const standings = await accessLevelsIn(db, project, userIds)
  return [...new Set(userIds)].filter(id => {
    const user = standings.get(id)
    return user !== undefined && allows(actorOf(user), ability, projectSubject({ ...project, role: user.level })) === 'yes'
  })
}

/** The place of a merge request's texts, which decides who can be mentioned in them. */
export const mergeRequestTextPlace = (project: ProjectRow, mergeRequest: { readonly id: number; readonly iid: number }): TextPlace => ({
  ...inProjectPlace(project),
  key: { merge_request_id: mergeRequest.id },
  iid: mergeRequest.iid,
  readers: ({ db }, userIds, internal) =>
    mergeRequestReadersAmong(db, project, userIds, internal ? 'read_internal_merge_request_note' : 'read_merge_request'),
})

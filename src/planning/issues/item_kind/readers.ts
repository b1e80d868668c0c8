/** Which of several users may read an issue. */
import { inProjectPlace, type TextPlace } from '../../../collaboration/mentions/text_place.ts'
import { allows, roles } from '../../../platform/access/abilities.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { type AccessLevel, accessLevelsIn, actorOf } from '../../../spaces/projects/attributes/access_levels.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'

/** The fields of an issue that decide who may read it. */
export interface Confidence {
  readonly confidential: boolean
  readonly author_id: number
  readonly assignee_ids: readonly number[]
}

/**
 * The users among `ids` who may read an issue of the project, in the given order. Two statements.
 * @param issue undefined for any issue that is not confidential
 * @param ability an additional ability: `read_internal_note` for an internal note of the issue
 */
export async function readersAmong(
  db: Db,
  project: ProjectRow,
  userIds: readonly number[],
  issue?: Confidence,
  ability: 'read_issue' | 'read_internal_note' = 'read_issue',
): Promise<number[]> {
  const standings = await accessLevelsIn(db, project, userIds)
  const isReader = (user: AccessLevel): boolean => {
    const seesIssues = allows(actorOf(user), ability, projectSubject({ ...project, role: user.level })) === 'yes'
    const isOwn = issue !== undefined && (issue.author_id === user.id || issue.assignee_ids.includes(user.id))
    return seesIssues && (!issue?.confidential || user.admin || isOwn || user.level >= roles.reporter)
  }
  return [...new Set(userIds)].filter(id => {
    const user = standings.get(id)
    return user !== undefined && isReader(user)
  })
}

/** The place of an issue's texts, which decides who can be mentioned in them. */
export const issueTextPlace = (project: ProjectRow, issue: Confidence & { readonly id: number; readonly iid: number }): TextPlace => ({
  ...inProjectPlace(project),
  key: { issue_id: issue.id },
  iid: issue.iid,
  readers: ({ db }, userIds, internal) => readersAmong(db, project, userIds, issue, internal ? 'read_internal_note' : 'read_issue'),
})

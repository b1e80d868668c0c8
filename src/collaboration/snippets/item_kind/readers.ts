/** Which of several users may read a snippet of a project. */
import { allows, roles } from '../../../platform/access/abilities.ts'
import { admits } from '../../../platform/access/open_to.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { accessLevelsIn, actorOf } from '../../../spaces/projects/attributes/access_levels.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { inProjectPlace, type TextPlace } from '../../mentions/text_place.ts'
import type { SnippetRow } from '../queries.ts'

/** The fields of a snippet that decide who may read it. */
export type Readable = Pick<SnippetRow, 'author_id' | 'visibility'>

/** The users among `ids` who may read a snippet of the project, or an internal note on it, in the given order. Two statements. */
export async function snippetReadersAmong(
  db: Db,
  project: ProjectRow,
  snippet: Readable,
  userIds: readonly number[],
  internal: boolean,
): Promise<number[]> {
  const standings = await accessLevelsIn(db, project, userIds)
  const ability = internal ? 'read_internal_snippet_note' : 'read_snippet'
  return [...new Set(userIds)].filter(id => {
    const user = standings.get(id)
    if (user === undefined) return false
    const reader = actorOf(user)
    if (allows(reader, ability, projectSubject({ ...project, role: user.level })) !== 'yes') return false
    return user.admin || user.level >= roles.guest || id === snippet.author_id || admits(snippet.visibility, reader.user)
  })
}

/** The place of a snippet's texts, which decides who can be mentioned in them. The number of a snippet is its id. */
export const snippetTextPlace = (project: ProjectRow, snippet: Readable & Pick<SnippetRow, 'id'>): TextPlace => ({
  ...inProjectPlace(project),
  key: { snippet_id: snippet.id },
  iid: snippet.id,
  readers: ({ db }, userIds, internal) => snippetReadersAmong(db, project, snippet, userIds, internal),
})

/** Reads of protected tags. */
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db } from '../../platform/db/connection.ts'
import type { AccessLevel } from '../protected_branches/queries.ts'

/** A role, user or group that may create a protected tag. */
export type CreateLevel = Omit<AccessLevel, 'action'>

/** Protected tags and patterns, with their access levels in order of creation. */
export const protectedTags = (db: Db, projectId: number) =>
  db
    .selectFrom('protected_tags')
    .selectAll('protected_tags')
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom('protected_tag_access_levels as levels')
          .select(['levels.id', 'levels.access_level', 'levels.user_id', 'levels.group_id'])
          .whereRef('levels.protected_tag_id', '=', 'protected_tags.id')
          .orderBy('levels.id'),
      )
        .$castTo<CreateLevel[]>()
        .as('levels'),
    )
    .where('protected_tags.project_id', '=', projectId)
    .orderBy('protected_tags.name')

export type ProtectedTagRow = Awaited<ReturnType<ReturnType<typeof protectedTags>['executeTakeFirstOrThrow']>>

/** The protection with exactly this name or pattern. */
export const protectedTagByName = (db: Db, projectId: number, name: string) =>
  protectedTags(db, projectId).where('protected_tags.name', '=', name).executeTakeFirst()

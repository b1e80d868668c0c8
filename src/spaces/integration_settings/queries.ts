/** Reads of integrations. The settings of the nearest place count: of the project, of the groups around it from the inside out, of the instance. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { fitsPlace, type IntegrationPlace, idsOfPlace } from './places.ts'

/** The settings that a place has itself. */
export const ownIntegrations = (db: Db, place: IntegrationPlace) =>
  db.selectFrom('integrations').selectAll('integrations').where(fitsPlace(place))

/** The settings that count in a place, one row for each slug, in the order of their slugs. `inherited`: they are those of a place around it. */
export const integrationsIn = (db: Db, place: IntegrationPlace) => {
  const { project_id, namespace_id } = idsOfPlace(place)
  const above = sql`${[...place.above]}::bigint[]`
  return db
    .selectFrom(
      db
        .selectFrom('integrations')
        .selectAll('integrations')
        .select(
          sql<boolean>`(project_id is distinct from ${project_id}::bigint or namespace_id is distinct from ${namespace_id}::bigint)`.as(
            'inherited',
          ),
        )
        .distinctOn('slug')
        .where(
          sql<boolean>`(project_id = ${project_id}::bigint or namespace_id = ${namespace_id}::bigint
                        or namespace_id = any(${above}) or project_id is null and namespace_id is null)`,
        )
        .orderBy('slug')
        .orderBy(
          sql`case when project_id is not null then 0
                   when namespace_id = ${namespace_id}::bigint then 1
                   when namespace_id is not null then 2 + cardinality(${above}) - array_position(${above}, namespace_id)
                   else 1000 end`,
        )
        .as('integrations'),
    )
    .selectAll('integrations')
    .orderBy('slug')
}

export type IntegrationRow = Awaited<ReturnType<ReturnType<typeof integrationsIn>['executeTakeFirstOrThrow']>>

/** The active settings that count in a project, of these slugs. */
export const activeIn = (db: Db, place: IntegrationPlace, slugs: readonly string[]): Promise<IntegrationRow[]> =>
  integrationsIn(db, place)
    .where('active', '=', true)
    .where(sql<boolean>`slug = any(${[...slugs]})`)
    .execute()

/** The settings with this id; undefined if they were deleted. */
export const integrationById = (db: Db, id: number) => db.selectFrom('integrations').selectAll().where('id', '=', id).executeTakeFirst()

/** Reads of distributions of Debian. */
import type { Place } from '../../../../../platform/access/places.ts'
import type { Db } from '../../../../../platform/db/connection.ts'

/** The distributions of a project or group itself, in the order in which they were made. */
export const distributionsOf = (db: Db, place: Place) => {
  const rows = db.selectFrom('debian_distributions').selectAll().orderBy('id')
  return 'project_id' in place ? rows.where('project_id', '=', place.project_id) : rows.where('namespace_id', '=', place.namespace_id)
}

/** The distribution of a place with this codename, or else with this suite. */
export const distributionNamed = (db: Db, place: Place, name: string) =>
  distributionsOf(db, place)
    .where(({ or, eb }) => or([eb('codename', '=', name), eb('suite', '=', name)]))
    .clearOrderBy()
    .orderBy(({ eb }) => eb('codename', '=', name), 'desc')
    .orderBy('id')
    .limit(1)

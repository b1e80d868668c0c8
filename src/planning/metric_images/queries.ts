/** Reads of metric images. */
import type { Db } from '../../platform/db/connection.ts'

/** Metric images with their stored objects. */
const images = (db: Db) =>
  db
    .selectFrom('metric_images')
    // An outer join, which the planner can drop from counts.
    .leftJoin('stored_objects', 'stored_objects.id', 'metric_images.object_id')
    .selectAll('metric_images')
    .select(({ ref }) => [
      ref('stored_objects.key').$notNull().as('key'),
      ref('stored_objects.size').$notNull().as('size'),
      ref('stored_objects.sha256').$notNull().as('sha256'),
    ])

export type MetricImageRow = Awaited<ReturnType<ReturnType<typeof images>['executeTakeFirstOrThrow']>>

/** The images of an incident, in order of upload. */
export const imagesOf = (db: Db, issueId: number) => images(db).where('metric_images.issue_id', '=', issueId).orderBy('metric_images.id')

/** An image of an incident. */
export const imageOf = (db: Db, issueId: number, id: number) => imagesOf(db, issueId).where('metric_images.id', '=', id).executeTakeFirst()

/** An image by id alone. */
export const imageById = (db: Db, id: number) => images(db).where('metric_images.id', '=', id).executeTakeFirst()

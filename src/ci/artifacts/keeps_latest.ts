/** Which projects keep the artifacts of the latest successful pipelines beyond their expiry. */
import { sql } from 'kysely'

/** Does the project keep them, and the instance let it? A condition of SQL on `projects`. */
export const keepsLatest = sql<boolean>`(projects.keep_latest_artifact and (select keep_latest_artifact from application_settings))`

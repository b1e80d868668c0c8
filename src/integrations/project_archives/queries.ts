/** Reads of exports and imports. */
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'

/** Binds the ciphertext of an address to its column. */
export const UPLOAD_PURPOSE = 'project_exports.upload_address'

/** The same for the address that an archive is fetched from. */
export const REMOTE_PURPOSE = 'project_imports.address'

export type ExportState = 'none' | 'queued' | 'started' | 'finished' | 'regeneration_in_progress'

/** A project, and how its export goes. */
export type ExportedProject = ProjectRow & { readonly export_status: ExportState }

const exportOf = (db: Db, projectId: number) =>
  db.selectFrom('project_exports').selectAll().where('project_id', '=', projectId).executeTakeFirst()

/** How the export of a project goes. */
export async function withExportStatus(db: Db, project: ProjectRow): Promise<ExportedProject> {
  const row = await exportOf(db, project.id)
  const isUnderWay = row?.state === 'queued' || row?.state === 'started'
  const has = row?.object_id != null
  const export_status = isUnderWay ? (has ? 'regeneration_in_progress' : (row.state as 'queued' | 'started')) : has ? 'finished' : 'none'
  return { ...project, export_status }
}

/**
 * The archive of a project that this user can download; undefined where there is none. It has what the user may read who asked for it, as private
 * addresses of members for an administrator, so that others have none; administrators read all of them.
 */
export const archiveOf = (db: Db, projectId: number, actor: Actor) =>
  db
    .selectFrom('project_exports')
    .innerJoin('stored_objects', 'stored_objects.id', 'project_exports.object_id')
    .select(['project_exports.filename', 'stored_objects.key', 'stored_objects.size', 'stored_objects.sha256'])
    .where('project_exports.project_id', '=', projectId)
    .$if(!isAdmin(actor), query => query.where('project_exports.user_id', '=', actor.user?.id ?? null))
    .executeTakeFirst()

/** How an export goes, as its page shows it. */
export interface ShownExport {
  readonly state: 'queued' | 'started' | 'finished' | 'failed'
  /** Why it failed. */
  readonly error: string | null
  readonly created_at: string
  readonly finished_at: string | null
  /** It is sent to an address when it is made, and not kept. */
  readonly is_sent: boolean
  /** There is an archive, of this export or the one before, for whichever user. */
  readonly is_kept: boolean
}

/** How the last export of a project goes; undefined where there is none. */
export const shownExportOf = (db: Db, projectId: number): Promise<ShownExport | undefined> =>
  db
    .selectFrom('project_exports')
    .select(['state', 'error', 'created_at', 'finished_at'])
    .select(({ eb }) => [eb('upload_method', 'is not', null).as('is_sent'), eb('object_id', 'is not', null).as('is_kept')])
    .where('project_id', '=', projectId)
    .$castTo<ShownExport>()
    .executeTakeFirst()

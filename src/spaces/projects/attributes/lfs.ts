/** Switches LFS on or off in the projects of a group, for the setting of the group (`lfs_enabled`). */
import type { Db } from '../../../platform/db/connection.ts'

/** Of the projects in the group itself. Each may say otherwise afterwards. One statement. */
export const setLfsOfProjectsIn = (db: Db, groupId: number, lfs_enabled: boolean) =>
  db.updateTable('projects').set({ lfs_enabled }).where('namespace_id', '=', groupId).where('lfs_enabled', '<>', lfs_enabled).execute()

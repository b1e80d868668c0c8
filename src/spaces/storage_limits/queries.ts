/** Reads of the storage limits and the storage usage of projects. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Limits in bytes; undefined: no limit. */
export interface StorageLimits {
  /** Of one push. */
  readonly push: number | undefined
  /** Of a project: its repository, LFS objects, packages, container images, wiki, snippets, uploads, metric images and Terraform states together. */
  readonly project: number | undefined
}

const MEGABYTE = 1024 * 1024

/** The limits of a project; without one, those of what belongs to no project. */
export async function storageLimitsOf(db: Db, projectId: number | undefined): Promise<StorageLimits> {
  const { rows } = await sql<{ push: number; project: number }>`
    select s.receive_max_input_size as push,
           coalesce((select p.repository_size_limit from projects p where p.id = ${projectId ?? null}), s.repository_size_limit) as project
      from application_settings s`.execute(db)
  const bytes = (megabytes: number | undefined) => (megabytes ? megabytes * MEGABYTE : undefined)
  return { push: bytes(rows[0]?.push), project: projectId === undefined ? undefined : bytes(rows[0]?.project) }
}

/** Bytes of a project's LFS objects, packages, container images, wiki, snippets, uploads, metric images and Terraform states. */
export async function attachedBytes(db: Db, projectId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce((select lfs_objects_size + packages_size + wiki_size + snippets_size from project_statistics where project_id = ${projectId}), 0)
         + coalesce((select sum(o.size) from uploads u join stored_objects o on o.id = u.object_id where u.project_id = ${projectId}), 0)
         + coalesce((select sum(o.size) from metric_images m join issues i on i.id = m.issue_id join stored_objects o on o.id = m.object_id
                      where i.project_id = ${projectId}), 0)
         + coalesce((select sum(b.size) from container_blobs b where b.id in (
                      select l.blob_id from container_repositories r join container_repository_blobs l on l.repository_id = r.id
                       where r.project_id = ${projectId})), 0)
         + coalesce((select sum(u.size) from container_repositories r join container_uploads u on u.repository_id = r.id
                      where r.project_id = ${projectId}), 0)
         + coalesce((select sum(coalesce(octet_length(v.content), (select sum(octet_length(p.content)) from terraform_state_parts p
                                                                     where p.version_id = v.id)))
                       from terraform_states s join terraform_state_versions v on v.terraform_state_id = s.id
                      where s.project_id = ${projectId}), 0) as bytes`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** Reads of the container registry. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { projectPathsOf } from './names.ts'

/** Repositories of images with the path of their project. */
export const repositories = (db: Db) =>
  db
    .selectFrom('container_repositories')
    .leftJoin('routes', 'routes.project_id', 'container_repositories.project_id')
    .selectAll('container_repositories')
    .select(({ ref }) => ref('routes.path').$notNull().as('project_path'))

export type RepositoryRow = Awaited<ReturnType<ReturnType<typeof repositories>['executeTakeFirstOrThrow']>>

/** The repository of a project with this name, if there is one. */
export const repositoryNamed = (db: Db, projectId: number, name: string) =>
  repositories(db)
    .where('container_repositories.project_id', '=', projectId)
    .where('container_repositories.name', '=', name)
    .executeTakeFirst()

/** The path of the project that an image belongs to by its name; undefined where there is none. */
export async function projectPathOf(db: Db, imageName: string): Promise<string | undefined> {
  const paths = projectPathsOf(imageName)
  if (paths.length === 0) return undefined
  const row = await db
    .selectFrom('routes')
    .select('path')
    .where('project_id', 'is not', null)
    .where(sql<boolean>`lower(path) = any(${paths})`)
    .executeTakeFirst()
  return row?.path
}

/** Blobs with where their bytes are, as a repository has them. */
const linkedBlobs = (db: Db, repositoryId: number) =>
  db
    .selectFrom('container_repository_blobs')
    .innerJoin('container_blobs', 'container_blobs.id', 'container_repository_blobs.blob_id')
    .innerJoin('stored_objects', 'stored_objects.id', 'container_blobs.object_id')
    .select(['container_blobs.id', 'container_blobs.digest', 'container_blobs.size', 'container_repository_blobs.linked_at'])
    .select(['stored_objects.key', 'stored_objects.sha256'])
    .where('container_repository_blobs.repository_id', '=', repositoryId)

export type BlobRow = Awaited<ReturnType<ReturnType<typeof linkedBlobs>['executeTakeFirstOrThrow']>>

/** A blob of a repository. */
export const blobIn = (db: Db, repositoryId: number, digest: string) =>
  linkedBlobs(db, repositoryId).where('container_blobs.digest', '=', digest).executeTakeFirst()

/** Those of these blobs that a repository has. */
export const blobsIn = (db: Db, repositoryId: number, digests: readonly string[]) =>
  linkedBlobs(db, repositoryId).where('container_blobs.digest', '=', anyOf(digests))

/** A manifest by its tag or digest. */
export const manifestIn = (db: Db, repositoryId: number, reference: string) =>
  db
    .selectFrom('container_manifests')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where(({ eb, selectFrom }) =>
      reference.includes(':')
        ? eb('digest', '=', reference)
        : eb(
            'id',
            '=',
            selectFrom('container_tags').select('manifest_id').where('repository_id', '=', repositoryId).where('name', '=', reference),
          ),
    )
    .executeTakeFirst()

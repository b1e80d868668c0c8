/** Writes a project as files in the form of the platform's archives (import and export of projects at 14.0), and those as a tar.gz stream. */

import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { wikiKeyOf } from '../../../collaboration/wikis/repository.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Repository } from '../../../platform/git/index.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { findRepository, findStored } from '../../../spaces/projects/repository/store.ts'
import { exportBoards } from '../../archives/relations/boards.ts'
import { exportLabels } from '../../archives/relations/labels.ts'
import { exportMembers } from '../../archives/relations/members.ts'
import { exportMilestones } from '../../archives/relations/milestones.ts'
import type { Turn } from '../../archives/turns.ts'
import type { StoredFile } from '../../archives/writing/stream.ts'
import { one, writeBundle, writeRelations, writeRows, writeVersion } from '../../archives/writing/tree.ts'
import { exportIssues } from '../relations/items/issues.ts'
import { exportMergeRequests } from '../relations/items/merge_requests.ts'
import { withDifferences } from '../relations/items/versions.ts'
import { exportProtectedBranches, exportProtectedTags } from '../relations/protections.ts'
import { exportedPolicy, exportImageRules, exportPackageRules, exportTagRules } from '../relations/registries.ts'
import { exportReleases } from '../relations/releases.ts'
import { exportedCiSettings, exportedFeatures, exportedSettings } from '../relations/settings.ts'
import { type BundledSnippet, exportSnippets, writeSnippets } from '../relations/snippets.ts'

/** What is exported, and for whom. */
export interface ExportOf {
  /** A transaction that sees one moment. */
  readonly db: Db
  readonly project: ProjectRow
  /** In the place of the project's own. */
  readonly description: string | null
  /** Who exports it. */
  readonly actor: Actor
  /** Where the files are written. */
  readonly folder: string
  /** What the archive may come to before it gives way. */
  readonly turn: Turn
}

/** What is written after the rows, when their transaction has ended. */
export interface Remaining {
  readonly snippets: readonly BundledSnippet[]
}

/** Writes the rows. What git and the object store have is not read here, so that the transaction lasts only as long as the rows need. */
export async function writeTree({ db, project, description, actor, folder, turn }: ExportOf): Promise<Remaining> {
  const { id } = project
  const place = { project_id: id }
  const snippets: BundledSnippet[] = []
  const relations: Readonly<Record<string, AsyncIterable<object>>> = {
    labels: exportLabels(db, place),
    milestones: exportMilestones(db, place),
    project_members: exportMembers(db, project, actor),
    issues: exportIssues(db, id),
    merge_requests: exportMergeRequests(db, id),
    releases: exportReleases(db, id),
    protected_branches: exportProtectedBranches(db, id),
    protected_tags: exportProtectedTags(db, id),
    boards: exportBoards(db, place),
    snippets: exportSnippets(db, id, snippets),
    project_feature: one(exportedFeatures(project)),
    ci_cd_settings: one(exportedCiSettings(project)),
    container_expiration_policy: one(exportedPolicy(project)),
    package_protection_rules: exportPackageRules(db, id),
    container_protection_rules: exportImageRules(db, id),
    container_tag_protection_rules: exportTagRules(db, id),
  }
  await mkdir(join(folder, 'tree', 'project'), { recursive: true })
  await writeVersion(folder)
  await writeFile(join(folder, 'tree', 'project.json'), JSON.stringify(exportedSettings(project, description)))
  await writeRelations(join(folder, 'tree', 'project'), relations, turn)
  return { snippets }
}

/** Writes what the repositories have: bundles, and the commits and files of merge requests. */
export async function writeRepositories(
  deps: Deps,
  project: ProjectRow,
  folder: string,
  { snippets }: Remaining,
  turn: Turn,
): Promise<void> {
  const repository = await findRepository(deps.storages, project)
  await addDifferences(repository, join(folder, 'tree', 'project'), turn)
  await writeSnippets(deps, snippets, join(folder, 'snippets'))
  await writeBundle(repository, join(folder, 'project.bundle'), turn)
  const wiki = wikiKeyOf({ project })
  await writeBundle(await findStored(deps.storages, wiki.storage, wiki.key), join(folder, 'project.wiki.bundle'), turn)
}

/** Adds the commits and files of versions to `merge_requests.ndjson`, a row after the other. */
async function addDifferences(repository: Repository | undefined, folder: string, turn: Turn): Promise<void> {
  const [bare, whole] = [join(folder, 'merge_requests.rows'), join(folder, 'merge_requests.ndjson')]
  await rename(whole, bare)
  const rows = createInterface({ input: createReadStream(bare), crlfDelay: Number.POSITIVE_INFINITY })
  async function* complete() {
    for await (const line of rows) yield await withDifferences(repository, JSON.parse(line))
  }
  await writeRows(whole, complete(), turn)
  await rm(bare)
}

/** The uploads, the LFS objects and the picture of a project. */
export async function filesOf(db: Db, projectId: number): Promise<{ readonly files: StoredFile[]; readonly oids: string[] }> {
  const uploads = await db
    .selectFrom('uploads')
    .innerJoin('stored_objects', 'stored_objects.id', 'uploads.object_id')
    .select(['uploads.secret', 'uploads.filename', 'stored_objects.key', 'stored_objects.size'])
    .where('uploads.project_id', '=', projectId)
    .orderBy('uploads.id')
    .execute()
  const objects = await db
    .selectFrom('lfs_objects_projects')
    .innerJoin('lfs_objects', 'lfs_objects.id', 'lfs_objects_projects.lfs_object_id')
    .innerJoin('stored_objects', 'stored_objects.id', 'lfs_objects.object_id')
    .select(['lfs_objects.oid', 'stored_objects.key', 'stored_objects.size'])
    .where('lfs_objects_projects.project_id', '=', projectId)
    .orderBy('lfs_objects.oid')
    .execute()
  const avatars = await db
    .selectFrom('avatars')
    .innerJoin('stored_objects', 'stored_objects.id', 'avatars.object_id')
    .select(['avatars.filename', 'stored_objects.key', 'stored_objects.size'])
    .where('avatars.project_id', '=', projectId)
    .execute()
  return {
    oids: objects.map(({ oid }) => oid),
    files: [
      ...uploads.map(({ secret, filename, key, size }) => ({ path: `uploads/${secret}/${filename}`, key, size })),
      ...objects.map(({ oid, key, size }) => ({ path: `lfs-objects/${oid}`, key, size })),
      ...avatars.map(({ filename, key, size }) => ({ path: `avatar/${filename}`, key, size })),
    ],
  }
}

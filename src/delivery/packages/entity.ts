/** Packages and their files as JSON (packages API at 14.0). */
import Type, { type Static } from 'typebox'
import { basicFields, presentBasic } from '../../ci/pipelines/lists/basic.ts'
import { type PipelineRow, pipelinesById } from '../../ci/pipelines/queries.ts'
import { projectsWithOpenPipelines } from '../../ci/pipelines/rights/visible.ts'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, type SummaryRow, usersById } from '../../identity/users/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, integer, Nullable, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { projectsWithRoleById } from '../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { type PackageRuleRow, packageRulesIn } from '../registry_protection/queries.ts'
import { allowsDeletion } from '../registry_protection/rights.ts'
import { written } from './protocols/conan/names.ts'
import { otherVersionsOf, type PackageFileRow, type PackageRow, pipelineIdsOf, pipelineIdsOfFiles, tagsOf } from './queries.ts'
import { packageStatuses, packageTypes } from './types.ts'

const Built = Type.Object({
  ...basicFields,
  user: optional(described('The user who started it; absent where the account is deleted', Type.Object(summaryFields))),
})

/** A pipeline that made a package. */
export const PackagePipeline = entity({
  name: 'PackagePipeline',
  schema: Built,
  load: ({ db }, rows: readonly PipelineRow[]) => usersById(db, idsOf(rows, 'user_id')),
  present: (row: PipelineRow, users, facts) => presentBuild(row, users, facts),
})

type Caller = Pick<Context, 'db' | 'actor'>

/** Pipelines with their users. */
interface Builds {
  readonly pipelines: ReadonlyMap<number, PipelineRow>
  readonly users: ReadonlyMap<number, SummaryRow>
  /** The ids of the pipelines, by what they made. */
  readonly ids: ReadonlyMap<number, readonly number[]>
}

/** Those that the caller may read: a job of another project may have made a package. Three statements at most. */
async function loadBuilds({ db, actor }: Caller, ids: ReadonlyMap<number, readonly number[]>): Promise<Builds> {
  const all = await pipelinesById(db, [...new Set([...ids.values()].flat())])
  const open = await projectsWithOpenPipelines(db, actor, idsOf([...all.values()], 'project_id'))
  const pipelines = new Map([...all].filter(([, { project_id }]) => open.has(project_id)))
  return { pipelines, users: await usersById(db, idsOf([...pipelines.values()], 'user_id')), ids }
}

function presentBuilds({ pipelines, users, ids }: Builds, id: number, facts: Facts): Static<typeof Built>[] {
  return (ids.get(id) ?? []).flatMap(pipelineId => {
    const row = pipelines.get(pipelineId)
    if (!row) return []
    return [presentBuild(row, users, facts)]
  })
}

function presentBuild(row: PipelineRow, users: ReadonlyMap<number, SummaryRow>, facts: Facts): Static<typeof Built> {
  const user = row.user_id === null ? undefined : users.get(row.user_id)
  return { ...presentBasic(row, facts), ...(user && { user: presentSummary(user, facts) }) }
}

const tags = described('Tags that name this version', Type.Array(Type.String()))
const pipelines = described('The pipelines that made it', Type.Array(Built))

const fields = {
  id: integer('ID, unique on the instance'),
  name: text('Name of the package; of Conan the whole reference of the recipe'),
  conan_package_name: optional(text('Name of the package without the rest of the reference; of Conan alone')),
  version: Nullable(text('Version; null for what is about all versions')),
  package_type: OneOf(packageTypes, { description: 'Package manager that it is for' }),
  status: OneOf(packageStatuses, { description: '`default`, `hidden`, `processing` or `error`' }),
  _links: described(
    'Addresses of this object and what belongs to it',
    Type.Object({
      web_path: text('Path of the page for people'),
      delete_api_path: optional(text('Address that deletes it in the API; absent for callers who may not')),
    }),
  ),
  created_at: DateTime('When it was published'),
  tags,
  pipeline: optional(described('The first pipeline that made it; absent where none did', Built)),
  pipelines: optional(described('The pipelines that made it; absent where none did', Type.Array(Built))),
}

/** Where the caller may delete packages, and the rules that protect some there. */
interface Deletion {
  readonly projects: ReadonlyMap<number, ProjectWithRole>
  readonly rules: readonly PackageRuleRow[]
}

async function loadDeletion({ db, actor }: Context, projectIds: readonly number[]): Promise<Deletion> {
  const all = await projectsWithRoleById(db, actor, projectIds)
  const projects = new Map([...all].filter(([, project]) => allows(actor, 'destroy_package', projectSubject(project)) === 'yes'))
  return { projects, rules: projects.size === 0 ? [] : await packageRulesIn(db, [...projects.keys()]) }
}

function mayDelete({ projects, rules }: Deletion, actor: Actor, row: PackageRow): boolean {
  const project = projects.get(row.project_id)
  return project !== undefined && allowsDeletion(rules, actor, project.role, row)
}

interface Loaded {
  readonly deletion: Deletion
  readonly tags: ReadonlyMap<number, readonly string[]>
  readonly builds: Builds
}

async function load(ctx: Context, rows: readonly PackageRow[]): Promise<Loaded> {
  const { db } = ctx
  const ids = rows.map(row => row.id)
  const [deletion, tags, made] = await Promise.all([
    loadDeletion(ctx, [...new Set(rows.map(row => row.project_id))]),
    tagsOf(db, ids),
    pipelineIdsOf(db, ids),
  ])
  return { deletion, tags, builds: await loadBuilds(ctx, made) }
}

/** The page of a package, without the address of the instance. */
export const packagePath = ({ project_path, id }: Pick<PackageRow, 'project_path' | 'id'>): string => `/${project_path}/-/packages/${id}`

/** A recipe of Conan as its client writes it. */
const referenceOf = ({ name, version, metadata }: PackageRow): string =>
  written({ name, version: version ?? '', ...(metadata as { username: string; channel: string }) })

function present(row: PackageRow, { deletion, tags, builds }: Loaded, facts: Facts) {
  const made = presentBuilds(builds, row.id, facts)
  return {
    id: row.id,
    // Contract: channels of a recipe differ in the reference alone (packages API of later releases).
    ...(row.package_type === 'conan' ? { name: referenceOf(row), conan_package_name: row.name } : { name: row.name }),
    version: row.version,
    package_type: row.package_type,
    status: row.status,
    _links: {
      web_path: packagePath(row),
      ...(mayDelete(deletion, facts.actor, row) && {
        delete_api_path: `${facts.url}/api/v4/projects/${row.project_id}/packages/${row.id}`,
      }),
    },
    created_at: row.created_at,
    tags: [...(tags.get(row.id) ?? [])],
    ...(made[0] && { pipeline: made[0], pipelines: made }),
  }
}

/** A package in the list of a project. */
export const PackageListed = entity({ name: 'PackageListed', schema: Type.Object(fields), load, present })

/** A package in the list of a group, with its project. */
export const PackageOfGroup = entity({
  name: 'PackageOfGroup',
  schema: Type.Object({ ...fields, project_id: integer('ID of the project'), project_path: text('Full path of the project') }),
  load,
  present: (row: PackageRow, loaded: Loaded, facts) => ({
    ...present(row, loaded, facts),
    project_id: row.project_id,
    project_path: row.project_path,
  }),
})

/** One package, with the other versions of it. */
export const Package = entity({
  name: 'Package',
  schema: Type.Object({
    ...fields,
    versions: described(
      'The other versions of the package',
      Type.Array(
        Type.Object({
          id: integer('ID, unique on the instance'),
          version: text('Version'),
          created_at: DateTime('When it was published'),
          tags,
          pipelines: optional(pipelines),
        }),
      ),
    ),
  }),
  async load(ctx: Context, rows: readonly PackageRow[]) {
    const versions = await otherVersionsOf(ctx.db, rows)
    const ids = [...versions.values()].flat().map(row => row.id)
    const [shown, tags, made] = await Promise.all([load(ctx, rows), tagsOf(ctx.db, ids), pipelineIdsOf(ctx.db, ids)])
    return { ...shown, versions, others: { tags, builds: await loadBuilds(ctx, made) } }
  },
  present: (row: PackageRow, { versions, others, ...loaded }, facts) => ({
    ...present(row, loaded, facts),
    versions: (versions.get(row.id) ?? []).map(other => {
      const made = presentBuilds(others.builds, other.id, facts)
      return {
        id: other.id,
        version: other.version as string,
        created_at: other.created_at,
        tags: [...(others.tags.get(other.id) ?? [])],
        ...(made.length > 0 && { pipelines: made }),
      }
    }),
  }),
})

const fileFields = {
  id: integer('ID, unique on the instance'),
  package_id: integer('ID of the package'),
  created_at: DateTime('When it was published'),
  file_name: text('Name of the file'),
  size: integer('Size in bytes'),
  file_md5: Nullable(text('MD5 of the file; null where clients do not ask for it')),
  file_sha1: Nullable(text('SHA-1 of the file; null where clients do not ask for it')),
  file_sha256: text('SHA-256 of the file'),
}

const presentFile = (row: PackageFileRow) => ({
  id: row.id,
  package_id: row.package_id,
  created_at: row.created_at,
  file_name: row.file_name,
  size: row.size,
  file_md5: row.file_md5,
  file_sha1: row.file_sha1,
  file_sha256: row.file_sha256,
})

/** A file of a package. */
export const PackageFile = entity({
  name: 'PackageFile',
  schema: Type.Object({ ...fileFields, pipelines: optional(pipelines) }),
  load: async (ctx: Context, rows: readonly PackageFileRow[]) =>
    loadBuilds(
      ctx,
      await pipelineIdsOfFiles(
        ctx.db,
        rows.map(row => row.id),
      ),
    ),
  present: (row: PackageFileRow, builds: Builds, facts) => {
    const made = presentBuilds(builds, row.id, facts)
    return { ...presentFile(row), ...(made.length > 0 && { pipelines: made }) }
  },
})

/** A file that was just published, with the address where people and releases find it. */
export const publishedFileFields = {
  ...fileFields,
  updated_at: DateTime('When it was last changed'),
  file: described('Where the file is', Type.Object({ url: text('Address that downloads it') })),
}

/** The values of `publishedFileFields`. */
export const presentPublishedFile = (row: PackageFileRow, projectPath: string, { url }: Facts) => ({
  ...presentFile(row),
  updated_at: row.updated_at,
  file: { url: `${url}${downloadPath(projectPath, row)}` },
})

/** Where people download a file of a package, without the address of the instance. */
export const downloadPath = (projectPath: string, { id }: Pick<PackageFileRow, 'id'>): string =>
  `/${projectPath}/-/package_files/${id}/download`

/** The JSON of imports. */
import Type from 'typebox'
import { anyOf } from '../../platform/db/statements/any.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { ProjectIdentity, presentIdentity } from '../../spaces/projects/facts/identity.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'

const FailedRelation = Type.Object({
  id: integer('ID, unique on the instance'),
  created_at: DateTime('When it was found'),
  exception_class: text('Kind of the failure'),
  source: text('What of the archive it is about'),
  exception_message: text('Why it could not be imported'),
  relation_name: text('Part of the archive'),
})

export const ProjectImport = entity({
  name: 'ProjectImport',
  schema: Type.Object({
    ...ProjectIdentity.properties,
    import_status: text('State of the import: `none`, `scheduled`, `started`, `finished` or `failed`'),
    import_type: Nullable(text('Where it is imported from: `git`, `gitlab_project` for an archive, or `github`; null where it is not')),
    correlation_id: Nullable(text('ID of the request that asked for the import of an archive; null for others')),
    failed_relations: Type.Array(FailedRelation, { description: 'What of the archive could not be imported' }),
    import_error: Nullable(text('Why the import failed; null where it did not')),
  }),
  async load({ db }, rows: readonly ProjectRow[]) {
    const ids = rows.map(({ id }) => id)
    const archives = await db
      .selectFrom('project_imports')
      .leftJoin('github_imports', 'github_imports.project_id', 'project_imports.project_id')
      .select(['project_imports.project_id', 'correlation_id', 'github_imports.id as github_id'])
      .where('project_imports.project_id', '=', anyOf(ids))
      .execute()
    const failures = await db.selectFrom('import_failures').selectAll().where('project_id', '=', anyOf(ids)).orderBy('id').execute()
    return { archives: new Map(archives.map(row => [row.project_id, row])), failures }
  },
  present: (row: ProjectRow, { archives, failures }) => ({
    ...presentIdentity(row),
    import_status: row.import_status,
    import_type: typeOf(row, archives.get(row.id)),
    correlation_id: archives.get(row.id)?.correlation_id ?? null,
    failed_relations: failures.filter(({ project_id }) => project_id === row.id).map(({ project_id: _project, ...failure }) => failure),
    import_error: row.import_error,
  }),
})

function typeOf({ import_url }: ProjectRow, archive: { readonly github_id: number | null } | undefined): string | null {
  if (archive) return archive.github_id === null ? 'gitlab_project' : 'github'
  return import_url === null ? null : 'git'
}

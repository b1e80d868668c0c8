/** A snippet as JSON (snippets API at 14.0). */
import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { SnippetRow } from './queries.ts'

/** A snippet as its addresses need to know it. */
export type Addressed = Pick<SnippetRow, 'id' | 'project_path'>

/** The path of a snippet's page on this instance, with a slash before it. */
export const pathOf = ({ id, project_path }: Addressed): string =>
  project_path === null ? `/-/snippets/${id}` : `/${project_path}/-/snippets/${id}`

/** The path of a snippet's repository, without `.git`. */
const repositoryPathOf = ({ id, project_path }: Addressed): string =>
  project_path === null ? `snippets/${id}` : `${project_path}/snippets/${id}`

/** The path of the raw contents of one of its files. */
export const rawPathOf = (row: Addressed, ref: string, path: string): string =>
  `${pathOf(row)}/raw/${encodeURIComponent(ref)}/${path.split('/').map(encodeURIComponent).join('/')}`

export const Snippet = entity({
  name: 'Snippet',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    title: text('Title'),
    description: Nullable(text('Description in Markdown; null where there is none')),
    visibility: text('`private`, `internal` or `public`'),
    author: described('The user who wrote it', Type.Object(summaryFields)),
    created_at: DateTime('When it was created'),
    updated_at: DateTime('When it was last changed'),
    project_id: Nullable(integer('ID of the project; null for a personal snippet')),
    web_url: text('Address of its page'),
    raw_url: text('Address of the raw contents of its first file'),
    ssh_url_to_repo: text('Address for git over SSH'),
    http_url_to_repo: text('Address for git over HTTP'),
    file_name: text('Path of its first file; empty where it has none'),
    files: described(
      'Its files',
      Type.Array(Type.Object({ path: text('Path in the repository'), raw_url: text('Address of the raw contents') })),
    ),
  }),
  load: ({ db }, rows: readonly SnippetRow[]) => usersById(db, idsOf(rows, 'author_id')),
  present: (row: SnippetRow, users: Map<number, SummaryRow>, facts: Facts) => {
    const page = `${facts.url}${pathOf(row)}`
    return {
      id: row.id,
      title: row.title,
      description: row.description,
      visibility: row.visibility,
      author: presentSummary(users.get(row.author_id) as SummaryRow, facts),
      created_at: row.created_at,
      updated_at: row.updated_at,
      project_id: row.project_id,
      web_url: page,
      raw_url: `${page}/raw`,
      ssh_url_to_repo: `${facts.sshUrl}${repositoryPathOf(row)}.git`,
      http_url_to_repo: `${facts.url}/${repositoryPathOf(row)}.git`,
      file_name: row.file_paths[0] ?? '',
      files: row.file_paths.map(path => ({ path, raw_url: `${facts.url}${rawPathOf(row, row.default_branch, path)}` })),
    }
  },
})

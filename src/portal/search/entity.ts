/** Found files, and the entities of each scope (search API at 14.0). */
import Type from 'typebox'
import { Commit } from '../../code/repository/commits/entity.ts'
import { Note } from '../../collaboration/notes/entity.ts'
import { UserSummary } from '../../identity/users/entity.ts'
import { Issue } from '../../planning/issues/entity.ts'
import { Milestone } from '../../planning/milestones/entity.ts'
import { choice, entity } from '../../platform/kernel/answer/entity.ts'
import { integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { MergeRequest } from '../../review/merge_requests/entity.ts'
import { SimpleProject } from '../../spaces/projects/entity.ts'
import type { BlobRow } from './repository.ts'

const Blob = entity({
  name: 'FoundBlob',
  schema: Type.Object({
    basename: text('The path without its extension'),
    data: text('Lines around the match'),
    path: text('Path of the file'),
    filename: text('Name of the file', { deprecated: true }),
    // Contract: always null (search API).
    id: Nullable(integer('Always null')),
    ref: text('ID of the commit that was searched'),
    startline: integer('Number of the first shown line'),
    project_id: integer('ID of the project'),
  }),
  present: ({ path, text, line, ref, project_id }: BlobRow) => ({
    basename: path.replace(/(?<=[^/])\.[^./]*$/, ''),
    data: text,
    path,
    filename: path,
    id: null,
    ref,
    startline: line,
    project_id,
  }),
})

/** The entity of each scope. */
const shown = {
  projects: SimpleProject,
  issues: Issue,
  merge_requests: MergeRequest,
  milestones: Milestone,
  users: UserSummary,
  notes: Note,
  commits: Commit,
  blobs: Blob,
} as const

export type SearchScope = keyof typeof shown

/** The answer of a search in these scopes: the parameter `scope` selects the entity. */
export const foundIn = (scopes: readonly SearchScope[]) =>
  // biome-ignore lint/suspicious/noExplicitAny: each scope has rows of its own
  choice<any>(
    scopes.map(scope => shown[scope]),
    (_facts, params) => shown[params.scope as SearchScope],
  )

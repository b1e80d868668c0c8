/** Diff versions and their contents as JSON (document 3 "Merge request diff version"; merge requests API at 14.0). */

import type { Selectable } from 'kysely'
import Type from 'typebox'
import { diffSchema, presentDiff } from '../../../code/repository/commits/diff_entity.ts'
import { commitSchema, type InProject, presentCommit } from '../../../code/repository/commits/entity.ts'
import type { DB } from '../../../platform/db/schema.ts'
import type { Commit, DiffEntry } from '../../../platform/git/index.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, text } from '../../../platform/kernel/declaration/types.ts'
import { type DetailedRow, detailFields, type LoadedDetails, loadDetails, presentDetails } from '../details/details.ts'
import { fields, LabelNames } from '../entity.ts'
import { countShown } from './counts.ts'

export type VersionRow = Selectable<DB['merge_request_versions']>

const versionFields = {
  id: integer('ID, unique on the instance'),
  head_commit_sha: text("ID of the source branch's commit"),
  base_commit_sha: text('ID of the common ancestor of both branches'),
  start_commit_sha: text("ID of the target branch's commit"),
  created_at: DateTime('When it was created'),
  merge_request_id: integer('ID of the merge request'),
  state: text('`collected` when the differences are stored'),
  real_size: text('Number of changed files as text'),
}

const presentVersion = (row: VersionRow) => ({
  id: row.id,
  head_commit_sha: row.head_commit_sha,
  base_commit_sha: row.base_commit_sha,
  start_commit_sha: row.start_commit_sha,
  created_at: row.created_at,
  merge_request_id: row.merge_request_id,
  state: row.state,
  // Contract: a string (document 3).
  real_size: countShown(row.real_size),
})

export const MergeRequestVersion = entity({
  name: 'MergeRequestVersion',
  schema: Type.Object(versionFields),
  present: (row: VersionRow) => presentVersion(row),
})

/** A version with its commits, newest first, and its diffs. */
export interface WholeVersion {
  readonly version: VersionRow
  readonly project: InProject
  readonly commits: readonly Commit[]
  readonly diffs: readonly DiffEntry[]
}

export const MergeRequestVersionDetails = entity({
  name: 'MergeRequestVersionDetails',
  schema: Type.Object({
    ...versionFields,
    commits: described('Commits, newest first', Type.Array(commitSchema)),
    diffs: described('Changed files', Type.Array(diffSchema)),
  }),
  present: ({ version, project, commits, diffs }: WholeVersion, _loaded: undefined, facts: Facts) => ({
    ...presentVersion(version),
    commits: commits.map(commit => presentCommit(commit, project, facts)),
    diffs: diffs.map(presentDiff),
  }),
})

/** A changed file, with whether it is too large to be shown. */
export const MergeRequestDiff = entity({
  name: 'MergeRequestDiff',
  schema: Type.Object({
    ...diffSchema.properties,
    collapsed: flag('Whether the difference is left out because it is large; fetch it by itself'),
    too_large: flag('Whether the difference is too large to show'),
  }),
  present: (row: DiffEntry) => ({ ...presentDiff(row), collapsed: row.collapsed, too_large: row.too_large }),
})

/** A merge request with its changes. */
export interface ChangesRow {
  readonly row: DetailedRow
  readonly diffs: readonly DiffEntry[]
  /** True if the limits have truncated the changes. */
  readonly overflow: boolean
}

export const MergeRequestChanges = entity({
  name: 'MergeRequestChanges',
  schema: Type.Object({
    ...fields,
    labels: described('Names of its labels', LabelNames),
    ...detailFields,
    changes: described('Changed files', Type.Array(diffSchema)),
  }),
  load: (ctx: Context, rows: readonly ChangesRow[]) =>
    loadDetails(
      ctx,
      rows.map(({ row }) => row),
    ),
  present: ({ row, diffs, overflow }: ChangesRow, loaded: LoadedDetails, facts: Facts) => ({
    ...presentDetails(row, loaded, facts),
    overflow,
    changes: diffs.map(presentDiff),
  }),
})

/** Trees, blobs, comparisons and contributors as JSON (repositories API at 14.0). */
import Type from 'typebox'
import type { Comparison } from '../../platform/git/diffs/diffs.ts'
import { entity, plain } from '../../platform/kernel/answer/entity.ts'
import { Nullable } from '../../platform/kernel/types.ts'
import { commitSchema, type InProject, presentCommit } from './commits/entity.ts'
import { diffSchema, presentDiff } from './diff_entity.ts'

export const TreeEntry = plain(
  'TreeEntry',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: Type.Union([Type.Literal('tree'), Type.Literal('blob'), Type.Literal('commit')]),
    path: Type.String(),
    mode: Type.String(),
  }),
)

export const Blob = entity({
  name: 'Blob',
  schema: Type.Object({
    size: Type.Integer({ description: 'In bytes' }),
    encoding: Type.Literal('base64'),
    content: Type.String(),
    sha: Type.String(),
  }),
  present: ({ id, content }: { id: string; content: Buffer }) => ({
    size: content.length,
    encoding: 'base64' as const,
    content: content.toString('base64'),
    sha: id,
  }),
})

/** A comparison of two revisions of a project. */
export interface ComparisonRow {
  readonly comparison: Comparison
  readonly project: InProject
}

export const Compare = entity({
  name: 'Compare',
  schema: Type.Object({
    commit: Nullable(commitSchema),
    commits: Type.Array(commitSchema),
    diffs: Type.Array(diffSchema),
    compare_timeout: Type.Boolean(),
    compare_same_ref: Type.Boolean(),
  }),
  present: ({ comparison, project }: ComparisonRow, _loaded: undefined, facts) => {
    const commits = comparison.commits.map(commit => presentCommit(commit, project, facts))
    return {
      commit: commits.at(-1) ?? null,
      commits,
      diffs: comparison.diff.entries.map(presentDiff),
      compare_timeout: comparison.timed_out || comparison.diff.overflow,
      compare_same_ref: comparison.same_ref,
    }
  },
})

export const Contributor = plain(
  'Contributor',
  Type.Object({
    name: Type.String(),
    email: Type.String(),
    commits: Type.Integer(),
    // Contract: always 0, since the line counts were removed (repositories API, 13.x and later).
    additions: Type.Integer(),
    deletions: Type.Integer(),
  }),
)

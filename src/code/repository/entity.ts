/** Trees, blobs, comparisons and contributors as JSON (repositories API at 14.0). */
import Type from 'typebox'
import type { Comparison } from '../../platform/git/index.ts'
import { entity, plain } from '../../platform/kernel/answer/entity.ts'
import { described, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { diffSchema, presentDiff } from './commits/diff_entity.ts'
import { commitSchema, type InProject, presentCommit } from './commits/entity.ts'

export const TreeEntry = plain(
  'TreeEntry',
  Type.Object({
    id: text('ID of the git object'),
    name: text('Name'),
    type: described(
      '`tree`, `blob` or `commit` (a submodule)',
      Type.Union([Type.Literal('tree'), Type.Literal('blob'), Type.Literal('commit')]),
    ),
    path: text('Path in the repository'),
    mode: text('File mode, octal'),
  }),
)

export const Blob = entity({
  name: 'Blob',
  schema: Type.Object({
    size: integer('In bytes'),
    encoding: described('Encoding of the content, `base64`', Type.Literal('base64')),
    content: text('Content'),
    sha: text('ID of the git object'),
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
    commit: Nullable(described('The newest commit; null where there is none', commitSchema)),
    commits: described('Commits', Type.Array(commitSchema)),
    diffs: described('Changed files', Type.Array(diffSchema)),
    compare_timeout: flag('Whether the comparison ran out of time and is incomplete'),
    compare_same_ref: flag('Whether both references are the same'),
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
    name: text('Name'),
    email: text('Email address of the contributor'),
    commits: integer('Commits'),
    // Contract: always 0, since the line counts were removed (repositories API, 13.x and later).
    additions: integer('Number of added lines'),
    deletions: integer('Number of deleted lines'),
  }),
)

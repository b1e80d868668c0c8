/** A tag with its release as JSON (tags API at 14.0). */
import Type from 'typebox'
import { type TagRights, tagRights } from '../../code/protected_tags/rights.ts'
import { commitSchema, presentCommit } from '../../code/repository/commits/entity.ts'
import type { TagRow } from '../../code/repository/tags/queries.ts'
import { type Commit, readCommits, readTags, type TagObject } from '../../platform/git/index.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { described, flag, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { type ReleaseRow, releasesByTag } from '../releases/queries.ts'

interface Loaded {
  readonly commits: ReadonlyMap<string, Commit>
  /** Of the annotated tags. */
  readonly objects: ReadonlyMap<string, TagObject>
  readonly rights: TagRights
  readonly releases: ReadonlyMap<string, ReleaseRow>
}

const byId = <T extends { readonly id: string }>(found: readonly (T | undefined)[]): Map<string, T> =>
  new Map(found.flatMap(thing => (thing ? [[thing.id, thing] as const] : [])))

async function load(ctx: Context, rows: readonly TagRow[]): Promise<Loaded> {
  const { project, repository } = rows[0] as TagRow
  const annotated = rows.filter(({ target, commit }) => target !== commit)
  const [commits, objects, rights, releases] = await Promise.all([
    readCommits(
      repository,
      rows.map(({ commit }) => commit),
    ),
    readTags(
      repository,
      annotated.map(({ target }) => target),
    ),
    tagRights(ctx, project),
    releasesByTag(
      ctx.db,
      project.id,
      rows.map(({ name }) => name),
    ),
  ])
  return { commits: byId(commits), objects: byId(objects), rights, releases }
}

export const Tag = entity({
  name: 'Tag',
  schema: Type.Object({
    name: text('Name of the tag'),
    message: text('Message of an annotated tag; empty where there is none'),
    target: text('ID of the object that the tag points to'),
    // A tag may name a tree or a file.
    commit: Nullable(described('The commit; null where the tag points to something else', commitSchema)),
    release: Nullable(
      described(
        'The release of the tag; null where there is none',
        Type.Object({ tag_name: text('Name of the tag'), description: Nullable(text('Description; null or empty where there is none')) }),
      ),
    ),
    protected: flag('Whether the tag is protected'),
  }),
  load,
  present: ({ name, target, commit: id, project }: TagRow, { commits, objects, rights, releases }, facts) => {
    const commit = commits.get(id)
    const release = releases.get(name)
    return {
      name,
      // Contract: empty, not null, for a tag without a message (tags API, 14.0).
      message: objects.get(target)?.message ?? '',
      target,
      commit: commit ? presentCommit(commit, project, facts) : null,
      release: release ? { tag_name: release.tag, description: release.description } : null,
      protected: rights.isProtected(name),
    }
  },
})

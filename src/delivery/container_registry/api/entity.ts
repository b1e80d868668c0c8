/** Repositories of images and their tags as JSON (container registry API at 14.0). */
import Type from 'typebox'
import { allows } from '../../../platform/access/abilities.ts'
import { choice, entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../../platform/kernel/context.ts'
import { DateTime, described, integer, Nullable, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { projectsWithRoleById } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { imageAllows } from '../../registry_protection/rights.ts'
import { hexOf, imageNameOf } from '../names.ts'
import { type RepositoryRow, type TagRow, tagCountsOf, tagNamesOf } from '../queries.ts'

const tagFields = {
  name: text('Name of the tag'),
  path: text('Path of the image with the tag'),
  location: text('The same with the host of the registry, as clients pull it'),
}

const repositoryFields = {
  id: integer('ID, unique on the instance'),
  name: text('Name below the path of the project; empty for the image that has the path itself'),
  path: text('Path of the image'),
  project_id: integer('ID of the project'),
  location: text('Path with the host of the registry, as clients pull it'),
  created_at: DateTime('When the first image was pushed'),
  cleanup_policy_started_at: Nullable(DateTime('When the expiration policy last began to remove tags; null: never')),
}

const partFields = {
  tags_count: optional(integer('Number of tags; where it is asked for')),
  tags: optional(described('The tags, by name; where they are asked for', Type.Array(Type.Object(tagFields)))),
}
const deleteField = { delete_api_path: optional(text('Address that deletes it in the API; absent in lists, and for callers who may not')) }

const hostOf = ({ url }: Facts): string => new URL(url).host

const presentRepository = (row: RepositoryRow, facts: Facts) => ({
  id: row.id,
  name: row.name,
  path: imageNameOf(row),
  project_id: row.project_id,
  location: `${hostOf(facts)}/${imageNameOf(row)}`,
  created_at: row.created_at,
  cleanup_policy_started_at: row.cleanup_started_at,
})

const presentTag = (image: string, name: string, facts: Facts) => ({
  name,
  path: `${image}:${name}`,
  location: `${hostOf(facts)}/${image}:${name}`,
})

const imageOf = ({ project_path, image_name }: TagRow): string => imageNameOf({ project_path, name: image_name })

interface Parts {
  readonly tags: boolean
  readonly tags_count: boolean
}

/** May the caller delete these repositories, by their ids? Asked for one by itself. */
async function deletableOf({ db, actor }: Context, rows: readonly RepositoryRow[]): Promise<ReadonlySet<number>> {
  const projects = await projectsWithRoleById(db, actor, [...new Set(rows.map(row => row.project_id))])
  const deletable = new Set<number>()
  for (const { id, project_id, name } of rows) {
    const project = projects.get(project_id)
    const may = project && allows(actor, 'admin_container_image', projectSubject(project)) === 'yes'
    if (may && (await imageAllows({ db, actor }, project_id, name, 'delete'))) deletable.add(id)
  }
  return deletable
}

/** @param isSingle the repository by itself, with where it is deleted */
function sizeOf(name: string, { tags, tags_count }: Parts, isSingle: boolean) {
  return entity({
    name,
    schema: Type.Object({ ...repositoryFields, ...partFields, ...deleteField }),
    async load(ctx: Context, rows: readonly RepositoryRow[]) {
      const { db } = ctx
      const ids = rows.map(({ id }) => id)
      const [names, counts, deletable] = await Promise.all([
        tags ? tagNamesOf(db, ids) : undefined,
        tags_count ? tagCountsOf(db, ids) : undefined,
        isSingle ? deletableOf(ctx, rows) : undefined,
      ])
      return { names, counts, deletable }
    },
    present(row: RepositoryRow, { names, counts, deletable }, facts) {
      return {
        ...presentRepository(row, facts),
        ...(counts && { tags_count: counts.get(row.id) ?? 0 }),
        ...(names && { tags: (names.get(row.id) ?? []).map(tag => presentTag(imageNameOf(row), tag, facts)) }),
        ...(deletable?.has(row.id) && {
          delete_api_path: `${facts.url}/api/v4/projects/${row.project_id}/registry/repositories/${row.id}`,
        }),
      }
    },
  })
}

function sizesOf(name: string, isSingle: boolean) {
  const plain = sizeOf(name, { tags: false, tags_count: false }, isSingle)
  const counted = sizeOf(`${name}WithCount`, { tags: false, tags_count: true }, isSingle)
  const tagged = sizeOf(`${name}WithTags`, { tags: true, tags_count: false }, isSingle)
  const whole = sizeOf(`${name}WithTagsAndCount`, { tags: true, tags_count: true }, isSingle)
  return choice<RepositoryRow>([plain, counted, tagged, whole], (_facts, { tags, tags_count }) =>
    tags ? (tags_count ? whole : tagged) : tags_count ? counted : plain,
  )
}

/** A repository of images in lists; with its tags and their number where they are asked for. */
export const ContainerRepository = sizesOf('ContainerRepository', false)

/** One repository of images, likewise. */
export const SingleContainerRepository = sizesOf('SingleContainerRepository', true)

/** A tag in lists. */
export const ContainerTag = entity({
  name: 'ContainerTag',
  schema: Type.Object(tagFields),
  present: (row: TagRow, _loaded: undefined, facts) => presentTag(imageOf(row), row.name, facts),
})

/** One tag, with what its manifest says of the image. */
export const ContainerTagDetails = entity({
  name: 'ContainerTagDetails',
  schema: Type.Object({
    ...tagFields,
    revision: Nullable(text('Digest of the configuration of the image, without its algorithm; null where it has none, as an index')),
    short_revision: Nullable(text('The first nine characters of the revision; null where that is')),
    digest: text('Digest of the manifest'),
    created_at: DateTime('When the image was made, as it says itself'),
    total_size: integer('Bytes of the layers; of an index, those of its images together'),
  }),
  present(row: TagRow, _loaded: undefined, facts) {
    const revision = row.config_digest === null ? null : hexOf(row.config_digest)
    return {
      ...presentTag(imageOf(row), row.name, facts),
      revision,
      short_revision: revision?.slice(0, 9) ?? null,
      digest: row.digest,
      created_at: row.image_created_at,
      total_size: row.total_size,
    }
  },
})

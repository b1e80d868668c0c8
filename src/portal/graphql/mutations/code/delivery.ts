/** Mutations of packages, images of containers, and runners. */
import { RunnerInFull } from '../../../../ci/runners/entity.ts'
import type { RunnerRow } from '../../../../ci/runners/queries.ts'
import { imageNameOf } from '../../../../delivery/container_registry/names.ts'
import type { RepositoryRow } from '../../../../delivery/container_registry/queries.ts'
import type { Route } from '../../../../platform/kernel/declaration/endpoint.ts'
import { notFound, Refusal, unprocessable } from '../../../../platform/kernel/errors.ts'
import { numberIn } from '../../reading/ids.ts'
import { globalId } from '../../reading/things.ts'
import type { Mutations } from '../mutation.ts'
import { type MutationRun, required, type Sent } from '../run.ts'

const PACKAGE: Route = 'DELETE /projects/:id/packages/:package_id'
const IMAGES: Route = 'DELETE /projects/:id/registry/repositories/:repository_id'
const TAG: Route = 'DELETE /projects/:id/registry/repositories/:repository_id/tags/:tag_name'
const UPDATE_RUNNER: Route = 'PUT /runners/:id'
const DELETE_RUNNER: Route = 'DELETE /runners/:id'

/** Tags that one mutation deletes at most. Contract: as on the platform (its GraphQL API, destroyContainerRepositoryTags). */
const MOST_TAGS = 20

/** Where a repository of images is. */
async function imagesPlace({ ctx }: MutationRun, globalId: string): Promise<Sent> {
  const repository_id = numberIn('ContainerRepositoryID', globalId)
  const row = await ctx.db.selectFrom('container_repositories').select('project_id').where('id', '=', repository_id).executeTakeFirst()
  return { id: String(required(row).project_id), repository_id }
}

interface RunnerChanges {
  readonly id: string
  readonly description?: string | null
  readonly maximumTimeout?: number | null
  readonly accessLevel?: string | null
  readonly active?: boolean | null
  readonly locked?: boolean | null
  readonly runUntagged?: boolean | null
  readonly tagList?: readonly string[] | null
}

export const deliveryMutations: Mutations = {
  destroyPackage: {
    says: 'Delete a package',
    input: '"The package" id: PackagesPackageID!',
    runs: [PACKAGE],
    async run({ id }: { id: string }, run) {
      const package_id = numberIn('PackagesPackageID', id)
      const row = await run.ctx.db.selectFrom('packages').select('project_id').where('id', '=', package_id).executeTakeFirst()
      await run.perform(PACKAGE, { id: String(required(row).project_id), package_id })
      return {}
    },
  },
  destroyContainerRepository: {
    says: 'Delete a repository of images',
    input: '"The repository of images" id: ContainerRepositoryID!',
    payload: '"The repository of images as it was" containerRepository: ContainerRepository',
    runs: [IMAGES],
    async run({ id }: { id: string }, run) {
      const { subjects } = await run.perform(IMAGES, await imagesPlace(run, id))
      return { containerRepository: shownImages(run, subjects) }
    },
  },
  destroyContainerRepositoryTags: {
    says: 'Delete tags of a repository of images',
    input: `
      "The repository of images" id: ContainerRepositoryID!
      "Names of the tags; at most 20" tagNames: [String!]!
    `,
    payload: '"Names of the tags that were deleted" deletedTagNames: [String!]!',
    runs: [TAG],
    async run({ id, tagNames }: { id: string; tagNames: readonly string[] }, run) {
      if (tagNames.length > MOST_TAGS) throw unprocessable([`Number of tags is greater than ${MOST_TAGS}`])
      const place = await imagesPlace(run, id)
      const deletedTagNames: string[] = []
      for (const tag_name of new Set(tagNames)) {
        try {
          await run.perform(TAG, { ...place, tag_name })
          deletedTagNames.push(tag_name)
        } catch (error) {
          if (!(error instanceof Refusal) || error.kind !== 'not_found') throw error
        }
      }
      // Where there was none, it cannot be said whether they are gone or hidden.
      if (deletedTagNames.length === 0) throw notFound('Tag')
      return { deletedTagNames }
    },
    otherwise: async () => ({ deletedTagNames: [] }),
  },
  runnerUpdate: {
    says: 'Change a runner',
    input: `
      "The runner" id: CiRunnerID!
      "Description" description: String
      "Longest time of a job, in seconds" maximumTimeout: Int
      "Which jobs it takes" accessLevel: CiRunnerAccessLevel
      "Whether it takes jobs" active: Boolean
      "Whether it is locked to its projects" locked: Boolean
      "Whether it takes jobs without tags" runUntagged: Boolean
      "Tags" tagList: [String!]
    `,
    payload: '"The runner after the mutation" runner: CiRunner',
    runs: [UPDATE_RUNNER],
    async run(input: RunnerChanges, run) {
      const sent = {
        id: numberIn('CiRunnerID', input.id),
        description: input.description ?? undefined,
        maximum_timeout: input.maximumTimeout,
        access_level: input.accessLevel?.toLowerCase(),
        active: input.active ?? undefined,
        locked: input.locked ?? undefined,
        run_untagged: input.runUntagged ?? undefined,
        tag_list: input.tagList ?? undefined,
      }
      return { runner: await run.request.show(RunnerInFull, (await run.perform(UPDATE_RUNNER, sent)).result as RunnerRow) }
    },
  },
  runnerDelete: {
    says: 'Delete a runner',
    input: '"The runner" id: CiRunnerID!',
    runs: [DELETE_RUNNER],
    async run({ id }: { id: string }, run) {
      await run.perform(DELETE_RUNNER, { id: numberIn('CiRunnerID', id) })
      return {}
    },
  },
}

/** A repository of images as the schema shows it. */
function shownImages({ ctx }: MutationRun, subjects: Readonly<Record<string, unknown>>) {
  const row = Object.values(subjects).find(one => typeof one === 'object' && one !== null && 'project_path' in one) as RepositoryRow
  const path = imageNameOf(row)
  return {
    id: globalId('ContainerRepository', row.id),
    name: row.name,
    path,
    location: `${new URL(ctx.url).host}/${path}`,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

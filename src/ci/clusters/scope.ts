/** The holders of clusters (instance, groups and projects), and one of their clusters. */
import { inInstance, type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { type ClusterRow, type Clusters, clustersOfGroup, clustersOfInstance, clustersOfProject } from './queries.ts'

/** Who holds clusters. */
export type ClusterHolder =
  | { readonly kind: 'instance' }
  | { readonly kind: 'group'; readonly group: GroupRow }
  | { readonly kind: 'project'; readonly project: ProjectRow }

/** What every scope of this resource provides. */
export interface InClusterHolder {
  readonly holder: ClusterHolder
  readonly clusters: Clusters
}

export const inInstanceClusters = within(inInstance, {
  name: 'inInstance',
  path: {},
  load: async ({ db }): Promise<InClusterHolder> => ({ holder: { kind: 'instance' }, clusters: clustersOfInstance(db) }),
})

export const inGroupClusters = within(inGroup, {
  name: 'inGroup',
  path: {},
  load: async ({ db, group }): Promise<InClusterHolder> => ({
    holder: { kind: 'group', group },
    clusters: clustersOfGroup(db, group.id),
  }),
})

export const inProjectClusters = within(inProject, {
  name: 'inProject',
  path: {},
  load: async ({ db, project }): Promise<InClusterHolder> => ({
    holder: { kind: 'project', project },
    clusters: clustersOfProject(db, project.id),
  }),
})

/** `:cluster_id` becomes a cluster of the holder, or 404. */
export const inCluster = <S extends InClusterHolder>(outer: Scope<S>) =>
  within(outer, {
    name: `${outer.name}Cluster`,
    path: { cluster_id: integer('ID of a cluster') },
    load: async ({ clusters }, { cluster_id }) => {
      const cluster: ClusterRow | undefined = await clusters.where('id', '=', cluster_id).executeTakeFirst()
      if (!cluster) throw notFound('Cluster')
      return { cluster }
    },
    modifiedAt: ({ cluster }) => cluster.updated_at,
  })

/** Clusters by certificate (project, group and instance clusters API at 14.0): the same declarations for all holders. */
import Type from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf, type Shown } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { flag, integer, Nullable, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { SCOPE, SCOPE_RULE } from '../variables/values.ts'
import { addCluster, removeCluster, updateCluster } from './commands.ts'
import { authorizationTypes, Cluster, GroupCluster, ProjectCluster } from './entity.ts'
import type { ClusterRow } from './queries.ts'
import { type InClusterHolder, inCluster, inGroupClusters, inInstanceClusters, inProjectClusters } from './scope.ts'

interface Place<S extends InClusterHolder> {
  readonly path: `/${string}`
  /** Where existing clusters are added. */
  readonly addPath: `/${string}`
  /** As in "of a project". */
  readonly of: string
  readonly scope: Scope<S>
  readonly reads: Ability
  readonly changes: Ability
  readonly entity: Shown<ClusterRow>
}

const name = text('Name of the cluster', { minLength: 1, maxLength: 255, examples: ['production'] })
const api_url = text('Address of its API, without credentials', { maxLength: 2_048, examples: ['https://cluster.example.com'] })
const token = text('Token of a service account; never shown', { minLength: 1, maxLength: 10_000, examples: ['eyJhbGciOiJSUzI1NiJ9'] })
const ca_cert = optional(Nullable(text('Certificate of its API, as PEM; empty: none', { maxLength: 20_000 })))
const namespace = optional(Nullable(text('Namespace of the project; empty: named after the project', { maxLength: 63 })))

const attributes = {
  enabled: optional(flag('Whether jobs may use it')),
  managed: optional(flag('Whether the namespaces of jobs are managed; jobs are then not given the token')),
  namespace_per_environment: optional(flag('Whether each environment has a namespace of its own')),
  domain: optional(Nullable(text('Base domain of what is deployed to it; empty: none', { maxLength: 253 }))),
  environment_scope: optional(
    text('The environments that it is for; `*` stands for any text', { minLength: 1, maxLength: 255, pattern: SCOPE, message: SCOPE_RULE }),
  ),
  management_project_id: optional(Nullable(integer('ID of the project that manages it, below the same group or user'))),
}

function clusterEndpoints<S extends InClusterHolder>({ path, addPath, of, scope, reads, changes, entity }: Place<S>) {
  const inOne = inCluster(scope)
  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the clusters ${of}`,
    scope,
    can: reads,
    answers: pageOf(Cluster),
    run: ({ clusters }) => clusters,
  })
  const get = endpoint({
    route: `GET ${path}/:cluster_id`,
    summary: `Get a cluster ${of}`,
    scope: inOne,
    can: reads,
    answers: one(entity),
    run: ({ cluster }) => cluster,
  })
  const add = endpoint({
    route: `POST ${addPath}`,
    summary: `Add an existing cluster ${of}`,
    scope,
    can: changes,
    params: {
      name,
      ...attributes,
      platform_kubernetes_attributes: Type.Object(
        {
          api_url,
          token,
          ca_cert,
          namespace,
          authorization_type: optional(
            OneOf(authorizationTypes, { description: 'How it decides what a token may do; `rbac` unless given' }),
          ),
        },
        {
          description: 'How it is reached',
          examples: [{ api_url: 'https://cluster.example.com', token: 'eyJhbGciOiJSUzI1NiJ9' }],
        },
      ),
    },
    answers: one(entity),
    run: ctx => addCluster(ctx, ctx.holder, ctx.params),
  })
  const update = endpoint({
    route: `PUT ${path}/:cluster_id`,
    summary: `Change a cluster ${of}`,
    scope: inOne,
    can: changes,
    params: {
      name: optional(name),
      ...attributes,
      platform_kubernetes_attributes: optional(
        Type.Object(
          { api_url: optional(api_url), token: optional(token), ca_cert, namespace },
          { description: 'How it is reached; a new address needs the token again' },
        ),
      ),
    },
    answers: one(entity),
    run: ctx => updateCluster(ctx, ctx.holder, ctx.cluster, ctx.params),
  })
  const remove = endpoint({
    route: `DELETE ${path}/:cluster_id`,
    summary: `Forget a cluster ${of}; what runs in it stays`,
    scope: inOne,
    can: changes,
    answers: nothing,
    run: ctx => removeCluster(ctx, ctx.cluster),
  })
  return [list, get, add, update, remove] as const
}

export const projectClusters = clusterEndpoints({
  path: '/projects/:id/clusters',
  addPath: '/projects/:id/clusters/user',
  of: 'of a project',
  scope: inProjectClusters,
  reads: 'read_cluster',
  changes: 'admin_cluster',
  entity: ProjectCluster,
})

export const groupClusters = clusterEndpoints({
  path: '/groups/:id/clusters',
  addPath: '/groups/:id/clusters/user',
  of: 'of a group',
  scope: inGroupClusters,
  reads: 'admin_group_cluster',
  changes: 'admin_group_cluster',
  entity: GroupCluster,
})

export const instanceClusters = clusterEndpoints({
  path: '/admin/clusters',
  addPath: '/admin/clusters/add',
  of: 'of the instance',
  scope: inInstanceClusters,
  reads: 'admin_instance',
  changes: 'admin_instance',
  entity: Cluster,
})

/** A cluster as JSON (project, group and instance clusters API at 14.0). The token is never shown. */
import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, OneOf, text } from '../../platform/kernel/declaration/types.ts'
import { groupsById } from '../../spaces/groups/queries.ts'
import { SimpleProject } from '../../spaces/projects/entity.ts'
import { ProjectIdentity, presentIdentity } from '../../spaces/projects/facts/identity.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { type ClusterRow, projectsSeen } from './queries.ts'

/** How the cluster decides what a token may do. */
export const authorizationTypes = ['unknown_authorization', 'rbac', 'abac'] as const

const fields = {
  id: integer('ID, unique on the instance'),
  name: text('Name of the cluster'),
  created_at: DateTime('When it was added'),
  domain: Nullable(text('Base domain of what is deployed to it; null where unsaid')),
  enabled: flag('Whether jobs may use it'),
  managed: flag('Whether the namespaces of jobs are managed, which needs a live connection'),
  provider_type: OneOf(['user'], { description: 'Always `user`: it was there before' }),
  platform_type: OneOf(['kubernetes'], { description: 'Always `kubernetes`' }),
  environment_scope: text('Environments that it is for, with wildcards; `*`: all'),
  cluster_type: OneOf(['project_type', 'group_type', 'instance_type'], { description: 'Who holds it' }),
  namespace_per_environment: flag('Whether each environment has a namespace of its own'),
  user: Nullable(described('Who added it; null where the account is gone', Type.Object(summaryFields))),
  platform_kubernetes: described(
    'How it is reached',
    Type.Object({
      api_url: text('Address of its API'),
      namespace: Nullable(text('Namespace of the project; null: named after the project')),
      authorization_type: OneOf(authorizationTypes, { description: 'How it decides what a token may do' }),
      ca_cert: Nullable(text('Certificate of its API, as PEM; null where it needs none')),
    }),
  ),
  provider_gcp: Type.Null({ description: 'Always null: clusters are not created' }),
  management_project: Nullable(described('The project that manages it; null where there is none to see', ProjectIdentity)),
}

const load = async ({ db, actor }: Context, rows: readonly ClusterRow[]) => ({
  users: await usersById(db, idsOf(rows, 'user_id')),
  managing: await projectsSeen(db, actor, idsOf(rows, 'management_project_id')),
})

type Loaded = Awaited<ReturnType<typeof load>>

function present(row: ClusterRow, { users, managing }: Loaded, facts: Facts) {
  const user = row.user_id === null ? undefined : users.get(row.user_id)
  const manager = row.management_project_id === null ? undefined : managing.get(row.management_project_id)
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at,
    domain: row.domain,
    enabled: row.enabled,
    managed: row.managed,
    provider_type: 'user' as const,
    platform_type: 'kubernetes' as const,
    environment_scope: row.environment_scope,
    cluster_type:
      row.project_id !== null
        ? ('project_type' as const)
        : row.namespace_id !== null
          ? ('group_type' as const)
          : ('instance_type' as const),
    namespace_per_environment: row.namespace_per_environment,
    user: user ? presentSummary(user, facts) : null,
    platform_kubernetes: {
      api_url: row.api_url,
      namespace: row.namespace,
      authorization_type: row.authorization_type ?? ('unknown_authorization' as const),
      ca_cert: row.ca_cert,
    },
    provider_gcp: null,
    management_project: manager ? presentIdentity(manager) : null,
  }
}

/** In lists, and of the instance. */
export const Cluster = entity({ name: 'Cluster', schema: Type.Object(fields), load, present })

/** Of a project, alone. */
export const ProjectCluster = entity({
  name: 'ProjectCluster',
  schema: Type.Object({ ...fields, project: described('The project that holds it', SimpleProject.schema) }),
  load: async (ctx: Context, rows: readonly ClusterRow[]) => ({
    ...(await load(ctx, rows)),
    projects: await projectsById(ctx.db, idsOf(rows, 'project_id')),
  }),
  present: (row: ClusterRow, loaded, facts) => ({
    ...present(row, loaded, facts),
    project: SimpleProject.present(loaded.projects.get(row.project_id as number)!, undefined, facts),
  }),
})

/** Of a group, alone. */
export const GroupCluster = entity({
  name: 'GroupCluster',
  schema: Type.Object({
    ...fields,
    group: described(
      'The group that holds it',
      Type.Object({
        id: integer('ID, unique on the instance'),
        name: text('Name of the group'),
        web_url: text('Address of the page for people'),
      }),
    ),
  }),
  load: async (ctx: Context, rows: readonly ClusterRow[]) => ({
    ...(await load(ctx, rows)),
    groups: await groupsById(ctx.db, idsOf(rows, 'namespace_id')),
  }),
  present: (row: ClusterRow, loaded, facts) => {
    const { id, name, full_path } = loaded.groups.get(row.namespace_id as number)!
    return { ...present(row, loaded, facts), group: { id, name, web_url: `${facts.url}/groups/${full_path}` } }
  },
})

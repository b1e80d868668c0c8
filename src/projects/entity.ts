/** A project as JSON, simple and full (document 3 "Project"; decision 44). */
import Type from 'typebox'
import { roles } from '../access/abilities.ts'
import { isAdmin } from '../access/actor.ts'
import { anyOf } from '../db/any.ts'
import { entity } from '../kernel/answer/entity.ts'
import type { Context, Facts } from '../kernel/context.ts'
import { DateTime, Day, Nullable, onTier } from '../kernel/types.ts'
import { namespaceFields, presentNamespace } from '../namespaces/entity.ts'
import type { SummaryRow } from '../users/entity.ts'
import { idsOf } from '../users/queries.ts'
import { type Permissions, type ProjectRow, permissionsIn } from './queries.ts'

const Namespace = Type.Object(namespaceFields)

const simpleFields = {
  id: Type.Integer(),
  description: Nullable(Type.String()),
  name: Type.String(),
  name_with_namespace: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
  created_at: DateTime(),
  default_branch: Nullable(Type.String()),
  tag_list: Type.Array(Type.String()),
  topics: Type.Array(Type.String()),
  ssh_url_to_repo: Type.String(),
  http_url_to_repo: Type.String(),
  web_url: Type.String(),
  readme_url: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  forks_count: Type.Integer(),
  star_count: Type.Integer(),
  last_activity_at: DateTime(),
  namespace: Namespace,
}

const featureLevel = Type.String()
const Access = Nullable(Type.Object({ access_level: Type.Integer(), notification_level: Type.Integer() }))

const fullFields = {
  ...simpleFields,
  _links: Type.Object({
    self: Type.String(),
    issues: Type.String(),
    merge_requests: Type.String(),
    repo_branches: Type.String(),
    labels: Type.String(),
    events: Type.String(),
    members: Type.String(),
  }),
  empty_repo: Type.Boolean(),
  archived: Type.Boolean(),
  visibility: Type.String(),
  owner: Type.Optional(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      username: Type.String(),
      state: Type.String(),
      avatar_url: Nullable(Type.String()),
      web_url: Type.String(),
      created_at: DateTime(),
    }),
  ),
  creator_id: Nullable(Type.Integer()),
  import_status: Type.String(),
  import_error: Nullable(Type.String()),
  open_issues_count: Type.Optional(Type.Integer()),
  resolve_outdated_diff_discussions: Type.Boolean(),
  container_registry_enabled: Type.Boolean(),
  container_expiration_policy: Type.Object({
    cadence: Type.String(),
    enabled: Type.Boolean(),
    keep_n: Nullable(Type.Integer()),
    older_than: Nullable(Type.String()),
    name_regex: Nullable(Type.String()),
    name_regex_keep: Nullable(Type.String()),
    next_run_at: Nullable(DateTime()),
  }),
  issues_enabled: Type.Boolean(),
  merge_requests_enabled: Type.Boolean(),
  wiki_enabled: Type.Boolean(),
  jobs_enabled: Type.Boolean(),
  snippets_enabled: Type.Boolean(),
  packages_enabled: Type.Boolean(),
  service_desk_enabled: Type.Boolean(),
  can_create_merge_request_in: Type.Boolean(),
  issues_access_level: featureLevel,
  repository_access_level: featureLevel,
  merge_requests_access_level: featureLevel,
  forking_access_level: featureLevel,
  wiki_access_level: featureLevel,
  builds_access_level: featureLevel,
  snippets_access_level: featureLevel,
  pages_access_level: featureLevel,
  operations_access_level: featureLevel,
  analytics_access_level: featureLevel,
  requirements_access_level: onTier('ultimate', featureLevel),
  emails_disabled: Type.Boolean(),
  shared_runners_enabled: Type.Boolean(),
  lfs_enabled: Type.Boolean(),
  request_access_enabled: Type.Boolean(),
  public_jobs: Type.Boolean(),
  ci_default_git_depth: Nullable(Type.Integer()),
  ci_forward_deployment_enabled: Type.Boolean(),
  ci_config_path: Nullable(Type.String()),
  build_git_strategy: Type.String(),
  build_timeout: Type.Integer(),
  build_coverage_regex: Nullable(Type.String()),
  auto_cancel_pending_pipelines: Type.String(),
  auto_devops_enabled: Type.Boolean(),
  auto_devops_deploy_strategy: Type.String(),
  restrict_user_defined_variables: Type.Boolean(),
  keep_latest_artifact: Type.Boolean(),
  only_allow_merge_if_pipeline_succeeds: Type.Boolean(),
  allow_merge_on_skipped_pipeline: Type.Boolean(),
  only_allow_merge_if_all_discussions_are_resolved: Type.Boolean(),
  remove_source_branch_after_merge: Type.Boolean(),
  printing_merge_request_link_enabled: Type.Boolean(),
  merge_method: Type.String(),
  squash_option: Type.String(),
  suggestion_commit_message: Nullable(Type.String()),
  autoclose_referenced_issues: Type.Boolean(),
  approvals_before_merge: onTier('premium', Type.Integer()),
  issues_template: onTier('premium', Nullable(Type.String())),
  merge_requests_template: onTier('premium', Nullable(Type.String())),
  mirror: onTier('premium', Type.Boolean()),
  mirror_user_id: onTier('premium', Type.Optional(Nullable(Type.Integer()))),
  mirror_trigger_builds: onTier('premium', Type.Optional(Type.Boolean())),
  only_mirror_protected_branches: onTier('premium', Type.Optional(Type.Boolean())),
  mirror_overwrites_diverged_branches: onTier('premium', Type.Optional(Type.Boolean())),
  external_authorization_classification_label: onTier('premium', Nullable(Type.String())),
  marked_for_deletion_at: onTier('premium', Nullable(Day())),
  marked_for_deletion_on: onTier('premium', Nullable(Day())),
  repository_storage: Type.Optional(Type.String()),
  permissions: Type.Object({ project_access: Access, group_access: Access }),
}

const simple = (row: ProjectRow, facts: Facts) => {
  const { url } = facts
  const web_url = `${url}/${row.full_path}`
  return {
    id: row.id,
    description: row.description,
    name: row.name,
    name_with_namespace: row.full_name,
    path: row.path,
    path_with_namespace: row.full_path,
    created_at: row.created_at,
    default_branch: row.default_branch,
    tag_list: row.topics,
    topics: row.topics,
    ssh_url_to_repo: `git@${new URL(url).hostname}:${row.full_path}.git`,
    http_url_to_repo: `${web_url}.git`,
    web_url,
    readme_url: row.readme_path && row.default_branch ? `${web_url}/-/blob/${row.default_branch}/${row.readme_path}` : null,
    avatar_url: row.avatar_url && `${url}${row.avatar_url}`,
    forks_count: row.forks_count,
    star_count: row.star_count,
    last_activity_at: row.last_activity_at,
    namespace: presentNamespace(
      {
        id: row.namespace_id,
        name: row.namespace_name,
        path: row.namespace_path,
        kind: row.namespace_kind,
        full_path: row.namespace_full_path,
        parent_id: row.namespace_parent_id,
        avatar_url: row.namespace_avatar_url,
      },
      facts,
    ),
  }
}

/** A project for whoever has not signed in, and for `simple=true` (document 3 "Simple fields"). */
export const SimpleProject = entity({
  name: 'SimpleProject',
  schema: Type.Object(simpleFields),
  present: (row: ProjectRow, _loaded: undefined, facts) => simple(row, facts),
})

interface Loaded {
  permissions: Map<number, Permissions>
  owners: Map<number, SummaryRow & { created_at: string }>
}

async function load({ db, actor }: Context, rows: readonly ProjectRow[]): Promise<Loaded> {
  const ownerIds = idsOf(rows, 'namespace_owner_id')
  const owners =
    ownerIds.length === 0
      ? []
      : await db
          .selectFrom('users')
          .select(['id', 'name', 'username', 'state', 'avatar_url', 'created_at'])
          .where('id', '=', anyOf(ownerIds))
          .execute()
  return { permissions: await permissionsIn(db, actor, rows), owners: new Map(owners.map(owner => [owner.id, owner])) }
}

/** Notifications follow the person's own setting unless they choose otherwise: level 3, "global". */
const GLOBAL_NOTIFICATIONS = 3
const access = (level: number | null | undefined) =>
  level == null ? null : { access_level: level, notification_level: GLOBAL_NOTIFICATIONS }

const on = (level: string) => level !== 'disabled'

/** Everything a signed-in reader sees; the same in lists and alone (decision 44). */
export const Project = entity({
  name: 'Project',
  schema: Type.Object(fullFields),
  load,
  present: (row: ProjectRow, { permissions, owners }: Loaded, facts) => {
    const api = `${facts.url}/api/v4/projects/${row.id}`
    const owner = row.namespace_owner_id === null ? undefined : owners.get(row.namespace_owner_id)
    const own = permissions.get(row.id)
    const admin = isAdmin(facts.actor)
    const role = Math.max(own?.project ?? 0, own?.group ?? 0, owner && owner.id === facts.actor.user?.id ? roles.owner : 0)
    const mayReadCode = admin || row.repository_access_level === 'enabled' || (on(row.repository_access_level) && role >= roles.guest)
    const mayOpenMergeRequests =
      row.merge_requests_access_level === 'enabled' || (on(row.merge_requests_access_level) && role >= roles.guest)
    return {
      ...simple(row, facts),
      _links: {
        self: api,
        issues: `${api}/issues`,
        merge_requests: `${api}/merge_requests`,
        repo_branches: `${api}/repository/branches`,
        labels: `${api}/labels`,
        events: `${api}/events`,
        members: `${api}/members`,
      },
      empty_repo: row.empty_repo,
      archived: row.archived,
      visibility: row.visibility,
      ...(owner
        ? {
            owner: {
              id: owner.id,
              name: owner.name,
              username: owner.username,
              state: owner.state,
              avatar_url: owner.avatar_url && `${facts.url}${owner.avatar_url}`,
              web_url: `${facts.url}/${owner.username}`,
              created_at: owner.created_at,
            },
          }
        : {}),
      creator_id: row.creator_id,
      import_status: row.import_status,
      import_error: row.import_error,
      ...(on(row.issues_access_level) ? { open_issues_count: row.open_issues_count } : {}),
      resolve_outdated_diff_discussions: row.resolve_outdated_diff_discussions,
      container_registry_enabled: row.container_registry_enabled,
      container_expiration_policy: row.container_expiration_policy as unknown as ContainerExpirationPolicy,
      // Contract: `*_enabled` mirrors `*_access_level` (decision 46).
      issues_enabled: on(row.issues_access_level),
      merge_requests_enabled: on(row.merge_requests_access_level),
      wiki_enabled: on(row.wiki_access_level),
      jobs_enabled: on(row.builds_access_level),
      snippets_enabled: on(row.snippets_access_level),
      packages_enabled: row.packages_enabled,
      service_desk_enabled: row.service_desk_enabled,
      can_create_merge_request_in: facts.actor.user !== undefined && !row.archived && mayReadCode && mayOpenMergeRequests,
      issues_access_level: row.issues_access_level,
      repository_access_level: row.repository_access_level,
      merge_requests_access_level: row.merge_requests_access_level,
      forking_access_level: row.forking_access_level,
      wiki_access_level: row.wiki_access_level,
      builds_access_level: row.builds_access_level,
      snippets_access_level: row.snippets_access_level,
      pages_access_level: row.pages_access_level,
      operations_access_level: row.operations_access_level,
      analytics_access_level: row.analytics_access_level,
      requirements_access_level: row.requirements_access_level,
      emails_disabled: row.emails_disabled,
      shared_runners_enabled: row.shared_runners_enabled,
      lfs_enabled: row.lfs_enabled,
      request_access_enabled: row.request_access_enabled,
      public_jobs: row.public_jobs,
      ci_default_git_depth: row.ci_default_git_depth,
      ci_forward_deployment_enabled: row.ci_forward_deployment_enabled,
      ci_config_path: row.ci_config_path,
      build_git_strategy: row.build_git_strategy,
      build_timeout: row.build_timeout,
      build_coverage_regex: row.build_coverage_regex,
      auto_cancel_pending_pipelines: row.auto_cancel_pending_pipelines,
      auto_devops_enabled: row.auto_devops_enabled,
      auto_devops_deploy_strategy: row.auto_devops_deploy_strategy,
      restrict_user_defined_variables: row.restrict_user_defined_variables,
      keep_latest_artifact: row.keep_latest_artifact,
      only_allow_merge_if_pipeline_succeeds: row.only_allow_merge_if_pipeline_succeeds,
      allow_merge_on_skipped_pipeline: row.allow_merge_on_skipped_pipeline,
      only_allow_merge_if_all_discussions_are_resolved: row.only_allow_merge_if_all_discussions_are_resolved,
      remove_source_branch_after_merge: row.remove_source_branch_after_merge,
      printing_merge_request_link_enabled: row.printing_merge_request_link_enabled,
      merge_method: row.merge_method,
      squash_option: row.squash_option,
      suggestion_commit_message: row.suggestion_commit_message,
      autoclose_referenced_issues: row.autoclose_referenced_issues,
      approvals_before_merge: row.approvals_before_merge,
      issues_template: row.issues_template,
      merge_requests_template: row.merge_requests_template,
      mirror: row.mirror,
      ...(row.mirror
        ? {
            mirror_user_id: row.mirror_user_id,
            mirror_trigger_builds: row.mirror_trigger_builds,
            only_mirror_protected_branches: row.only_mirror_protected_branches,
            mirror_overwrites_diverged_branches: row.mirror_overwrites_diverged_branches,
          }
        : {}),
      external_authorization_classification_label: row.external_authorization_classification_label,
      marked_for_deletion_at: row.marked_for_deletion_on,
      marked_for_deletion_on: row.marked_for_deletion_on,
      ...(admin ? { repository_storage: row.repository_storage } : {}),
      permissions: { project_access: access(own?.project), group_access: access(own?.group) },
    }
  },
})

interface ContainerExpirationPolicy {
  cadence: string
  enabled: boolean
  keep_n: number | null
  older_than: string | null
  name_regex: string | null
  name_regex_keep: string | null
  next_run_at: string | null
}

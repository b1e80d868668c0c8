/** A project as JSON, simple and full (document 3 "Project"; decision 44). */

import Type, { type TProperties } from 'typebox'
import { orWithCustomAttributes } from '../../identity/custom_attributes/entity.ts'
import { idsOf } from '../../identity/users/queries.ts'
import { roles } from '../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import { choice, entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import type { AddressPattern } from '../../platform/mail/incoming/addresses.ts'
import type { Secret } from '../../platform/secret.ts'
import { presentLicense } from '../licenses/known.ts'
import { presentNamespace } from '../namespaces/entity.ts'
import { type Level, levelNumber } from '../notification_settings/levels.ts'
import { type StatisticsRow, statisticsByProject } from '../project_statistics/queries.ts'
import { runnersTokensOf } from '../runners_tokens/commands.ts'
import { type SharedGroup, sharedGroupsOf } from '../shares/queries.ts'
import { type ExpirationPolicy, nextRunOf } from './attributes/expiration_policy.ts'
import { fullFields, licenseFields, simpleFields, statisticsField } from './attributes/fields.ts'
import { deskAddress } from './attributes/service_desk.ts'
import { forkSourcesOf, type ProjectRow, type ReaderFacts, readerFactsOf, type SimpleProjectRow } from './queries.ts'

/** The URL of a file in the root of the default branch. */
const fileUrl = (row: SimpleProjectRow, url: string, file: string): string => `${url}/${row.full_path}/-/blob/${row.default_branch}/${file}`

const simple = (row: SimpleProjectRow, facts: Facts) => {
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
    ssh_url_to_repo: `${facts.sshUrl}${row.full_path}.git`,
    http_url_to_repo: `${web_url}.git`,
    web_url,
    readme_url: row.readme_path && fileUrl(row, url, row.readme_path),
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

/** A project for anonymous callers, and for `simple=true` (document 3 "Simple fields"). */
export const SimpleProject = entity({
  name: 'SimpleProject',
  schema: Type.Object(simpleFields),
  present: (row: ProjectRow, _loaded: undefined, facts) => simple(row, facts),
})

/** The fields that are shown only on request. */
export interface RequestedFields {
  readonly statistics?: boolean | undefined
  readonly license?: boolean | undefined
}

interface Loaded {
  /** Where mails to projects go; undefined where the instance takes none. */
  readonly incomingMail: AddressPattern | undefined
  readonly asked: RequestedFields
  /** What the projects are to the reader, and who owns them. */
  readonly facts: Awaited<ReturnType<typeof readerFactsOf>>
  /** The registration tokens of the projects for which the reader may register runners. */
  readonly runnersTokens: ReadonlyMap<number, Secret>
  readonly sharedGroups: ReadonlyMap<number, SharedGroup[]>
  /** The fork sources of these projects that the reader may see. */
  readonly sources: ReadonlyMap<number, SimpleProjectRow>
  readonly statistics: ReadonlyMap<number, StatisticsRow>
}

async function load(ctx: Context, rows: readonly ProjectRow[], asked: RequestedFields): Promise<Loaded> {
  const { db, actor } = ctx
  const ids = idsOf(rows, 'id')
  const [facts, sharedGroups, sources] = await Promise.all([
    readerFactsOf(db, actor, ids),
    sharedGroupsOf(ctx, 'project_id', ids),
    forkSourcesOf(db, actor, ids),
  ])
  const idsFor = (role: number) => rows.flatMap(row => (levelIn(row, facts.get(row.id), actor) >= role ? [row.id] : []))
  const [runnersTokens, statistics] = await Promise.all([
    // Contract: for Maintainers, Owners and administrators, absent for others (decision 44).
    runnersTokensOf(ctx, 'project_id', idsFor(roles.maintainer)),
    // Contract: for members from Reporter up (decision 48).
    asked.statistics ? statisticsByProject(db, idsFor(roles.reporter)) : new Map(),
  ])
  return { asked, incomingMail: ctx.deps.config.incomingMail, facts, runnersTokens, sharedGroups, sources, statistics }
}

/** The reader's level in a project; administrators have the highest everywhere. */
const levelIn = (row: ProjectRow, own: ReaderFacts | undefined, actor: Actor): number =>
  isAdmin(actor) || (actor.user && row.namespace_owner_id === actor.user.id)
    ? roles.owner
    : Math.max(own?.project ?? roles.none, own?.group ?? roles.none)

/** The level of members who have chosen none is their global one. */
const access = (level: number | null | undefined, notifications: Level | null | undefined) =>
  level == null ? null : { access_level: level, notification_level: levelNumber(notifications ?? 'global') }

const on = (level: string) => level !== 'disabled'

/** All fields for a signed-in reader, with the requested ones; the same in lists and alone (decision 44). */
const projectWith = (name: string, asked: RequestedFields, fields: TProperties) =>
  entity({
    name,
    schema: Type.Object({ ...fullFields, ...fields }),
    load: (ctx: Context, rows: readonly ProjectRow[]) => load(ctx, rows, asked),
    present,
  })

export const Project = projectWith('Project', {}, {})
const WithStatistics = projectWith('ProjectWithStatistics', { statistics: true }, statisticsField)
/** Also the answer of star, unstar, archive and unarchive (document 3 "Project"). */
export const ProjectWithLicense = projectWith('ProjectWithLicense', { license: true }, licenseFields)
const WithBoth = projectWith(
  'ProjectWithStatisticsAndLicense',
  { statistics: true, license: true },
  { ...statisticsField, ...licenseFields },
)

/** Contract: an anonymous caller gets the simple fields, with or without `simple` (document 3). */
export const simpleOrFull = orWithCustomAttributes(
  'project_id',
  choice<ProjectRow>(
    [Project, SimpleProject, WithStatistics, ProjectWithLicense, WithBoth],
    ({ actor }, { simple, statistics, license }) => {
      if (simple || !actor.user) return SimpleProject
      if (statistics) return license ? WithBoth : WithStatistics
      return license ? ProjectWithLicense : Project
    },
  ),
)

function present(row: ProjectRow, loaded: Loaded, facts: Facts) {
  const { asked, runnersTokens, sharedGroups, sources, statistics } = loaded
  const api = `${facts.url}/api/v4/projects/${row.id}`
  const own = loaded.facts.get(row.id)
  const owner = own?.owner
  const role = levelIn(row, own, facts.actor)
  const has = (level: string) => level === 'enabled' || (on(level) && role >= roles.guest)
  const mayReadCode = has(row.repository_access_level)
  const runnersToken = runnersTokens.get(row.id)?.reveal()
  const numbers = statistics.get(row.id)
  const source = sources.get(row.id)
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
    // Contract: absent for a project that is no fork, and if the reader may not see the source (public behaviour at 14.0).
    ...(source ? { forked_from_project: simple(source, facts) } : {}),
    import_status: row.import_status,
    import_error: row.import_error,
    // Contract: counts include confidential issues only for users who may see them (decision 34). Without the issues there is no count.
    ...(has(row.issues_access_level)
      ? { open_issues_count: row.open_issues_count - (role >= roles.reporter ? 0 : row.confidential_open_issues_count) }
      : {}),
    resolve_outdated_diff_discussions: row.resolve_outdated_diff_discussions,
    container_registry_enabled: on(row.container_registry_access_level),
    container_registry_image_prefix: `${new URL(facts.url).host}/${row.full_path.toLowerCase()}`,
    container_expiration_policy: shownPolicy(row.container_expiration_policy as unknown as ExpirationPolicy, facts.now),
    // Contract: `*_enabled` mirrors `*_access_level` (decision 46).
    issues_enabled: on(row.issues_access_level),
    merge_requests_enabled: on(row.merge_requests_access_level),
    wiki_enabled: on(row.wiki_access_level),
    jobs_enabled: on(row.builds_access_level),
    snippets_enabled: on(row.snippets_access_level),
    packages_enabled: row.packages_enabled,
    service_desk_enabled: row.service_desk_enabled,
    // Contract: for those who may look after issues, of an instance that takes mail (public behaviour at 14.0).
    service_desk_address: row.service_desk_enabled && role >= roles.reporter ? deskAddress(row, loaded.incomingMail) : null,
    can_create_merge_request_in: facts.actor.user !== undefined && !row.archived && mayReadCode && has(row.merge_requests_access_level),
    issues_access_level: row.issues_access_level,
    repository_access_level: row.repository_access_level,
    merge_requests_access_level: row.merge_requests_access_level,
    forking_access_level: row.forking_access_level,
    wiki_access_level: row.wiki_access_level,
    builds_access_level: row.builds_access_level,
    snippets_access_level: row.snippets_access_level,
    container_registry_access_level: row.container_registry_access_level,
    pages_access_level: row.pages_access_level,
    operations_access_level: row.operations_access_level,
    analytics_access_level: row.analytics_access_level,
    requirements_access_level: row.requirements_access_level,
    emails_disabled: row.emails_disabled,
    shared_runners_enabled: row.shared_runners_enabled,
    lfs_enabled: row.lfs_enabled,
    show_default_award_emojis: row.show_default_award_emojis,
    request_access_enabled: row.request_access_enabled,
    public_jobs: row.public_jobs,
    ...(runnersToken === undefined ? {} : { runners_token: runnersToken }),
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
    ci_job_token_scope_enabled: row.ci_job_token_scope_enabled,
    ci_separated_caches: row.ci_separated_caches,
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
    mirror_user_id: row.mirror_user_id,
    mirror_trigger_builds: row.mirror_trigger_builds,
    only_mirror_protected_branches: row.only_mirror_protected_branches,
    mirror_overwrites_diverged_branches: row.mirror_overwrites_diverged_branches,
    external_authorization_classification_label: row.external_authorization_classification_label,
    marked_for_deletion_at: row.marked_for_deletion_on,
    marked_for_deletion_on: row.marked_for_deletion_on,
    ...(isAdmin(facts.actor) ? { repository_storage: row.repository_storage, repository_size_limit: row.repository_size_limit } : {}),
    shared_with_groups: sharedGroups.get(row.id) ?? [],
    ...(numbers ? { statistics: shownStatistics(numbers) } : {}),
    ...(asked.license ? licenseOf(row, mayReadCode, facts) : {}),
    permissions: {
      project_access: access(own?.project, own?.project_notifications),
      group_access: access(own?.group, own?.group_notifications),
    },
  }
}

const shownPolicy = (policy: ExpirationPolicy, now: Date) => ({
  cadence: policy.cadence,
  enabled: policy.enabled,
  keep_n: policy.keep_n,
  older_than: policy.older_than,
  name_regex: policy.name_regex,
  name_regex_keep: policy.name_regex_keep,
  next_run_at: nextRunOf(policy, now),
})

const shownStatistics = ({ project_id: _, ...numbers }: StatisticsRow) => numbers

/** The licence is part of the code, and shown to users who may read it. */
function licenseOf(row: ProjectRow, mayReadCode: boolean, { url }: Facts) {
  if (!mayReadCode || row.license_path === null || row.license_key === null) return { license_url: null, license: null }
  return { license_url: fileUrl(row, url, row.license_path), license: presentLicense(row.license_key) }
}

/**
 * The table of abilities: who may do what. Every endpoint names one, and `allows` alone decides. Scopes and `visible.ts` decide visibility
 * before that: a resource that the actor may not see is 404.
 */
import { type Actor, isActive, isAdmin, isImpersonated } from './actor.ts'
import { admits, builtOn, type Feature, type FeatureLevel, features, isFeatureOn, type Role, roles, type Visibility } from './open_to.ts'

export { builtOn, type Feature, type FeatureLevel, type Role, roles, type Visibility } from './open_to.ts'

/** The subject of an ability. `role` is the actor's effective role, with inherited and shared roles counted. */
export type AbilitySubject =
  | { readonly on: 'instance' }
  | {
      readonly on: 'project'
      readonly role: Role
      readonly visibility: Visibility
      readonly archived: boolean
      readonly features: Readonly<Record<Feature, FeatureLevel>>
      /** The actor is the author or an assignee of the resource in the project; for branches: some branches are open to the actor. */
      readonly own?: boolean
      /** `public_jobs`: actors below Reporter may read pipelines and jobs. */
      readonly publicJobs: boolean
    }
  | {
      readonly on: 'group'
      readonly role: Role
      readonly visibility: Visibility
      /** The actor is the author of the resource in the group. */
      readonly own?: boolean
    }
  /** Resources that belong to one user: keys, emails, tokens. */
  | { readonly on: 'user'; readonly userId: number /** Of the account; people's are `human`. */; readonly kind?: string }
  /** The users that an identity provider provisions in a top-level group and the groups below it. */
  | { readonly on: 'provisioning'; readonly topGroupId: number }

/** The kinds of subjects. */
export type SubjectKind = AbilitySubject['on']

interface InstanceRule {
  readonly on: 'instance'
  readonly who: 'anyone' | 'signed_in' | 'admin'
}

interface UserRule {
  readonly on: 'user'
  /** `self`: the user themselves and administrators. */
  readonly who: 'anyone' | 'signed_in' | 'self' | 'admin'
  /** Only for accounts of people. A bot is represented by its token and gets no credential that outlives it. */
  readonly human?: true
  /** Not for an administrator who acts as the user in the browser: what comes of it would go on when they have stopped. */
  readonly inPerson?: true
}

interface ProvisioningRule {
  readonly on: 'provisioning'
  /** No user, not even an administrator: only the SCIM token of the group. */
  readonly who: 'scim_token'
}

export interface PlaceRule {
  readonly on: 'project' | 'group'
  /** The lowest role that has the ability. */
  readonly role: Role
  /** Who has the ability without membership where the visibility admits them (open_to.ts): anyone, or any signed-in user. */
  readonly public?: 'anyone' | 'signed_in'
  /**
   * The author and the assignees of the resource also have the ability, as long as they have this one, which lets them see the resource.
   */
  readonly own?: string
  /** The project feature that must be enabled for the actor; of several, one. */
  readonly feature?: Feature | readonly Feature[]
  /** Features that must be enabled in addition. */
  readonly also?: readonly Feature[]
  /** Below Reporter only where the project's jobs are public (`public_jobs`). */
  readonly ofJobs?: true
  /** The ability changes the project's contents, so it is refused while the project is archived. */
  readonly changes?: true
}

/** Abilities on a place that only administrators have, whatever the role of others in it. */
interface AdminRule {
  readonly on: 'project' | 'group'
  readonly who: 'admin'
}

type Rule = InstanceRule | UserRule | ProvisioningRule | PlaceRule | AdminRule

/** Labels, milestones and boards exist for these features: with both disabled they are hidden. */
const planned = ['issues', 'merge_requests'] as const

/** Deployments are built from the repository: without these features there are no environments. */
const deployed = { feature: 'operations', also: ['builds', 'repository'] } as const

/** Builds use the repository. */
const built = { feature: 'builds', also: ['repository'] } as const

const rules = {
  // The instance
  read_instance: { on: 'instance', who: 'anyone' },
  use_instance: { on: 'instance', who: 'signed_in' },
  admin_instance: { on: 'instance', who: 'admin' },

  // Users
  read_user: { on: 'user', who: 'anyone' },
  read_user_details: { on: 'user', who: 'signed_in' },
  follow_user: { on: 'user', who: 'signed_in' },
  update_own: { on: 'user', who: 'self' },
  admin_user: { on: 'user', who: 'admin' },
  // Credentials and addresses of an account. Users add their own; administrators add them for others.
  add_own_credential: { on: 'user', who: 'self', human: true, inPerson: true },
  renew_own_credential: { on: 'user', who: 'self', inPerson: true },
  add_credential_for_user: { on: 'user', who: 'admin', human: true },

  // Groups
  read_group: { on: 'group', role: roles.minimal, public: 'anyone' },
  search_group: { on: 'group', role: roles.minimal, public: 'signed_in' },
  read_group_members: { on: 'group', role: roles.guest, public: 'signed_in' },
  create_project_in_group: { on: 'group', role: roles.developer },
  create_subgroup: { on: 'group', role: roles.maintainer },
  admin_group: { on: 'group', role: roles.owner },
  admin_group_minutes: { on: 'group', who: 'admin' },
  move_projects_into_group: { on: 'group', who: 'admin' },
  admin_group_member: { on: 'group', role: roles.owner },
  request_group_access: { on: 'group', role: roles.minimal, public: 'signed_in' },
  leave_group: { on: 'group', role: roles.minimal },
  choose_group_notifications: { on: 'group', role: roles.minimal, public: 'signed_in' },

  admin_group_custom_attributes: { on: 'group', who: 'admin' },

  read_group_label: { on: 'group', role: roles.minimal, public: 'anyone' },
  subscribe_group_label: { on: 'group', role: roles.minimal, public: 'signed_in' },
  admin_group_label: { on: 'group', role: roles.reporter },
  read_group_milestone: { on: 'group', role: roles.minimal, public: 'anyone' },
  admin_group_milestone: { on: 'group', role: roles.developer },
  read_group_board: { on: 'group', role: roles.minimal, public: 'signed_in' },
  admin_group_board: { on: 'group', role: roles.reporter },
  read_epic: { on: 'group', role: roles.minimal, public: 'signed_in' },
  create_epic: { on: 'group', role: roles.reporter },
  admin_epic: { on: 'group', role: roles.reporter },
  destroy_epic: { on: 'group', role: roles.owner },
  create_epic_note: { on: 'group', role: roles.minimal, public: 'signed_in' },
  admin_epic_note: { on: 'group', role: roles.maintainer, own: 'read_epic' },
  award_epic_emoji: { on: 'group', role: roles.minimal, public: 'signed_in' },
  read_internal_epic_note: { on: 'group', role: roles.reporter },
  mark_epic_todo: { on: 'group', role: roles.minimal, public: 'signed_in' },
  read_group_wiki: { on: 'group', role: roles.guest, public: 'anyone' },
  download_group_wiki: { on: 'group', role: roles.reporter, public: 'anyone' },
  create_group_wiki: { on: 'group', role: roles.developer },
  admin_group_wiki: { on: 'group', role: roles.maintainer },
  read_iteration: { on: 'group', role: roles.minimal, public: 'signed_in' },
  admin_iteration: { on: 'group', role: roles.developer },

  // Reporters of a group see the jobs of all projects below it.
  read_group_ci_cd_analytics: { on: 'group', role: roles.reporter },
  read_group_audit_events: { on: 'group', role: roles.owner },
  manage_group_access_tokens: { on: 'group', role: roles.owner },
  read_group_deploy_tokens: { on: 'group', role: roles.maintainer },
  admin_group_deploy_tokens: { on: 'group', role: roles.owner },
  admin_group_protected_environments: { on: 'group', role: roles.maintainer },
  admin_group_variables: { on: 'group', role: roles.owner },
  admin_group_runners: { on: 'group', role: roles.owner },
  read_group_releases: { on: 'group', role: roles.minimal, public: 'anyone' },
  read_group_packages: { on: 'group', role: roles.reporter, public: 'anyone' },
  admin_group_scim: { on: 'group', role: roles.owner },
  provision_group_users: { on: 'provisioning', who: 'scim_token' },

  // Projects
  read_project: { on: 'project', role: roles.guest, public: 'anyone' },
  search_project: { on: 'project', role: roles.guest, public: 'signed_in' },
  // Every user who may open an issue may read the templates.
  read_project_templates: { on: 'project', role: roles.guest, public: 'anyone', feature: 'repository' },
  read_project_members: { on: 'project', role: roles.guest, public: 'signed_in' },
  upload_file: { on: 'project', role: roles.guest, public: 'signed_in', changes: true },
  star_project: { on: 'project', role: roles.minimal, public: 'signed_in' },
  choose_project_notifications: { on: 'project', role: roles.guest, public: 'signed_in' },
  admin_project: { on: 'project', role: roles.maintainer },
  // Project attributes that Maintainers may not change although they may change the others (public permissions table at 14.0).
  change_project_visibility: { on: 'project', role: roles.owner },
  change_project_path: { on: 'project', role: roles.owner },
  disable_project_emails: { on: 'project', role: roles.owner },
  admin_project_storage: { on: 'project', who: 'admin' },
  admin_project_member: { on: 'project', role: roles.maintainer },
  request_project_access: { on: 'project', role: roles.guest, public: 'signed_in' },
  leave_project: { on: 'project', role: roles.minimal },
  admin_project_custom_attributes: { on: 'project', who: 'admin' },
  archive_project: { on: 'project', role: roles.owner },
  transfer_project: { on: 'project', role: roles.owner },
  read_project_audit_events: { on: 'project', role: roles.maintainer },
  remove_project: { on: 'project', role: roles.owner },
  fork_project: { on: 'project', role: roles.reporter, public: 'signed_in', feature: 'forking' },
  remove_fork_relation: { on: 'project', role: roles.owner },
  admin_deploy_keys: { on: 'project', role: roles.maintainer },
  admin_deploy_tokens: { on: 'project', role: roles.maintainer },
  manage_project_access_tokens: { on: 'project', role: roles.maintainer },

  // Planning
  read_label: { on: 'project', role: roles.guest, public: 'anyone', feature: planned },
  subscribe_label: { on: 'project', role: roles.guest, public: 'signed_in', feature: planned },
  admin_label: { on: 'project', role: roles.reporter, feature: planned, changes: true },
  read_milestone: { on: 'project', role: roles.guest, public: 'anyone', feature: planned },
  admin_milestone: { on: 'project', role: roles.developer, feature: planned, changes: true },
  read_board: { on: 'project', role: roles.guest, public: 'signed_in', feature: 'issues' },
  admin_board: { on: 'project', role: roles.reporter, feature: 'issues', changes: true },
  read_project_iteration: { on: 'project', role: roles.guest, public: 'signed_in', feature: 'issues' },

  // Issues
  read_issue: { on: 'project', role: roles.guest, public: 'anyone', feature: 'issues' },
  create_issue: { on: 'project', role: roles.guest, public: 'signed_in', feature: 'issues', changes: true },
  update_issue: { on: 'project', role: roles.reporter, own: 'read_issue', feature: 'issues', changes: true },
  admin_issue: { on: 'project', role: roles.reporter, feature: 'issues', changes: true },
  // Contract: importing issues takes the Developer role (public documentation at 14.0).
  import_issues: { on: 'project', role: roles.developer, feature: 'issues', changes: true },
  destroy_issue: { on: 'project', role: roles.owner, feature: 'issues', changes: true },
  read_user_agent_detail: { on: 'project', who: 'admin' },
  create_note: { on: 'project', role: roles.guest, public: 'signed_in', feature: 'issues', changes: true },
  admin_note: { on: 'project', role: roles.maintainer, own: 'read_issue', feature: 'issues', changes: true },
  // Members from Reporter up read and write internal notes. Being the author or an assignee does not suffice.
  read_internal_note: { on: 'project', role: roles.reporter, feature: 'issues' },
  award_emoji: { on: 'project', role: roles.guest, public: 'signed_in', feature: 'issues', changes: true },
  mark_todo: { on: 'project', role: roles.guest, public: 'signed_in', feature: 'issues' },
  admin_metric_image: { on: 'project', role: roles.reporter, own: 'read_issue', feature: 'issues', changes: true },
  subscribe_to_issue: { on: 'project', role: roles.guest, public: 'signed_in', feature: 'issues' },

  // Analytics: of what the caller may read
  read_issue_analytics: { on: 'project', role: roles.guest, public: 'anyone', feature: 'analytics', also: ['issues'] },
  read_merge_request_analytics: {
    on: 'project',
    role: roles.reporter,
    public: 'anyone',
    feature: 'analytics',
    also: ['merge_requests', 'repository'],
  },

  read_ci_cd_analytics: {
    on: 'project',
    role: roles.guest,
    public: 'anyone',
    feature: 'analytics',
    also: ['builds', 'repository'],
    ofJobs: true,
  },

  // Merge requests
  read_merge_request: { on: 'project', role: roles.reporter, public: 'anyone', feature: 'merge_requests' },
  // The source project requires `read_code`, the target project `push_code`.
  create_merge_request: { on: 'project', role: roles.reporter, public: 'signed_in', feature: 'merge_requests', changes: true },
  create_merge_request_from: { on: 'project', role: roles.developer, feature: 'repository', changes: true },
  update_merge_request: { on: 'project', role: roles.developer, own: 'read_merge_request', feature: 'merge_requests', changes: true },
  admin_merge_request: { on: 'project', role: roles.developer, feature: 'merge_requests', changes: true },
  destroy_merge_request: { on: 'project', role: roles.owner, feature: 'merge_requests', changes: true },
  merge_merge_request: { on: 'project', role: roles.developer, feature: 'merge_requests', changes: true },
  approve_merge_request: { on: 'project', role: roles.developer, own: 'read_merge_request', feature: 'merge_requests', changes: true },
  read_approval_rules: { on: 'project', role: roles.developer, feature: 'merge_requests' },
  create_merge_request_note: { on: 'project', role: roles.reporter, public: 'signed_in', feature: 'merge_requests', changes: true },
  admin_merge_request_note: { on: 'project', role: roles.maintainer, own: 'read_merge_request', feature: 'merge_requests', changes: true },
  read_internal_merge_request_note: { on: 'project', role: roles.reporter, feature: 'merge_requests' },
  award_merge_request_emoji: { on: 'project', role: roles.reporter, public: 'signed_in', feature: 'merge_requests', changes: true },
  mark_merge_request_todo: { on: 'project', role: roles.reporter, public: 'signed_in', feature: 'merge_requests' },
  // The author of the merge request may also resolve its threads.
  resolve_thread: { on: 'project', role: roles.developer, own: 'read_merge_request', feature: 'merge_requests', changes: true },
  subscribe_to_merge_request: { on: 'project', role: roles.reporter, public: 'signed_in', feature: 'merge_requests' },
  // Marks are the caller's own affair: an archived project has them too.
  mark_file_viewed: { on: 'project', role: roles.reporter, public: 'signed_in', feature: 'merge_requests' },

  // Snippets. Which of them a caller sees depends on their own visibility too (collaboration/snippets/visible.ts).
  read_snippet: { on: 'project', role: roles.guest, public: 'anyone', feature: 'snippets' },
  list_snippets: { on: 'project', role: roles.guest, public: 'signed_in', feature: 'snippets' },
  create_snippet: { on: 'project', role: roles.reporter, feature: 'snippets', changes: true },
  update_snippet: { on: 'project', role: roles.maintainer, own: 'read_snippet', feature: 'snippets', changes: true },
  create_snippet_note: { on: 'project', role: roles.guest, public: 'signed_in', feature: 'snippets', changes: true },
  admin_snippet_note: { on: 'project', role: roles.maintainer, own: 'read_snippet', feature: 'snippets', changes: true },
  read_internal_snippet_note: { on: 'project', role: roles.reporter, feature: 'snippets' },
  award_snippet_emoji: { on: 'project', role: roles.guest, public: 'signed_in', feature: 'snippets', changes: true },

  // Repository
  read_code: { on: 'project', role: roles.reporter, public: 'anyone', feature: 'repository' },
  create_commit_note: { on: 'project', role: roles.reporter, public: 'signed_in', feature: 'repository', changes: true },
  admin_commit_note: { on: 'project', role: roles.maintainer, own: 'read_code', feature: 'repository', changes: true },
  read_internal_commit_note: { on: 'project', role: roles.reporter, feature: 'repository' },
  push_code: { on: 'project', role: roles.developer, feature: 'repository', changes: true },
  // Push access to at least one branch: users who may merge a merge request from a fork have it in the fork if its author allows that.
  push_to_branch: { on: 'project', role: roles.developer, own: 'read_code', feature: 'repository', changes: true },
  admin_protected_branches: { on: 'project', role: roles.maintainer, feature: 'repository' },
  admin_protected_tags: { on: 'project', role: roles.maintainer, feature: 'repository' },

  // Wikis. Contract: Guests read the pages of a private project and cannot clone them; Maintainers delete pages (public permissions at 14.0).
  read_wiki: { on: 'project', role: roles.guest, public: 'anyone', feature: 'wiki' },
  download_wiki: { on: 'project', role: roles.reporter, public: 'anyone', feature: 'wiki' },
  create_wiki: { on: 'project', role: roles.developer, feature: 'wiki', changes: true },
  admin_wiki: { on: 'project', role: roles.maintainer, feature: 'wiki', changes: true },

  // CI/CD
  read_pipeline: { on: 'project', role: roles.guest, public: 'anyone', ...built, ofJobs: true },
  read_job: { on: 'project', role: roles.guest, public: 'anyone', ...built, ofJobs: true },
  // Artifacts of jobs whose CI file sets `artifacts: public: false`.
  read_private_artifacts: { on: 'project', role: roles.developer, ...built },
  // Pipeline variables may be secret. Developers also see those of their own pipelines.
  read_pipeline_variable: { on: 'project', role: roles.maintainer, own: 'read_pipeline', ...built },
  create_pipeline: { on: 'project', role: roles.developer, ...built, changes: true },
  // Where the project restricts variables of users (`restrict_user_defined_variables`).
  set_restricted_variables: { on: 'project', role: roles.maintainer, ...built, changes: true },
  update_pipeline: { on: 'project', role: roles.developer, ...built, changes: true },
  destroy_pipeline: { on: 'project', role: roles.owner, ...built, changes: true },
  update_job: { on: 'project', role: roles.developer, ...built, changes: true },
  // The user that a job runs for may also erase it.
  erase_job: { on: 'project', role: roles.maintainer, own: 'read_job', ...built, changes: true },
  destroy_artifacts: { on: 'project', role: roles.maintainer, ...built, changes: true },
  create_commit_status: { on: 'project', role: roles.developer, feature: 'repository', changes: true },
  read_commit_status: { on: 'project', role: roles.reporter, public: 'anyone', feature: 'repository' },
  lint_ci: { on: 'project', role: roles.developer, ...built },
  read_pipeline_schedule: { on: 'project', role: roles.developer, ...built },
  create_pipeline_schedule: { on: 'project', role: roles.developer, ...built, changes: true },
  update_pipeline_schedule: { on: 'project', role: roles.maintainer, own: 'read_pipeline_schedule', ...built, changes: true },
  admin_triggers: { on: 'project', role: roles.maintainer, ...built },
  read_resource_group: { on: 'project', role: roles.reporter, ...built },
  update_resource_group: { on: 'project', role: roles.developer, ...built, changes: true },
  read_project_runners: { on: 'project', role: roles.maintainer, feature: 'builds' },
  admin_project_runners: { on: 'project', role: roles.maintainer, feature: 'builds' },
  read_cluster_agent: { on: 'project', role: roles.developer, feature: 'repository' },
  admin_cluster_agent: { on: 'project', role: roles.maintainer, feature: 'repository' },
  admin_variables: { on: 'project', role: roles.maintainer, feature: 'builds' },

  // Releases
  read_release: { on: 'project', role: roles.guest, public: 'anyone', feature: 'repository' },
  create_release: { on: 'project', role: roles.developer, feature: 'repository', changes: true },
  update_release: { on: 'project', role: roles.developer, feature: 'repository', changes: true },
  destroy_release: { on: 'project', role: roles.developer, feature: 'repository', changes: true },

  // Packages: where the project has them (`packages_enabled`), which the scopes say.
  read_package: { on: 'project', role: roles.reporter, public: 'anyone' },
  create_package: { on: 'project', role: roles.developer, changes: true },
  destroy_package: { on: 'project', role: roles.maintainer, changes: true },

  // Deployments. Contract: nobody reads environments without signing in (decision 9).
  read_environment: { on: 'project', role: roles.reporter, public: 'signed_in', ...deployed },
  read_deployment: { on: 'project', role: roles.reporter, public: 'signed_in', ...deployed },
  admin_deployment: { on: 'project', role: roles.developer, ...deployed, changes: true },
  destroy_deployment: { on: 'project', role: roles.maintainer, ...deployed, changes: true },
  admin_protected_environments: { on: 'project', role: roles.maintainer, ...deployed },
  read_freeze_period: { on: 'project', role: roles.reporter, ...deployed },
  admin_freeze_period: { on: 'project', role: roles.maintainer, ...deployed },
  // Contract: flags belong to Developers and above, reading them included (feature flags API).
  read_feature_flag: { on: 'project', role: roles.developer, feature: 'operations' },
  admin_feature_flag: { on: 'project', role: roles.developer, feature: 'operations', changes: true },
  admin_feature_flags_user_lists: { on: 'project', role: roles.developer, feature: 'operations' },
  admin_feature_flags_client: { on: 'project', role: roles.maintainer, feature: 'operations' },
  admin_environment: { on: 'project', role: roles.developer, ...deployed, changes: true },
} as const satisfies Record<string, Rule>

export type Ability = keyof typeof rules

/** The abilities that apply to subjects of these kinds. */
export type AbilityAbout<On extends SubjectKind> = { [A in Ability]: (typeof rules)[A]['on'] extends On ? A : never }[Ability]

/** The table, for tests and generated documents. */
export const abilities: Readonly<Record<Ability, Rule>> = rules

/** Does a caller who is not signed in have this ability anywhere? If not, a request without credentials is 401 (decisions 7 to 9). */
export function openToAnonymous(ability: Ability): boolean {
  const rule = abilities[ability]
  return 'who' in rule ? rule.who === 'anyone' : rule.public === 'anyone'
}

/** The result of `allows`: `yes`; `no` is 403; `hidden`, where the feature is not enabled for the actor, is 404. */
export type Verdict = 'yes' | 'no' | 'hidden'

/**
 * May `actor` do this to `subject`? Pure. Administrators may do everything (decision 43), except use a feature that is disabled or change
 * an archived project. An account that is not active may do nothing, whatever credential acts for it.
 */
export function allows(actor: Actor, ability: Ability, subject: AbilitySubject): Verdict {
  const rule = abilities[ability]
  if (rule.on !== subject.on) throw new Error(`ability ${ability} is about a ${rule.on}, not a ${subject.on}`)
  if (subject.on === 'provisioning') return opensProvisioning(actor, subject.topGroupId) ? 'yes' : 'no'
  if (!isActive(actor)) return 'no'
  const admin = isAdmin(actor)
  if ('who' in rule) {
    if (subject.on === 'user' && 'human' in rule && subject.kind !== 'human') return 'no'
    if ('inPerson' in rule && isImpersonated(actor)) return 'no'
    if (rule.who === 'anyone') return 'yes'
    if (rule.who === 'signed_in') return actor.user ? 'yes' : 'no'
    if (rule.who === 'self') return admin || (subject.on === 'user' && actor.user?.id === subject.userId) ? 'yes' : 'no'
    return admin ? 'yes' : 'no'
  }
  const place = subject as Extract<AbilitySubject, { role: Role }>
  const role = admin ? roles.owner : isMachine(actor) ? roleOfMachine(actor, ability, place.role) : place.role
  const isOpen = !rule.ofJobs || place.on !== 'project' || place.publicJobs
  const enough = role >= (isOpen ? rule.role : roles.reporter)
  if (place.on === 'project' && rule.feature) {
    const isOn = (feature: Feature): boolean => {
      const below = builtOn[feature]
      return isFeatureOn(place.features[feature], role) && (below === undefined || isOn(below))
    }
    if (![rule.feature].flat().some(isOn) || rule.also?.some(feature => !isOn(feature))) return 'hidden'
  }
  if (place.on === 'project' && rule.changes && place.archived) return 'no'
  if (enough) return 'yes'
  if (rule.own && place.own && allows(actor, rule.own as Ability, subject) === 'yes') return 'yes'
  if (!isOpen) return 'no'
  return isPublicTo(actor, rule) && admits(place.visibility, actor.user) ? 'yes' : 'no'
}

/** What deploy keys and deploy tokens may do according to their role: git transport, LFS and packages, and nothing else of the role. */
const forMachines: ReadonlySet<Ability> = new Set([
  'read_project',
  'read_code',
  'push_code',
  'push_to_branch',
  'read_group',
  'read_package',
  'read_group_packages',
])

/** What a deploy token with scope `write_package_registry` may do in its projects; in all others it has no role. */
const forPublishers: ReadonlySet<Ability> = new Set(['create_package', 'destroy_package'])

function roleOfMachine({ credential }: Actor, ability: Ability, role: Role): Role {
  if (forMachines.has(ability)) return role
  const publishes = credential?.kind === 'deploy_token' && credential.scopes.includes('write_package_registry')
  return publishes && forPublishers.has(ability) && role > roles.none ? roles.maintainer : roles.none
}

const isMachine = ({ user, credential }: Actor): boolean =>
  user === undefined && (credential?.kind === 'deploy_key' || credential?.kind === 'deploy_token')

/** Does a rule grant anything to this actor without a role, where the visibility admits them? */
export const isPublicTo = ({ user }: Actor, { public: audience }: Pick<PlaceRule, 'public'>): boolean =>
  audience === 'anyone' || (audience === 'signed_in' && user !== undefined)

const opensProvisioning = ({ credential }: Actor, topGroupId: number): boolean =>
  credential?.kind === 'scim_token' && credential.groupId === topGroupId

/** The feature levels of a project row, from its `*_access_level` columns. */
export const featureLevels = (row: { [F in Feature as `${F}_access_level`]: string }): Record<Feature, FeatureLevel> =>
  Object.fromEntries(features.map(feature => [feature, row[`${feature}_access_level`] as FeatureLevel])) as Record<Feature, FeatureLevel>

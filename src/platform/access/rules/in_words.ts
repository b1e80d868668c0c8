/** The lines of the abilities table as sentences, for the pages about the API and the handbook. */
import { type Ability, abilities, type Feature, type PlaceRule } from '../abilities.ts'
import { roles } from '../open_to.ts'

/** The name of each access level. */
export const roleNames: Readonly<Record<number, string>> = {
  [roles.none]: 'No role',
  [roles.minimal]: 'Minimal access',
  [roles.guest]: 'Guest',
  [roles.reporter]: 'Reporter',
  [roles.developer]: 'Developer',
  [roles.maintainer]: 'Maintainer',
  [roles.owner]: 'Owner',
}

/** What each ability lets people do, for the tables of the handbook. */
export const abilityWords: Readonly<Record<Ability, string>> = {
  read_instance: 'See pages and lists that need no account',
  use_instance: 'Use the instance: search, one’s own lists, new projects and groups as far as the instance allows them',
  admin_instance: 'Administer the instance: its settings, accounts, runners, background jobs, audit log',
  read_user: 'See a profile',
  read_user_details: 'See what a profile shows to signed-in users',
  follow_user: 'Follow what a user does',
  update_own: 'Change one’s account, settings, to-dos and status',
  admin_user: 'Change, approve, block and delete accounts',
  add_own_credential: 'Add access tokens, keys and addresses to an account',
  change_own_email: 'Change the primary address of an account',
  renew_own_credential: 'Renew a credential of an account',
  add_credential_for_user: 'Add credentials and addresses for another account',
  read_group: 'See the group',
  search_group: 'Search in the group',
  read_group_members: 'See the members',
  create_project_in_group: 'Create projects in the group (a setting of the group can ask for a higher role)',
  create_subgroup: 'Create groups in the group (a setting of the group can ask for a higher role)',
  admin_group: 'Change the settings of the group, delete it, and set up its webhooks, badges and integrations',
  move_projects_into_group: 'Move any project into the group',
  admin_group_minutes: 'Set the minutes of CI of the group',
  admin_group_member: 'Add, change and remove members, invitations and shares',
  request_group_access: 'Ask for access',
  leave_group: 'Leave the group',
  choose_group_notifications: 'Choose what one gets mail about',
  admin_group_custom_attributes: 'Keep custom attributes',
  read_group_label: 'See labels',
  subscribe_group_label: 'Follow a label',
  admin_group_label: 'Create, change and delete labels',
  read_group_milestone: 'See milestones',
  admin_group_milestone: 'Create, change and delete milestones',
  read_group_board: 'See boards',
  admin_group_board: 'Create, change and delete boards and their lists',
  read_epic: 'See epics and the roadmap',
  create_epic: 'Create epics',
  admin_epic: 'Change epics: texts, state, labels, dates, issues',
  destroy_epic: 'Delete epics',
  create_epic_note: 'Comment on epics',
  admin_epic_note: 'Change and delete comments on epics',
  award_epic_emoji: 'React to epics and comments on them',
  read_internal_epic_note: 'See internal comments on epics',
  mark_epic_todo: 'Add an epic to one’s to-dos',
  read_group_wiki: 'See the pages of the wiki',
  download_group_wiki: 'Clone the wiki',
  create_group_wiki: 'Write and change wiki pages, and push to the wiki',
  admin_group_wiki: 'Delete wiki pages',
  read_iteration: 'See iterations',
  admin_iteration: 'Create, change and delete iterations',
  read_group_ci_cd_analytics: 'See the figures of CI/CD',
  read_group_audit_events: 'See the audit log',
  manage_group_access_tokens: 'Manage access tokens of the group',
  read_group_deploy_tokens: 'See deploy tokens',
  admin_group_deploy_tokens: 'Create and revoke deploy tokens',
  admin_group_protected_environments: 'Protect tiers of environments for all projects of the group',
  admin_group_ldap: 'Link the group to groups of a directory',
  admin_group_cluster: 'See, add, change and remove clusters',
  admin_group_variables: 'See and change variables of CI/CD',
  admin_group_runners: 'See, register and change runners of the group',
  read_group_releases: 'See releases of its projects',
  read_group_packages: 'See packages of its projects',
  create_group_packages: 'Add and change distributions of packages',
  destroy_group_packages: 'Delete distributions of packages',
  read_group_container_images: 'See container images of its projects',
  read_dependency_proxy: 'Pull images of another registry through the group',
  admin_group_scim: 'Set up SCIM',
  provision_group_users: 'Make and remove accounts by SCIM',
  read_project: 'See the project',
  search_project: 'Search in the project',
  read_project_templates: 'See templates of issues and merge requests',
  read_project_members: 'See the members',
  upload_file: 'Attach files to texts',
  star_project: 'Star the project',
  choose_project_notifications: 'Choose what one gets mail about',
  admin_project: 'Change the settings of the project, and set up webhooks, badges and integrations',
  change_project_visibility: 'Change who sees the project',
  change_project_path: 'Change the path of the project',
  disable_project_emails: 'Switch off the mails of the project',
  admin_project_storage: 'Move the repository to another storage',
  admin_project_member: 'Add, change and remove members, invitations and shares',
  request_project_access: 'Ask for access',
  leave_project: 'Leave the project',
  admin_project_custom_attributes: 'Keep custom attributes',
  archive_project: 'Archive the project',
  transfer_project: 'Move the project to another group',
  read_project_audit_events: 'See the audit log',
  remove_project: 'Delete the project',
  fork_project: 'Fork the project',
  remove_fork_relation: 'Cut a fork off from its source',
  admin_deploy_keys: 'Manage deploy keys',
  admin_deploy_tokens: 'Manage deploy tokens',
  manage_project_access_tokens: 'Manage access tokens of the project',
  read_label: 'See labels',
  subscribe_label: 'Follow a label',
  admin_label: 'Create, change and delete labels',
  read_milestone: 'See milestones',
  admin_milestone: 'Create, change and delete milestones',
  read_board: 'See boards',
  admin_board: 'Create, change and delete boards and their lists',
  read_project_iteration: 'See iterations',
  read_issue: 'See issues',
  create_issue: 'Create issues',
  update_issue: 'Change the title and description of issues, close and reopen them',
  admin_issue: 'Change labels, assignees, milestones and all else of issues',
  import_issues: 'Import issues',
  destroy_issue: 'Delete issues',
  read_user_agent_detail: 'See from where an issue or snippet was written',
  create_note: 'Comment on issues',
  admin_note: 'Change and delete comments on issues',
  read_internal_note: 'See internal comments on issues',
  award_emoji: 'React to issues and comments on them',
  mark_todo: 'Add an issue to one’s to-dos',
  admin_metric_image: 'Attach and remove images of metrics',
  subscribe_to_issue: 'Follow an issue',
  read_issue_analytics: 'See the figures of issues',
  read_merge_request_analytics: 'See the figures of merge requests',
  read_ci_cd_analytics: 'See the figures of CI/CD',
  read_merge_request: 'See merge requests',
  create_merge_request: 'Open merge requests into the project',
  create_merge_request_from: 'Open merge requests from branches of the project',
  update_merge_request: 'Change the title and description of merge requests, close and reopen them',
  admin_merge_request: 'Change reviewers, assignees, labels and all else of merge requests',
  destroy_merge_request: 'Delete merge requests',
  merge_merge_request: 'Merge, where the target branch allows it (see [Protected branches](#protected-branches))',
  approve_merge_request: 'Approve merge requests',
  read_approval_rules: 'See approval rules',
  create_merge_request_note: 'Comment on merge requests',
  admin_merge_request_note: 'Change and delete comments on merge requests',
  read_internal_merge_request_note: 'See internal comments on merge requests',
  award_merge_request_emoji: 'React to merge requests and comments on them',
  mark_merge_request_todo: 'Add a merge request to one’s to-dos',
  resolve_thread: 'Resolve threads of merge requests',
  subscribe_to_merge_request: 'Follow a merge request',
  mark_file_viewed: 'Mark files of a merge request as viewed',
  read_snippet: 'See snippets, as far as their own visibility lets one',
  list_snippets: 'List snippets',
  create_snippet: 'Create snippets',
  update_snippet: 'Change and delete snippets',
  create_snippet_note: 'Comment on snippets',
  admin_snippet_note: 'Change and delete comments on snippets',
  read_internal_snippet_note: 'See internal comments on snippets',
  award_snippet_emoji: 'React to snippets and comments on them',
  read_code: 'See and fetch the repository',
  create_commit_note: 'Comment on commits and react to comments on them',
  admin_commit_note: 'Change and delete comments on commits (one’s own always)',
  read_internal_commit_note: 'See internal comments on commits',
  read_fetches: 'See how often the repository is fetched',
  push_code: 'Push to branches and tags that are not protected (see [Protected branches](#protected-branches))',
  read_wiki: 'See the pages of the wiki',
  download_wiki: 'Clone the wiki',
  create_wiki: 'Write and change wiki pages, and push to the wiki',
  admin_wiki: 'Delete wiki pages',
  push_to_branch: 'Push to a branch of a fork whose author allows those who may merge it',
  admin_protected_branches: 'Protect branches',
  read_mirrors: 'See what a project mirrors, and how that goes',
  admin_mirrors: 'Set up mirrors of a project, and update them',
  admin_protected_tags: 'Protect tags',
  read_pipeline: 'See pipelines',
  read_job: 'See jobs, their logs and public artifacts',
  read_private_artifacts: 'See artifacts that are not public',
  read_pipeline_variable: 'See the variables that a pipeline was given',
  create_pipeline: 'Run pipelines (of a protected branch: who may push to it or merge into it)',
  set_restricted_variables: 'Run pipelines with variables of one’s own where the project restricts them',
  update_pipeline: 'Retry and cancel pipelines',
  destroy_pipeline: 'Delete pipelines',
  update_job: 'Run, retry and cancel jobs (of a protected environment: see [Protected environments](#protected-environments))',
  erase_job: 'Erase the log and artifacts of a job',
  destroy_artifacts: 'Delete artifacts',
  create_commit_status: 'Report the status of a commit',
  read_commit_status: 'See the statuses of a commit',
  lint_ci: 'Check and simulate CI files',
  read_pipeline_schedule: 'See schedules',
  create_pipeline_schedule: 'Create schedules',
  update_pipeline_schedule: 'Change, take over and delete schedules',
  admin_triggers: 'Manage triggers',
  read_resource_group: 'See resource groups',
  update_resource_group: 'Change resource groups',
  read_project_runners: 'See runners',
  admin_project_runners: 'Register, change and remove runners',
  read_cluster_agent: 'See agents of clusters',
  admin_cluster_agent: 'Manage agents of clusters',
  read_cluster: 'See clusters that are connected by a certificate',
  admin_cluster: 'Add, change and remove clusters that are connected by a certificate',
  admin_variables: 'See and change variables of CI/CD',
  read_release: 'See releases',
  create_release: 'Create releases',
  update_release: 'Change releases',
  destroy_release: 'Delete releases',
  read_package: 'See and download packages',
  create_package: 'Publish packages',
  destroy_package: 'Delete packages',
  admin_package_protection: 'Protect packages',
  read_terraform_state: 'Read states of Terraform',
  admin_terraform_state: 'Write, lock and delete states of Terraform',
  read_site: 'Read the static site, where it is not open to everyone',
  read_pages: 'See the domains of the static site',
  update_pages: 'Add, change and remove the domains of the static site, and remove the site on its page',
  remove_pages: 'Remove the static site with the API',
  read_container_image: 'See and pull container images',
  create_container_image: 'Push container images',
  destroy_container_image: 'Delete tags of container images',
  admin_container_image: 'Delete repositories of container images, and many tags in one step',
  admin_container_protection: 'Protect repositories of container images',
  read_environment: 'See environments',
  read_deployment: 'See deployments',
  admin_deployment: 'Record and change deployments',
  destroy_deployment: 'Delete deployments',
  admin_protected_environments: 'Protect environments',
  read_freeze_period: 'See freeze periods',
  admin_freeze_period: 'Manage freeze periods',
  read_feature_flag: 'See feature flags, and what applications need to read them',
  admin_feature_flag: 'Manage feature flags',
  admin_feature_flags_user_lists: 'See and manage user lists of feature flags',
  admin_feature_flags_client: 'Replace the instance ID that applications read feature flags with',
  admin_environment: 'Create, change, stop and delete environments',
}

/** Who has an ability, one sentence for each way to it, and when nobody has. Administrators are not named: they have all but that of SCIM. */
export function whoMay(ability: Ability): readonly string[] {
  const rule = abilities[ability]
  if (!('who' in rule)) return inPlace(rule)
  switch (rule.who) {
    case 'anyone':
      return ['Anyone, also without an account']
    case 'signed_in':
      return ['Every signed-in user']
    case 'self':
      return [
        'The user themselves, and administrators',
        ...('inPerson' in rule ? ['Not an administrator who acts as the user in the browser'] : []),
        ...('bySession' in rule ? ['Signed in in the browser, not with a token'] : []),
        ...('human' in rule ? ['Only for accounts of people, not for those of bots'] : []),
      ]
    case 'admin':
      return ['Administrators only', ...('human' in rule ? ['Only for accounts of people, not for those of bots'] : [])]
    case 'scim_token':
      return ['The SCIM token of the group only']
  }
}

function inPlace({ on, role, public: audience, own, feature, also, ofJobs, changes }: PlaceRule): readonly string[] {
  const features = feature === undefined ? [] : [feature].flat()
  const needed = [...(features.length > 0 ? [features.map(featureInWords).join(' or ')] : []), ...(also ?? []).map(featureInWords)]
  return [
    `Members of the ${on} with the role ${roleNames[role]} or a higher one`,
    ...(audience === 'anyone' ? [`Anyone who may see the ${on}: all where it is public, signed-in users where it is internal`] : []),
    ...(audience === 'signed_in' ? [`Signed-in users who may see the ${on}, where it is public or internal`] : []),
    ...(own ? ['Also the author or an assignee of the thing, while they may see it'] : []),
    ...(ofJobs ? ['Below Reporter only where the project has public pipelines'] : []),
    ...(needed.length > 0 ? [`Only where the project has ${needed.join(' and ')} switched on for the caller`] : []),
    ...(changes ? ['Not while the project is archived'] : []),
  ]
}

const names: { readonly [F in Feature]?: string } = { merge_requests: 'merge requests', builds: 'CI/CD', operations: 'environments' }

const featureInWords = (feature: Feature): string => names[feature] ?? feature

/** The table of permissions in a kind of place as Markdown: what, from which role on, who without a role, and what else must hold. */
export function permissionsTable(on: PlaceRule['on']): string {
  const audiences = { anyone: 'Anyone who may see it', signed_in: 'Signed-in users who may see it' } as const
  const rows = (Object.keys(abilities) as Ability[]).flatMap(ability => {
    const rule = abilities[ability]
    if (rule.on !== on) return []
    const [name, first] = [`${abilityWords[ability]} | \`${ability}\``, 'who' in rule ? undefined : rule]
    if (!first) return [`| ${name} | Administrators only | | |\n`]
    const conditions = inPlace({ ...first, public: undefined } as unknown as PlaceRule).slice(1)
    return [`| ${name} | ${roleNames[first.role]} | ${first.public ? audiences[first.public] : ''} | ${conditions.join('. ')} |\n`]
  })
  return `| What | Ability | From the role | Without a role | What else |\n| --- | --- | --- | --- | --- |\n${rows.join('')}`
}

/** The same for what belongs to no project or group: the instance, accounts, and what identity providers do. */
export function instancePermissionsTable(): string {
  const rows = (Object.keys(abilities) as Ability[])
    .filter(ability => 'who' in abilities[ability] && !['project', 'group'].includes(abilities[ability].on))
    .map(ability => `| ${abilityWords[ability]} | \`${ability}\` | ${whoMay(ability).join('. ')} |\n`)
  return `| What | Ability | Who |\n| --- | --- | --- |\n${rows.join('')}`
}

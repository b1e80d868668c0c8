/**
 * The explicit list of all endpoints: the map of the server. No autoloading; a resource is served when it stands here.
 */

import * as agents from '../ci/agents/endpoints.ts'
import * as artifactsByJob from '../ci/artifacts/by_job/endpoints.ts'
import * as artifacts from '../ci/artifacts/endpoints.ts'
import * as clusters from '../ci/clusters/endpoints.ts'
import * as commitStatuses from '../ci/commit_statuses/endpoints.ts'
import * as jobTokenScope from '../ci/job_token_scope/endpoints.ts'
import * as jobs from '../ci/jobs/endpoints.ts'
import * as lint from '../ci/lint/endpoints.ts'
import * as pipelineActions from '../ci/pipeline_actions/endpoints.ts'
import * as pipelineCreation from '../ci/pipeline_creation/endpoints.ts'
import * as commitsWithPipelines from '../ci/pipelines/commits/endpoints.ts'
import * as pipelines from '../ci/pipelines/endpoints.ts'
import * as planLimits from '../ci/plan_limits/endpoints.ts'
import * as testReports from '../ci/reports/endpoints.ts'
import * as resourceGroups from '../ci/resource_groups/endpoints.ts'
import * as runnerJobs from '../ci/runner_jobs/endpoints.ts'
import * as artifactTransfers from '../ci/runner_protocol/artifacts/endpoints.ts'
import * as runnerProtocol from '../ci/runner_protocol/endpoints.ts'
import * as runners from '../ci/runners/endpoints.ts'
import * as schedules from '../ci/schedules/endpoints.ts'
import * as statusBadges from '../ci/status_badges/endpoints.ts'
import * as traces from '../ci/traces/endpoints.ts'
import * as triggers from '../ci/triggers/endpoints.ts'
import * as variables from '../ci/variables/endpoints.ts'
import * as deployKeys from '../code/deploy_keys/endpoints.ts'
import * as fetches from '../code/fetches/endpoints.ts'
import * as forks from '../code/forks/endpoints.ts'
import * as gitHttp from '../code/git_http/endpoints.ts'
import * as housekeeping from '../code/housekeeping/endpoints.ts'
import * as imports from '../code/imports/endpoints.ts'
import * as languages from '../code/languages/endpoints.ts'
import * as lfs from '../code/lfs/endpoints.ts'
import * as lfsLocks from '../code/lfs/locks/endpoints.ts'
import * as protectedBranches from '../code/protected_branches/endpoints.ts'
import * as protectedTags from '../code/protected_tags/endpoints.ts'
import * as branches from '../code/repository/branches/endpoints.ts'
import * as commits from '../code/repository/commits/endpoints.ts'
import * as repository from '../code/repository/endpoints.ts'
import * as files from '../code/repository/files/endpoints.ts'
import * as sideRepositories from '../code/side_repositories/endpoints.ts'
import * as templates from '../code/templates/endpoints.ts'
import * as awardEmoji from '../collaboration/award_emoji/endpoints.ts'
import * as discussions from '../collaboration/discussions/endpoints.ts'
import * as markdown from '../collaboration/markdown/endpoints.ts'
import * as notes from '../collaboration/notes/endpoints.ts'
import * as snippets from '../collaboration/snippets/endpoints.ts'
import * as timeTracking from '../collaboration/time_tracking/endpoints.ts'
import * as todos from '../collaboration/todos/endpoints.ts'
import * as wikis from '../collaboration/wikis/endpoints.ts'
import * as containerRegistry from '../delivery/container_registry/api/endpoints.ts'
import * as registryTokens from '../delivery/container_registry/authentication/endpoints.ts'
import * as imageBlobs from '../delivery/container_registry/distribution/blobs.ts'
import * as imageListings from '../delivery/container_registry/distribution/listings.ts'
import * as imageManifests from '../delivery/container_registry/distribution/manifests.ts'
import * as dependencyProxy from '../delivery/container_registry/proxy/endpoints.ts'
import * as deployments from '../delivery/deployments/endpoints.ts'
import * as environments from '../delivery/environments/endpoints.ts'
import * as featureFlags from '../delivery/feature_flags/endpoints.ts'
import * as unleash from '../delivery/feature_flags/unleash/endpoints.ts'
import * as flagUserLists from '../delivery/feature_flags/user_lists/endpoints.ts'
import * as freezePeriods from '../delivery/freeze_periods/endpoints.ts'
import * as packageDownloads from '../delivery/packages/downloads.ts'
import * as packages from '../delivery/packages/endpoints.ts'
import * as composerPackages from '../delivery/packages/protocols/composer/endpoints.ts'
import * as conanPackages from '../delivery/packages/protocols/conan/endpoints.ts'
import * as conanRecipes from '../delivery/packages/protocols/conan/v1.ts'
import * as conanRevisions from '../delivery/packages/protocols/conan/v2.ts'
import * as debianDistributions from '../delivery/packages/protocols/debian/distributions/endpoints.ts'
import * as debianPackages from '../delivery/packages/protocols/debian/endpoints.ts'
import * as genericPackages from '../delivery/packages/protocols/generic/endpoints.ts'
import * as goPackages from '../delivery/packages/protocols/golang/endpoints.ts'
import * as helmPackages from '../delivery/packages/protocols/helm/endpoints.ts'
import * as mavenPackages from '../delivery/packages/protocols/maven/endpoints.ts'
import * as npmPackages from '../delivery/packages/protocols/npm/endpoints.ts'
import * as nugetPackages from '../delivery/packages/protocols/nuget/endpoints.ts'
import * as pypiPackages from '../delivery/packages/protocols/pypi/endpoints.ts'
import * as rubyPackages from '../delivery/packages/protocols/rubygems/endpoints.ts'
import * as protectedEnvironments from '../delivery/protected_environments/endpoints.ts'
import * as registryProtection from '../delivery/registry_protection/endpoints.ts'
import * as tagProtection from '../delivery/registry_protection/tags/endpoints.ts'
import * as releases from '../delivery/releases/endpoints.ts'
import * as releaseLinks from '../delivery/releases/links/endpoints.ts'
import * as releaseBadges from '../delivery/releases/pages/badge.ts'
import * as releasePages from '../delivery/releases/pages/endpoints.ts'
import * as siteDomains from '../delivery/sites/domains/endpoints.ts'
import * as sites from '../delivery/sites/endpoints.ts'
import * as tags from '../delivery/tags/endpoints.ts'
import * as terraformStates from '../delivery/terraform_states/endpoints.ts'
import * as applications from '../identity/applications/endpoints.ts'
import * as userCustomAttributes from '../identity/custom_attributes/endpoints.ts'
import * as emails from '../identity/emails/endpoints.ts'
import * as followers from '../identity/followers/endpoints.ts'
import * as gpgKeys from '../identity/gpg_keys/endpoints.ts'
import * as keys from '../identity/keys/endpoints.ts'
import * as oauthDevices from '../identity/oauth/devices/endpoints.ts'
import * as oauth from '../identity/oauth/endpoints.ts'
import * as oauthGrants from '../identity/oauth/grants/endpoints.ts'
import * as openid from '../identity/oauth/openid/endpoints.ts'
import * as providers from '../identity/providers/endpoints.ts'
import * as publicKeys from '../identity/public_keys/endpoints.ts'
import * as sessions from '../identity/sessions/endpoints.ts'
import * as twoFactor from '../identity/two_factor/endpoints.ts'
import * as userStatus from '../identity/user_status/endpoints.ts'
import * as users from '../identity/users/endpoints.ts'
import * as preferences from '../identity/users/preferences/endpoints.ts'
import * as bulkImports from '../integrations/bulk_imports/endpoints.ts'
import * as githubImports from '../integrations/github_imports/endpoints.ts'
import * as groupArchives from '../integrations/group_archives/endpoints.ts'
import * as hooks from '../integrations/hooks/endpoints.ts'
import * as incomingMail from '../integrations/incoming_mail/service/endpoints.ts'
import * as mirrors from '../integrations/mirrors/endpoints.ts'
import * as projectArchives from '../integrations/project_archives/endpoints.ts'
import * as scim from '../integrations/scim/endpoints.ts'
import * as serviceDesk from '../integrations/service_desk/endpoints.ts'
import * as boards from '../planning/boards/endpoints.ts'
import * as childEpics from '../planning/epics/children/endpoints.ts'
import * as epics from '../planning/epics/endpoints.ts'
import * as epicIssues from '../planning/epics/issues/endpoints.ts'
import * as issues from '../planning/issues/endpoints.ts'
import * as issueLinks from '../planning/issues/links/endpoints.ts'
import * as issueLists from '../planning/issues/lists/endpoints.ts'
import * as issueRelocation from '../planning/issues/relocation/endpoints.ts'
import * as iterations from '../planning/iterations/endpoints.ts'
import * as labels from '../planning/labels/endpoints.ts'
import * as metricImages from '../planning/metric_images/endpoints.ts'
import * as milestones from '../planning/milestones/endpoints.ts'
import * as resourceEvents from '../planning/resource_events/endpoints.ts'
import * as appearance from '../platform/appearance/endpoints.ts'
import * as applicationSettings from '../platform/application_settings/endpoints.ts'
import type { Endpoint } from '../platform/kernel/declaration/endpoint.ts'
import * as system from '../platform/system/endpoints.ts'
import * as queueMetrics from '../platform/system/queue_metrics/endpoints.ts'
import { apiPages } from '../portal/api_docs/endpoints.ts'
import * as atom from '../portal/atom/endpoints.ts'
import * as broadcastMessages from '../portal/broadcast_messages/endpoints.ts'
import * as feed from '../portal/feed/endpoints.ts'
import * as goGet from '../portal/go_get/endpoints.ts'
import * as graphql from '../portal/graphql/endpoints.ts'
import * as instance from '../portal/instance/endpoints.ts'
import * as search from '../portal/search/endpoints.ts'
import * as approvals from '../review/approvals/endpoints.ts'
import * as approvalRules from '../review/approvals/rules/endpoints.ts'
import * as changelog from '../review/changelog/endpoints.ts'
import * as commitComments from '../review/commit_comments/endpoints.ts'
import { commitApi } from '../review/commit_comments/noteable.ts'
import * as draftNotes from '../review/draft_notes/endpoints.ts'
import * as mergeRequestPipelines from '../review/merge_request_pipelines/endpoints.ts'
import * as closingIssues from '../review/merge_requests/closing/endpoints.ts'
import * as mergeRequests from '../review/merge_requests/endpoints.ts'
import * as mergeRequestLists from '../review/merge_requests/lists/endpoints.ts'
import * as milestoneMergeRequests from '../review/merge_requests/lists/milestones/endpoints.ts'
import * as merging from '../review/merge_requests/merging/endpoints.ts'
import * as contextCommits from '../review/merge_requests/versions/context/endpoints.ts'
import * as mergeRequestVersions from '../review/merge_requests/versions/endpoints.ts'
import * as viewedFiles from '../review/merge_requests/versions/reading/endpoints.ts'
import * as suggestions from '../review/suggestions/endpoints.ts'
import * as accessRequests from '../spaces/access_requests/endpoints.ts'
import * as auditEvents from '../spaces/audit_events/endpoints.ts'
import * as avatars from '../spaces/avatars/endpoints.ts'
import * as badges from '../spaces/badges/endpoints.ts'
import * as billableMembers from '../spaces/billable_members/endpoints.ts'
import * as customAttributes from '../spaces/custom_attributes/endpoints.ts'
import * as deployTokens from '../spaces/deploy_tokens/endpoints.ts'
import * as features from '../spaces/features/endpoints.ts'
import * as groupProjects from '../spaces/group_projects/endpoints.ts'
import * as groupSaml from '../spaces/group_saml/endpoints.ts'
import * as groups from '../spaces/groups/endpoints.ts'
import * as integrationSettings from '../spaces/integration_settings/endpoints.ts'
import * as invitations from '../spaces/invitations/endpoints.ts'
import * as ldapLinks from '../spaces/ldap_links/endpoints.ts'
import * as members from '../spaces/members/endpoints.ts'
import * as namespaces from '../spaces/namespaces/endpoints.ts'
import * as notificationSettings from '../spaces/notification_settings/endpoints.ts'
import * as projectAliases from '../spaces/project_aliases/endpoints.ts'
import * as projects from '../spaces/projects/endpoints.ts'
import * as pushRules from '../spaces/push_rules/endpoints.ts'
import * as runnersTokens from '../spaces/runners_tokens/endpoints.ts'
import * as scimTokens from '../spaces/scim_tokens/endpoints.ts'
import * as shares from '../spaces/shares/endpoints.ts'
import * as stars from '../spaces/stars/endpoints.ts'
import * as tokens from '../spaces/tokens/endpoints.ts'
import * as topics from '../spaces/topics/endpoints.ts'
import * as uploads from '../spaces/uploads/endpoints.ts'
import { confirmedInSessions } from './confirmed.ts'
import { examples } from './examples.ts'
import { exportedBy } from './exported.ts'
import { allItemKinds, allTodoKinds, namedKinds } from './item_kinds.ts'
import { pages } from './pages.ts'

/** Every resource by its name, which is also its chapter in the API description. One line for each. */
export const resources: Readonly<Record<string, readonly Endpoint[]>> = {
  // First: `?format=atom` makes another address of those that follow.
  atom: exportedBy(atom),
  users: [...exportedBy(users), ...exportedBy(preferences), ...exportedBy(followers)],
  groups: exportedBy(groups),
  group_projects: exportedBy(groupProjects),
  projects: [...exportedBy(projects), ...exportedBy(housekeeping)],
  forks: exportedBy(forks),
  stars: exportedBy(stars),
  fetches: exportedBy(fetches),
  languages: exportedBy(languages),
  imports: exportedBy(imports),
  project_archives: exportedBy(projectArchives),
  bulk_imports: exportedBy(bulkImports),
  group_archives: exportedBy(groupArchives),
  github_imports: exportedBy(githubImports),
  project_aliases: exportedBy(projectAliases),
  protected_branches: exportedBy(protectedBranches),
  protected_tags: exportedBy(protectedTags),
  avatars: exportedBy(avatars),
  uploads: exportedBy(uploads),
  repository: [...exportedBy(repository), ...exportedBy(changelog)],
  branches: exportedBy(branches),
  tags: exportedBy(tags),
  commits: [...exportedBy(commitsWithPipelines), ...exportedBy(commits), ...exportedBy(commitComments)],
  pipelines: [
    ...exportedBy(pipelines),
    ...exportedBy(pipelineCreation),
    ...exportedBy(pipelineActions),
    ...exportedBy(mergeRequestPipelines),
  ],
  jobs: [...exportedBy(jobs), ...exportedBy(traces)],
  test_reports: exportedBy(testReports),
  resource_groups: exportedBy(resourceGroups),
  job_token_scope: exportedBy(jobTokenScope),
  lint: exportedBy(lint),
  cluster_agents: exportedBy(agents),
  clusters: [...clusters.projectClusters, ...clusters.groupClusters, ...clusters.instanceClusters],
  artifacts: [...exportedBy(artifacts), ...exportedBy(artifactsByJob), ...exportedBy(artifactTransfers)],
  files: exportedBy(files),
  issues: [...exportedBy(issueLists), ...exportedBy(issues), ...exportedBy(issueRelocation)],
  issue_links: exportedBy(issueLinks),
  approvals: [...exportedBy(approvals), ...exportedBy(approvalRules)],
  time_tracking: allItemKinds.flatMap(kind => (kind.times ? timeTracking.timeTrackingEndpoints(kind.api, kind.writing.can.plan) : [])),
  merge_requests: [
    ...exportedBy(mergeRequestLists),
    ...exportedBy(closingIssues),
    ...exportedBy(mergeRequests),
    ...exportedBy(mergeRequestVersions),
    ...exportedBy(contextCommits),
    ...exportedBy(viewedFiles),
    ...exportedBy(merging),
  ],
  notes: [
    ...namedKinds.flatMap(kind => notes.noteEndpoints(kind.notesApi)),
    ...allItemKinds.map(kind => notes.participantsEndpoint(kind.notesApi)),
  ],
  snippets: exportedBy(snippets),
  discussions: [
    ...namedKinds.flatMap(kind => discussions.discussionEndpoints(kind.notesApi, kind.resolvable)),
    ...discussions.threadEndpoints(commitApi),
    discussions.plainChange(commitApi),
  ],
  draft_notes: exportedBy(draftNotes),
  suggestions: exportedBy(suggestions),
  award_emoji: namedKinds.flatMap(kind => awardEmoji.awardEmojiEndpoints(kind.api)),
  resource_events: allItemKinds.flatMap(kind => resourceEvents.resourceEventEndpoints(kind.notesApi, kind.facts)),
  search: exportedBy(search),
  todos: todos.todoEndpoints(allTodoKinds),
  metric_images: exportedBy(metricImages),
  wikis: [...wikis.projectWikis, ...wikis.groupWikis],
  git: [...exportedBy(gitHttp), ...exportedBy(sideRepositories)],
  lfs: [...exportedBy(lfs), ...exportedBy(lfsLocks)],
  tokens: [...exportedBy(tokens), ...tokens.projectAccessTokens, ...tokens.groupAccessTokens],
  keys: [...exportedBy(keys), ...exportedBy(publicKeys)],
  gpg_keys: exportedBy(gpgKeys),
  deploy_keys: exportedBy(deployKeys),
  deploy_tokens: [deployTokens.listDeployTokens, ...deployTokens.projectDeployTokens, ...deployTokens.groupDeployTokens],
  emails: exportedBy(emails),
  user_status: exportedBy(userStatus),
  features: exportedBy(features),
  broadcast_messages: exportedBy(broadcastMessages),
  namespaces: exportedBy(namespaces),
  members: [
    ...members.groupMembers,
    ...members.projectMembers,
    members.importProjectMembers,
    members.listUserMemberships,
    ...exportedBy(billableMembers),
  ],
  notification_settings: exportedBy(notificationSettings),
  access_requests: [...accessRequests.groupAccessRequests, ...accessRequests.projectAccessRequests],
  events: exportedBy(feed),
  topics: exportedBy(topics),
  templates: [...templates.licenses, ...exportedBy(templates)],
  invitations: [...invitations.groupInvitations, ...invitations.projectInvitations],
  hooks: [...hooks.projectHooks, ...hooks.groupHooks, ...hooks.systemHooks, ...exportedBy(hooks)],
  integrations: [
    ...integrationSettings.projectIntegrations,
    ...integrationSettings.projectServices,
    ...integrationSettings.groupIntegrations,
    ...integrationSettings.instanceIntegrations,
  ],
  badges: [...badges.projectBadges, ...badges.groupBadges, ...exportedBy(statusBadges), ...exportedBy(releaseBadges)],
  custom_attributes: [
    ...userCustomAttributes.userCustomAttributes,
    ...customAttributes.groupCustomAttributes,
    ...customAttributes.projectCustomAttributes,
  ],
  shares: exportedBy(shares),
  labels: [...labels.projectLabels, ...labels.groupLabels, labels.promoteLabel, labels.promoteNamedLabel],
  milestones: [
    ...milestones.projectMilestones,
    ...milestones.groupMilestones,
    milestones.promoteMilestone,
    ...exportedBy(milestoneMergeRequests),
  ],
  iterations: exportedBy(iterations),
  epics: [...exportedBy(epics), ...exportedBy(epicIssues), ...exportedBy(childEpics)],
  commit_statuses: exportedBy(commitStatuses),
  pipeline_schedules: exportedBy(schedules),
  triggers: exportedBy(triggers),
  releases: [...exportedBy(releases), ...exportedBy(releaseLinks), ...exportedBy(releasePages)],
  mirrors: exportedBy(mirrors),
  packages: [
    ...exportedBy(packages),
    ...exportedBy(packageDownloads),
    ...exportedBy(genericPackages),
    ...exportedBy(npmPackages),
    ...exportedBy(mavenPackages),
    ...exportedBy(pypiPackages),
    ...exportedBy(helmPackages),
    ...exportedBy(nugetPackages),
    ...exportedBy(rubyPackages),
    ...exportedBy(goPackages),
    ...exportedBy(composerPackages),
    ...exportedBy(debianPackages),
    ...exportedBy(conanPackages),
    ...conanPackages.conanOfProject,
    ...conanPackages.conan2OfProject,
    ...conanRecipes.projectRecipes,
    ...conanRecipes.instanceRecipes,
    ...exportedBy(conanRevisions),
    ...debianPackages.projectRepository,
    ...debianPackages.groupRepository,
    ...debianDistributions.projectDistributions,
    ...debianDistributions.groupDistributions,
  ],
  terraform_states: exportedBy(terraformStates),
  container_registry: [
    ...exportedBy(containerRegistry),
    ...exportedBy(registryTokens),
    ...exportedBy(imageListings),
    ...exportedBy(imageManifests),
    ...exportedBy(imageBlobs),
    ...exportedBy(dependencyProxy),
  ],
  environments: exportedBy(environments),
  runners: [...exportedBy(runners), ...exportedBy(runnerJobs), ...exportedBy(runnersTokens), ...exportedBy(runnerProtocol)],
  deployments: exportedBy(deployments),
  freeze_periods: exportedBy(freezePeriods),
  protection_rules: [...exportedBy(registryProtection), ...exportedBy(tagProtection)],
  push_rules: [...pushRules.projectPushRules, ...pushRules.groupPushRules, ...pushRules.instancePushRules],
  service_desk: exportedBy(serviceDesk),
  pages: [...exportedBy(sites), ...exportedBy(siteDomains)],
  feature_flags: [...exportedBy(featureFlags), ...exportedBy(flagUserLists), ...exportedBy(unleash)],
  protected_environments: [...protectedEnvironments.projectProtectedEnvironments, ...protectedEnvironments.groupProtectedEnvironments],
  variables: [...variables.instanceVariables, ...variables.groupVariables, ...variables.projectVariables],
  plan_limits: exportedBy(planLimits),
  appearance: exportedBy(appearance),
  application_settings: exportedBy(applicationSettings),
  boards: [...boards.projectBoards, ...boards.groupBoards],
  group_saml: exportedBy(groupSaml),
  incoming_mail: exportedBy(incomingMail),
  scim: exportedBy(scim),
  scim_tokens: exportedBy(scimTokens),
  ldap_group_links: exportedBy(ldapLinks),
  audit_events: exportedBy(auditEvents),
  applications: exportedBy(applications),
  oauth: [...exportedBy(oauth), ...exportedBy(openid), ...exportedBy(oauthDevices)],
  oauth_grants: exportedBy(oauthGrants),
  providers: exportedBy(providers),
  sessions: exportedBy(sessions),
  two_factor: exportedBy(twoFactor),
  markdown: exportedBy(markdown),
  graphql: graphql.graphEndpoints(() => endpoints),
  instance: [...exportedBy(instance), ...exportedBy(queueMetrics)],
  system: [...exportedBy(system), system.describingApi(() => resources, examples)],
}

/** Everything that is served. The pages are for people: the API description leaves them out. */
export const endpoints: readonly Endpoint[] = [
  // First, since it takes any address with `?go-get=1`.
  ...exportedBy(goGet),
  ...Object.values(resources).flat().map(confirmedInSessions),
  ...pages,
  ...exportedBy(apiPages(() => resources, examples)),
]

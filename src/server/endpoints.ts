/**
 * The explicit list of all endpoints: the map of the server. No autoloading; a resource is served when it stands here.
 */

import * as agents from '../ci/agents/endpoints.ts'
import * as artifacts from '../ci/artifacts/endpoints.ts'
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
import * as traces from '../ci/traces/endpoints.ts'
import * as triggers from '../ci/triggers/endpoints.ts'
import * as variables from '../ci/variables/endpoints.ts'
import * as deployKeys from '../code/deploy_keys/endpoints.ts'
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
import * as templates from '../code/templates/endpoints.ts'
import * as awardEmoji from '../collaboration/award_emoji/endpoints.ts'
import * as discussions from '../collaboration/discussions/endpoints.ts'
import * as markdown from '../collaboration/markdown/endpoints.ts'
import * as notes from '../collaboration/notes/endpoints.ts'
import * as timeTracking from '../collaboration/time_tracking/endpoints.ts'
import * as todos from '../collaboration/todos/endpoints.ts'
import * as deployments from '../delivery/deployments/endpoints.ts'
import * as environments from '../delivery/environments/endpoints.ts'
import * as freezePeriods from '../delivery/freeze_periods/endpoints.ts'
import * as protectedEnvironments from '../delivery/protected_environments/endpoints.ts'
import * as releases from '../delivery/releases/endpoints.ts'
import * as releaseLinks from '../delivery/releases/links/endpoints.ts'
import * as releasePages from '../delivery/releases/pages/endpoints.ts'
import * as tags from '../delivery/tags/endpoints.ts'
import * as applications from '../identity/applications/endpoints.ts'
import * as userCustomAttributes from '../identity/custom_attributes/endpoints.ts'
import * as emails from '../identity/emails/endpoints.ts'
import * as gpgKeys from '../identity/gpg_keys/endpoints.ts'
import * as keys from '../identity/keys/endpoints.ts'
import * as oauth from '../identity/oauth/endpoints.ts'
import * as oauthGrants from '../identity/oauth/grants/endpoints.ts'
import * as sessions from '../identity/sessions/endpoints.ts'
import * as userStatus from '../identity/user_status/endpoints.ts'
import * as users from '../identity/users/endpoints.ts'
import * as hooks from '../integrations/hooks/endpoints.ts'
import * as scim from '../integrations/scim/endpoints.ts'
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
import * as applicationSettings from '../platform/application_settings/endpoints.ts'
import type { Endpoint } from '../platform/kernel/declaration/endpoint.ts'
import * as pages from '../platform/pages/endpoints.ts'
import * as system from '../platform/system/endpoints.ts'
import * as feed from '../portal/feed/endpoints.ts'
import * as home from '../portal/home/endpoints.ts'
import * as profile from '../portal/profile/endpoints.ts'
import * as search from '../portal/search/endpoints.ts'
import * as approvals from '../review/approvals/endpoints.ts'
import * as approvalRules from '../review/approvals/rules/endpoints.ts'
import * as draftNotes from '../review/draft_notes/endpoints.ts'
import * as mergeRequestPipelines from '../review/merge_request_pipelines/endpoints.ts'
import * as closingIssues from '../review/merge_requests/closing/endpoints.ts'
import * as mergeRequests from '../review/merge_requests/endpoints.ts'
import * as mergeRequestLists from '../review/merge_requests/lists/endpoints.ts'
import * as milestoneMergeRequests from '../review/merge_requests/lists/milestones/endpoints.ts'
import * as merging from '../review/merge_requests/merging/endpoints.ts'
import * as contextCommits from '../review/merge_requests/versions/context/endpoints.ts'
import * as mergeRequestVersions from '../review/merge_requests/versions/endpoints.ts'
import * as suggestions from '../review/suggestions/endpoints.ts'
import * as accessRequests from '../spaces/access_requests/endpoints.ts'
import * as auditEvents from '../spaces/audit_events/endpoints.ts'
import * as avatars from '../spaces/avatars/endpoints.ts'
import * as badges from '../spaces/badges/endpoints.ts'
import * as customAttributes from '../spaces/custom_attributes/endpoints.ts'
import * as deployTokens from '../spaces/deploy_tokens/endpoints.ts'
import * as features from '../spaces/features/endpoints.ts'
import * as groupProjects from '../spaces/group_projects/endpoints.ts'
import * as groups from '../spaces/groups/endpoints.ts'
import * as invitations from '../spaces/invitations/endpoints.ts'
import * as members from '../spaces/members/endpoints.ts'
import * as namespaces from '../spaces/namespaces/endpoints.ts'
import * as projectAliases from '../spaces/project_aliases/endpoints.ts'
import * as projects from '../spaces/projects/endpoints.ts'
import * as runnersTokens from '../spaces/runners_tokens/endpoints.ts'
import * as scimTokens from '../spaces/scim_tokens/endpoints.ts'
import * as shares from '../spaces/shares/endpoints.ts'
import * as stars from '../spaces/stars/endpoints.ts'
import * as tokens from '../spaces/tokens/endpoints.ts'
import * as topics from '../spaces/topics/endpoints.ts'
import * as uploads from '../spaces/uploads/endpoints.ts'
import { examples } from './examples.ts'
import { allItemKinds } from './item_kinds.ts'

const isEndpoint = (value: unknown): value is Endpoint => typeof value === 'object' && value !== null && 'route' in value && 'run' in value

/** The endpoints that a module exports, in the order of their routes. */
const of = (module: Record<string, unknown>): Endpoint[] => Object.values(module).filter(isEndpoint)

/** Every resource by its name, which is also its chapter in the API description. One line for each. */
export const resources: Readonly<Record<string, readonly Endpoint[]>> = {
  users: of(users),
  groups: of(groups),
  group_projects: of(groupProjects),
  projects: [...of(projects), ...of(housekeeping)],
  forks: of(forks),
  stars: of(stars),
  languages: of(languages),
  imports: of(imports),
  project_aliases: of(projectAliases),
  protected_branches: of(protectedBranches),
  protected_tags: of(protectedTags),
  avatars: of(avatars),
  uploads: of(uploads),
  repository: of(repository),
  branches: of(branches),
  tags: of(tags),
  commits: [...of(commitsWithPipelines), ...of(commits)],
  pipelines: [...of(pipelines), ...of(pipelineCreation), ...of(pipelineActions), ...of(mergeRequestPipelines)],
  jobs: [...of(jobs), ...of(traces)],
  test_reports: of(testReports),
  resourceGroups: of(resourceGroups),
  job_token_scope: of(jobTokenScope),
  lint: of(lint),
  cluster_agents: of(agents),
  artifacts: [...of(artifacts), ...of(artifactTransfers)],
  files: of(files),
  issues: [...of(issueLists), ...of(issues), ...of(issueRelocation)],
  issue_links: of(issueLinks),
  approvals: [...of(approvals), ...of(approvalRules)],
  time_tracking: allItemKinds.flatMap(kind => (kind.times ? timeTracking.timeTrackingEndpoints(kind.api, kind.writing.can.plan) : [])),
  merge_requests: [
    ...of(mergeRequestLists),
    ...of(closingIssues),
    ...of(mergeRequests),
    ...of(mergeRequestVersions),
    ...of(contextCommits),
    ...of(merging),
  ],
  notes: allItemKinds.flatMap(kind => notes.noteEndpoints(kind.notesApi)),
  discussions: allItemKinds.flatMap(kind => discussions.discussionEndpoints(kind.notesApi, kind.resolvable)),
  draft_notes: of(draftNotes),
  suggestions: of(suggestions),
  award_emoji: allItemKinds.flatMap(kind => awardEmoji.awardEmojiEndpoints(kind.api)),
  resource_events: allItemKinds.flatMap(kind => resourceEvents.resourceEventEndpoints(kind.notesApi, kind.facts)),
  search: of(search),
  todos: todos.todoEndpoints(allItemKinds),
  metric_images: of(metricImages),
  git: of(gitHttp),
  lfs: [...of(lfs), ...of(lfsLocks)],
  tokens: [...of(tokens), ...tokens.projectAccessTokens, ...tokens.groupAccessTokens],
  keys: of(keys),
  gpg_keys: of(gpgKeys),
  deploy_keys: of(deployKeys),
  deploy_tokens: [deployTokens.listDeployTokens, ...deployTokens.projectDeployTokens, ...deployTokens.groupDeployTokens],
  emails: of(emails),
  user_status: of(userStatus),
  features: of(features),
  namespaces: of(namespaces),
  members: [...members.groupMembers, ...members.projectMembers, members.listUserMemberships],
  access_requests: [...accessRequests.groupAccessRequests, ...accessRequests.projectAccessRequests],
  events: of(feed),
  topics: of(topics),
  templates: [...templates.licenses, ...of(templates)],
  invitations: [...invitations.groupInvitations, ...invitations.projectInvitations],
  hooks: [...hooks.projectHooks, ...hooks.groupHooks, ...hooks.systemHooks, ...of(hooks)],
  badges: [...badges.projectBadges, ...badges.groupBadges],
  custom_attributes: [
    ...userCustomAttributes.userCustomAttributes,
    ...customAttributes.groupCustomAttributes,
    ...customAttributes.projectCustomAttributes,
  ],
  shares: of(shares),
  labels: [...labels.projectLabels, ...labels.groupLabels, labels.promoteLabel, labels.promoteNamedLabel],
  milestones: [...milestones.projectMilestones, ...milestones.groupMilestones, milestones.promoteMilestone, ...of(milestoneMergeRequests)],
  iterations: of(iterations),
  epics: [...of(epics), ...of(epicIssues), ...of(childEpics)],
  commit_statuses: of(commitStatuses),
  pipeline_schedules: of(schedules),
  triggers: of(triggers),
  releases: [...of(releases), ...of(releaseLinks), ...of(releasePages)],
  environments: of(environments),
  runners: [...of(runners), ...of(runnerJobs), ...of(runnersTokens), ...of(runnerProtocol)],
  deployments: of(deployments),
  freeze_periods: of(freezePeriods),
  protected_environments: [...protectedEnvironments.projectProtectedEnvironments, ...protectedEnvironments.groupProtectedEnvironments],
  variables: [...variables.instanceVariables, ...variables.groupVariables, ...variables.projectVariables],
  plan_limits: of(planLimits),
  application_settings: of(applicationSettings),
  boards: [...boards.projectBoards, ...boards.groupBoards],
  scim: of(scim),
  scim_tokens: of(scimTokens),
  audit_events: of(auditEvents),
  applications: of(applications),
  oauth: of(oauth),
  oauth_grants: of(oauthGrants),
  sessions: of(sessions),
  pages: [...of(home), ...of(profile), ...of(pages)],
  markdown: of(markdown),
  system: [...of(system), system.describingApi(() => resources, examples)],
}

export const endpoints: readonly Endpoint[] = Object.values(resources).flat()

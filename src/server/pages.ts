/** The explicit list of all pages: the map of the server for people. One line for each folder. */

import * as emailConfirmations from '../identity/email_confirmations/endpoints.ts'
import * as passwordResets from '../identity/password_resets/endpoints.ts'
import * as unlocking from '../identity/sessions/locks/unlock_pages.ts'
import * as signUp from '../identity/sign_up/endpoints.ts'
import { showSecondFactor, submitSecondFactor } from '../identity/two_factor/sign_in.ts'
import { showPasskeySignIn, submitKey, submitPasskey } from '../identity/two_factor/webauthn/sign_in.ts'
import type { Endpoint } from '../platform/kernel/declaration/endpoint.ts'
import * as shared from '../platform/pages/endpoints.ts'
import * as live from '../platform/pages/live/endpoints.ts'
import * as usage from '../portal/analytics/ci_usage.ts'
import * as analytics from '../portal/analytics/endpoints.ts'
import { projectRules } from '../portal/approval_rules/project_rules.ts'
import * as artifacts from '../portal/artifacts/endpoints.ts'
import { artifactChanges } from '../portal/artifacts/endpoints.ts'
import { replaceFeedToken, showFeedToken } from '../portal/atom/token_page.ts'
import * as auditLogs from '../portal/audit_events/endpoints.ts'
import { groupBadgePages, projectBadgePages } from '../portal/badges/endpoints.ts'
import { groupBoardCards, projectBoardCards } from '../portal/boards/cards.ts'
import { groupBoardLists, projectBoardLists } from '../portal/boards/lists.ts'
import { groupBoardForms, projectBoardForms } from '../portal/boards/manage.ts'
import { newOnGroupBoard, newOnProjectBoard } from '../portal/boards/new_issue.ts'
import { groupBoardPages, projectBoardPages } from '../portal/boards/show.ts'
import * as broadcastMessages from '../portal/broadcast_messages/pages.ts'
import * as ciEditor from '../portal/ci_editor/endpoints.ts'
import { groupVariablePages, instanceVariablePages, projectVariablePages } from '../portal/ci_variables/endpoints.ts'
import { commentOnLines } from '../portal/commit_comments/begin.ts'
import { commitComments } from '../portal/commit_comments/comments.ts'
import { showLineThreads } from '../portal/commit_comments/lines.ts'
import * as containerRegistry from '../portal/container_registry/endpoints.ts'
import { imageChanges } from '../portal/container_registry/endpoints.ts'
import * as accessTokens from '../portal/credentials/access_tokens.ts'
import { projectDeployKeyPages } from '../portal/credentials/deploy_keys.ts'
import * as deployTokens from '../portal/credentials/deploy_tokens.ts'
import { environmentChanges } from '../portal/environments/changes.ts'
import * as environments from '../portal/environments/endpoints.ts'
import { epicComments } from '../portal/epics/comments.ts'
import { epicContents } from '../portal/epics/contents/endpoints.ts'
import { epicChanges } from '../portal/epics/edit.ts'
import * as epicLists from '../portal/epics/lists.ts'
import * as roadmap from '../portal/epics/roadmap/endpoints.ts'
import * as epic from '../portal/epics/show.ts'
import * as explore from '../portal/explore/endpoints.ts'
import { featureFlagPages } from '../portal/feature_flags/endpoints.ts'
import * as feed from '../portal/feed/pages.ts'
import * as frame from '../portal/frame/endpoints.ts'
import { freezePeriodPages } from '../portal/freeze_periods/endpoints.ts'
import * as groupSamlSettings from '../portal/group_saml/settings.ts'
import * as groupSignOn from '../portal/group_saml/sso.ts'
import * as groups from '../portal/groups/endpoints.ts'
import * as dependencyProxyPages from '../portal/groups/settings/dependency_proxy.ts'
import { groupSettings } from '../portal/groups/settings/endpoints.ts'
import * as handbook from '../portal/handbook/endpoints.ts'
import { homePages } from '../portal/home/endpoints.ts'
import * as firstSteps from '../portal/home/first_steps.ts'
import { groupHookPages, projectHookPages } from '../portal/hooks/endpoints.ts'
import * as identities from '../portal/identities/endpoints.ts'
import * as archiveForms from '../portal/imports/archive_forms.ts'
import * as exportPages from '../portal/imports/exports.ts'
import * as migrationPages from '../portal/imports/migrations/endpoints.ts'
import * as importReports from '../portal/imports/reports.ts'
import { groupIntegrationPages, projectIntegrationPages } from '../portal/integrations/endpoints.ts'
import * as issuesByMail from '../portal/issues/by_mail.ts'
import { issueComments } from '../portal/issues/comments.ts'
import * as issueDetails from '../portal/issues/details.ts'
import { issueChanges } from '../portal/issues/edit.ts'
import * as issueBulk from '../portal/issues/lists/bulk.ts'
import * as issueExport from '../portal/issues/lists/csv_export.ts'
import * as issueImport from '../portal/issues/lists/csv_import.ts'
import * as issueLists from '../portal/issues/lists/endpoints.ts'
import * as projectOfNewIssue from '../portal/issues/lists/project_of_new.ts'
import * as newIssue from '../portal/issues/new.ts'
import { issueRelations } from '../portal/issues/relations.ts'
import * as issue from '../portal/issues/show.ts'
import * as writing from '../portal/items/writing.ts'
import * as iterations from '../portal/iterations/endpoints.ts'
import { jobTokenPages } from '../portal/job_tokens/endpoints.ts'
import * as jobArtifacts from '../portal/jobs/artifacts.ts'
import { jobChanges } from '../portal/jobs/changes.ts'
import * as jobs from '../portal/jobs/endpoints.ts'
import * as latestArtifacts from '../portal/jobs/latest_artifacts.ts'
import * as runJob from '../portal/jobs/run.ts'
import { groupLabelPages, projectLabelPages } from '../portal/labels/endpoints.ts'
import * as ldapLinks from '../portal/ldap_links/endpoints.ts'
import * as members from '../portal/members/endpoints.ts'
import * as invites from '../portal/members/invites.ts'
import * as mergeRequestAfterwards from '../portal/merge_requests/afterwards/endpoints.ts'
import { mergeRequestComments } from '../portal/merge_requests/comments.ts'
import * as mergeRequestConflicts from '../portal/merge_requests/conflicts/endpoints.ts'
import * as mergeRequestDiffs from '../portal/merge_requests/diffs/endpoints.ts'
import * as mergeRequestLists from '../portal/merge_requests/lists/endpoints.ts'
import { mergeRequestRules } from '../portal/merge_requests/overview/approval_rules.ts'
import * as mergeRequest from '../portal/merge_requests/overview/endpoints.ts'
import * as mergeRequestPipelines from '../portal/merge_requests/overview/pipelines.ts'
import { commentOnChanges } from '../portal/merge_requests/review/commenting/comment.ts'
import * as picturePlaces from '../portal/merge_requests/review/commenting/picture_place.ts'
import * as reviewThreads from '../portal/merge_requests/review/endpoints.ts'
import { reviewWriting } from '../portal/merge_requests/review/writing.ts'
import { mergeRequestAttributes } from '../portal/merge_requests/writing/attributes.ts'
import * as mergeRequestsByMail from '../portal/merge_requests/writing/by_mail.ts'
import { mergeRequestChanges } from '../portal/merge_requests/writing/changes.ts'
import * as newMergeRequest from '../portal/merge_requests/writing/new.ts'
import { metricImagePages } from '../portal/metric_images/endpoints.ts'
import { milestones } from '../portal/milestones/endpoints.ts'
import { mirrorPages, pullNow } from '../portal/mirrors/endpoints.ts'
import { notificationPages } from '../portal/notifications/settings.ts'
import * as unsubscribe from '../portal/notifications/unsubscribe.ts'
import * as packages from '../portal/packages/endpoints.ts'
import { packageChanges } from '../portal/packages/endpoints.ts'
import * as people from '../portal/people/profile.ts'
import { scheduleChanges, scheduleVariableChanges } from '../portal/pipeline_schedules/changes.ts'
import * as pipelineSchedules from '../portal/pipeline_schedules/endpoints.ts'
import { scheduleForms } from '../portal/pipeline_schedules/forms.ts'
import { pipelineChanges } from '../portal/pipelines/changes.ts'
import * as pipelinePages from '../portal/pipelines/endpoints.ts'
import * as placeSettings from '../portal/place_settings/endpoints.ts'
import * as settingsSearch from '../portal/place_settings/search.ts'
import * as placesById from '../portal/places/by_id.ts'
import * as places from '../portal/places/endpoints.ts'
import * as projects from '../portal/projects/endpoints.ts'
import { projectSettings } from '../portal/projects/settings/endpoints.ts'
import { protectedBranchPages } from '../portal/protections/branches.ts'
import { groupProtectedEnvironmentPages, projectProtectedEnvironmentPages } from '../portal/protections/environments.ts'
import { protectedTagPages } from '../portal/protections/tags.ts'
import { groupPushRulePages, instancePushRulePages, projectPushRulePages } from '../portal/push_rules/endpoints.ts'
import * as references from '../portal/references/endpoints.ts'
import { protectedImagePages, protectedImageTagPages, protectedPackagePages } from '../portal/registry_protection/pages.ts'
import { releaseChanges } from '../portal/releases/changes.ts'
import * as releases from '../portal/releases/show.ts'
import * as blame from '../portal/repository/blame/endpoints.ts'
import * as diffLines from '../portal/repository/diffs/lines/expansion.ts'
import * as editor from '../portal/repository/editor/endpoints.ts'
import * as files from '../portal/repository/files/endpoints.ts'
import * as finder from '../portal/repository/finder/endpoints.ts'
import * as comparisons from '../portal/repository/history/compare.ts'
import * as contributors from '../portal/repository/history/contributors/contributors.ts'
import * as history from '../portal/repository/history/endpoints.ts'
import * as network from '../portal/repository/history/network/endpoints.ts'
import * as replay from '../portal/repository/history/replay.ts'
import * as signatures from '../portal/repository/history/signatures/endpoints.ts'
import * as branches from '../portal/repository/refs/endpoints.ts'
import * as tags from '../portal/repository/refs/tags.ts'
import * as switcher from '../portal/repository/switcher/endpoints.ts'
import { resourceGroupPages } from '../portal/resource_groups/endpoints.ts'
import * as givenVariables from '../portal/run_pipeline/given.ts'
import * as runPipeline from '../portal/run_pipeline/run.ts'
import { groupRunnerPages, projectRunnerPages } from '../portal/runners/endpoints.ts'
import * as scimTokens from '../portal/scim_tokens/endpoints.ts'
import * as search from '../portal/search/pages/endpoints.ts'
import * as settings from '../portal/settings/endpoints.ts'
import * as accountExport from '../portal/settings/export.ts'
import { replaceIncomingToken, showIncomingToken } from '../portal/settings/incoming_email_token.ts'
import * as preferences from '../portal/settings/preferences.ts'
import * as ownStatus from '../portal/settings/status.ts'
import * as things from '../portal/settings/things.ts'
import * as tokens from '../portal/settings/tokens.ts'
import * as twoFactor from '../portal/settings/two_factor/endpoints.ts'
import * as ownKeys from '../portal/settings/two_factor/keys.ts'
import { removeSiteOnPage, sitePages } from '../portal/sites/endpoints.ts'
import { signInToSite } from '../portal/sites/way_in.ts'
import { snippetChanges } from '../portal/snippets/changes.ts'
import { snippetComments } from '../portal/snippets/comments.ts'
import * as snippetPages from '../portal/snippets/show.ts'
import * as suggestions from '../portal/suggestions/endpoints.ts'
import * as terraformStates from '../portal/terraform_states/endpoints.ts'
import { stateChanges } from '../portal/terraform_states/endpoints.ts'
import { todoPages } from '../portal/todos/pages.ts'
import * as topicPages from '../portal/topics/endpoints.ts'
import { topicManagement, topicMerging } from '../portal/topics/managed.ts'
import * as triggers from '../portal/triggers/endpoints.ts'
import { groupWikiPages, projectWikiPages } from '../portal/wikis/endpoints.ts'
import { administrationPages } from './administration_pages.ts'
import { exportedBy } from './exported.ts'
import { allTodoKinds } from './item_kinds.ts'

export const pages: readonly Endpoint[] = [
  frame,
  passwordResets,
  emailConfirmations,
  unlocking,
  signUp,
  { showSecondFactor, submitSecondFactor, showPasskeySignIn, submitKey, submitPasskey },
  homePages(allTodoKinds),
  firstSteps,
  feed,
  people,
  explore,
  topicPages,
  settings,
  accountExport,
  {
    showTwoFactor: twoFactor.showTwoFactor,
    showAppForm: twoFactor.showAppForm,
    submitApp: twoFactor.submitApp,
    submitAppRemoval: twoFactor.submitAppRemoval,
    submitRecoveryCodes: twoFactor.submitRecoveryCodes,
    submitLeaving: twoFactor.submitLeaving,
  },
  ownKeys,
  identities,
  preferences,
  preferences.preferencePages,
  ...notificationPages,
  unsubscribe,
  tokens,
  ownStatus,
  things.keys,
  things.gpgKeys,
  things.emails,
  things.grants,
  todoPages(allTodoKinds),
  projects,
  groups,
  placeSettings,
  settingsSearch,
  projectSettings,
  groupSettings,
  dependencyProxyPages,
  projectRules,
  { showProjectAudit: auditLogs.showProjectAudit, showGroupAudit: auditLogs.showGroupAudit },
  accessTokens.projectTokenPages,
  accessTokens.groupTokenPages,
  deployTokens.projectDeployTokenPages,
  deployTokens.groupDeployTokenPages,
  groupSamlSettings,
  groupSignOn,
  scimTokens,
  ldapLinks,
  projectDeployKeyPages,
  protectedBranchPages,
  protectedTagPages,
  projectProtectedEnvironmentPages,
  groupProtectedEnvironmentPages,
  featureFlagPages,
  projectPushRulePages,
  groupPushRulePages,
  instancePushRulePages,
  freezePeriodPages,
  protectedPackagePages,
  protectedImagePages,
  protectedImageTagPages,
  mirrorPages,
  sitePages,
  { removeSiteOnPage, signInToSite },
  { pullNow },
  resourceGroupPages,
  projectHookPages,
  projectIntegrationPages,
  groupIntegrationPages,
  groupHookPages,
  projectBadgePages,
  groupBadgePages,
  invites,
  members.projectMemberPages,
  members.groupMemberPages,
  projectBoardPages,
  projectBoardForms,
  projectBoardLists,
  projectBoardCards,
  newOnProjectBoard,
  groupBoardPages,
  groupBoardForms,
  groupBoardLists,
  groupBoardCards,
  newOnGroupBoard,
  snippetPages,
  snippetChanges,
  snippetComments,
  issueLists,
  projectOfNewIssue,
  newIssue,
  issueBulk,
  issueExport,
  issuesByMail,
  mergeRequestsByMail,
  issueImport,
  archiveForms,
  exportPages,
  importReports,
  migrationPages,
  issue,
  issueComments,
  issueChanges,
  issueRelations,
  issueDetails,
  metricImagePages,
  mergeRequestLists,
  mergeRequestChanges,
  mergeRequestAttributes,
  mergeRequest,
  mergeRequestConflicts,
  mergeRequestAfterwards,
  mergeRequestRules,
  newMergeRequest,
  mergeRequestPipelines,
  mergeRequestDiffs,
  mergeRequestComments,
  commentOnChanges,
  commitComments,
  commentOnLines,
  { showFeedToken, replaceFeedToken },
  { showIncomingToken, replaceIncomingToken },
  { showLineThreads },
  picturePlaces,
  reviewThreads,
  reviewWriting,
  suggestions,
  references,
  milestones,
  releaseChanges,
  releases,
  analytics,
  usage,
  { upload: writing.upload },
  writing.writingInProject,
  writing.writingInGroup,
  projectLabelPages,
  groupLabelPages,
  iterations,
  projectWikiPages,
  groupWikiPages,
  epicLists,
  roadmap,
  epic,
  epicComments,
  epicContents,
  epicChanges,
  pipelinePages,
  ciEditor,
  pipelineChanges,
  runPipeline,
  runJob,
  projectVariablePages,
  groupVariablePages,
  instanceVariablePages,
  { showTriggers: triggers.showTriggers, showTriggerToken: triggers.showTriggerToken },
  triggers.triggerChanges,
  {
    showSchedules: pipelineSchedules.showSchedules,
    showNextRuns: pipelineSchedules.showNextRuns,
    showSchedule: pipelineSchedules.showSchedule,
    showScheduleVariable: pipelineSchedules.showScheduleVariable,
  },
  scheduleForms,
  scheduleChanges,
  scheduleVariableChanges,
  givenVariables,
  jobs,
  jobChanges,
  jobArtifacts,
  latestArtifacts,
  artifacts,
  artifactChanges,
  packages,
  packageChanges,
  containerRegistry,
  imageChanges,
  terraformStates,
  stateChanges,
  jobTokenPages,
  environments,
  environmentChanges,
  projectRunnerPages,
  groupRunnerPages,
  files,
  finder,
  switcher,
  editor,
  blame,
  history,
  signatures,
  replay,
  comparisons,
  { showDiffLines: diffLines.showDiffLines },
  contributors,
  network,
  branches,
  tags,
  search,
  ...administrationPages,
  topicManagement,
  topicMerging,
  broadcastMessages,
  handbook,
  shared,
  live,
  // Last: it takes the addresses that nothing else takes.
  placesById,
  places,
].flatMap(exportedBy)

/** Ids for the scopes of pages: the full path of a place in place of its id. */
import type { Where } from './examples.ts'
import type { Things } from './world.ts'

export const pageScopes: Readonly<Record<string, (where: Where) => Things>> = {
  inPlacePage: ({ place }) => ({ place_path: place.project.full_path }),
  inProjectMembersPage: ({ place }) => ({ project_path: place.project.full_path }),
  inGroupMembersPage: ({ place }) => ({ group_path: place.group.full_path }),
  inProjectMembersPageMember: ({ place }) => ({ project_path: place.project.full_path, user_id: place.things.member as number }),
  inGroupMembersPageMember: ({ place }) => ({ group_path: place.group.full_path, user_id: place.things.member as number }),
  inProjectMembersPageInvitation: ({ place }) => ({ project_path: place.project.full_path, email: 'invited-1@example.com' }),
  inGroupMembersPageInvitation: ({ place }) => ({ group_path: place.group.full_path, email: 'invited-1@example.com' }),
  inProjectMembersPageAccessRequest: ({ place }) => ({ project_path: place.project.full_path, user_id: place.things.asking as number }),
  inGroupMembersPageAccessRequest: ({ place }) => ({ group_path: place.group.full_path, user_id: place.things.asking as number }),
  inProjectHookPage: ({ place }) => ({ project_path: place.project.full_path, hook_id: place.things.project_hook as number }),
  inGroupHookPage: ({ place }) => ({ group_path: place.group.full_path, hook_id: place.things.group_hook as number }),
  inProjectHookEventPage: ({ place }) => ({
    project_path: place.project.full_path,
    hook_id: place.things.project_hook as number,
    hook_event_id: place.things.project_hook_event as number,
  }),
  inGroupHookEventPage: ({ place }) => ({
    group_path: place.group.full_path,
    hook_id: place.things.group_hook as number,
    hook_event_id: place.things.group_hook_event as number,
  }),
  inProjectAccessTokenPage: ({ place }) => ({ project_path: place.project.full_path, token_id: place.things.project_token as number }),
  inGroupAccessTokenPage: ({ place }) => ({ group_path: place.group.full_path, token_id: place.things.group_token as number }),
  inProjectDeployTokenPage: ({ place }) => ({ project_path: place.project.full_path, token_id: place.things.deploy_token as number }),
  inGroupDeployTokenPage: ({ place }) => ({ group_path: place.group.full_path, token_id: place.things.group_deploy_token as number }),
  inDeployKeyPage: ({ place }) => ({ project_path: place.project.full_path, key_id: place.things.deploy_key as number }),
  inProtectedBranchPage: ({ place }) => ({ project_path: place.project.full_path, name: 'stable-1' }),
  inProtectedTagPage: ({ place }) => ({ project_path: place.project.full_path, name: 'final-1' }),
  inProjectPageBoard: ({ place }) => ({ project_path: place.project.full_path, board_id: place.things.project_board as number }),
  inProjectPageBoardList: ({ place }) => ({
    project_path: place.project.full_path,
    board_id: place.things.project_board as number,
    list_id: place.things.project_board_list as number,
  }),
  inProjectPageBoardColumn: ({ place }) => ({
    project_path: place.project.full_path,
    board_id: place.things.project_board as number,
    column: 'open',
  }),
  inProjectPageBoardIssue: ({ place }) => ({
    project_path: place.project.full_path,
    board_id: place.things.project_board as number,
    issue_id: place.things.issue as number,
  }),
  inGroupPageBoard: ({ place }) => ({ group_path: place.group.full_path, board_id: place.things.group_board as number }),
  inGroupPageBoardList: ({ place }) => ({
    group_path: place.group.full_path,
    board_id: place.things.group_board as number,
    list_id: place.things.group_board_list as number,
  }),
  inGroupPageBoardColumn: ({ place }) => ({
    group_path: place.group.full_path,
    board_id: place.things.group_board as number,
    column: 'open',
  }),
  inGroupPageBoardIssue: ({ place }) => ({
    group_path: place.group.full_path,
    board_id: place.things.group_board as number,
    issue_id: place.things.issue as number,
  }),
  inProjectPage: ({ place }) => ({ project_path: place.project.full_path }),
  inIssuePage: ({ place }) => ({ project_path: place.project.full_path, issue_iid: 1 }),
  inIssuePageNote: ({ place }) => ({ project_path: place.project.full_path, issue_iid: 1, note_id: place.things.note as number }),
  inIssuePageLink: ({ place }) => ({
    project_path: place.project.full_path,
    issue_iid: 1,
    issue_link_id: place.things.issue_link as number,
  }),
  inIssuePageDiscussion: ({ place }) => ({
    project_path: place.project.full_path,
    issue_iid: 1,
    discussion_id: place.things.discussion as string,
  }),
  inIssuePageAward: ({ place }) => ({ project_path: place.project.full_path, issue_iid: 1, award_id: place.things.award as number }),
  inIssuePageNoteAward: ({ place }) => ({
    project_path: place.project.full_path,
    issue_iid: 1,
    note_id: place.things.note as number,
    award_id: place.things.note_award as number,
  }),
  inSuggestionPage: ({ place }) => ({
    project_path: place.project.full_path,
    merge_request_iid: 1,
    suggestion_id: place.things.suggestion as number,
  }),
  inMergeRequestPage: ({ place }) => ({ project_path: place.project.full_path, merge_request_iid: 1 }),
  inMergedPage: ({ place }) => ({ project_path: place.project.full_path, merge_request_iid: place.things.merged_merge_request as number }),
  inSourceBranch: ({ place }) => ({ project_path: place.project.full_path, merge_request_iid: 1 }),
  inProjectRulePage: ({ place }) => ({ project_path: place.project.full_path, approval_rule_id: place.things.approval_rule as number }),
  inMergeRequestRulePage: ({ place }) => ({
    project_path: place.project.full_path,
    merge_request_iid: 1,
    approval_rule_id: place.things.merge_request_rule as number,
  }),
  inMergeRequestPageNote: ({ place }) => ({
    project_path: place.project.full_path,
    merge_request_iid: 1,
    note_id: place.things.merge_request_note as number,
  }),
  inMergeRequestPageDiscussion: ({ place }) => ({
    project_path: place.project.full_path,
    merge_request_iid: 1,
    discussion_id: place.things.merge_request_discussion as string,
  }),
  inMergeRequestPageAward: ({ place }) => ({
    project_path: place.project.full_path,
    merge_request_iid: 1,
    award_id: place.things.merge_request_award as number,
  }),
  inMergeRequestPageNoteAward: ({ place }) => ({
    project_path: place.project.full_path,
    merge_request_iid: 1,
    note_id: place.things.merge_request_note as number,
    award_id: place.things.merge_request_note_award as number,
  }),
  inMilestonePage: ({ place }) => ({ project_path: place.project.full_path, milestone_iid: 1 }),
  inGroupMilestonePage: ({ place }) => ({ group_path: place.group.full_path, milestone_iid: 1 }),
  inReleaseLinkPage: ({ place }) => ({
    project_path: place.project.full_path,
    tag_name: 'v0.1',
    link_id: place.things.release_link as number,
  }),
  inProjectPageVariableById: ({ place }) => ({
    project_path: place.project.full_path,
    variable_id: place.things.project_variable as number,
  }),
  inInstanceVariableById: ({ world }) => ({ variable_id: world.things.instance_variable as number }),
  inGroupPageVariableById: ({ place }) => ({ group_path: place.group.full_path, variable_id: place.things.group_variable as number }),
  inTriggerPage: ({ place }) => ({ project_path: place.project.full_path, trigger_id: place.things.trigger as number }),
  inPipelinePage: ({ place }) => ({ project_path: place.project.full_path, pipeline_id: place.things.pipeline as number }),
  inJobPage: ({ place }) => ({ project_path: place.project.full_path, job_id: place.things.job_with_log as number }),
  inJobOrBridgePage: ({ place }) => ({ project_path: place.project.full_path, job_id: place.things.job_with_log as number }),
  inArchivePage: ({ place }) => ({ project_path: place.project.full_path, job_id: place.things.archived_job as number }),
  inRunnerPage: ({ place }) => ({ project_path: place.project.full_path, runner_id: place.things.lent_runner as number }),
  inManagedRunnerPage: ({ place }) => ({ project_path: place.project.full_path, runner_id: place.things.project_runner as number }),
  inGroupRunnerPage: ({ place }) => ({ group_path: place.group.full_path, runner_id: place.things.group_runner as number }),
  inManagedGroupRunnerPage: ({ place }) => ({ group_path: place.group.full_path, runner_id: place.things.group_runner as number }),
  inEnvironmentPage: ({ place }) => ({ project_path: place.project.full_path, environment_id: place.things.environment as number }),
  inDeploymentJobPage: ({ place }) => ({
    project_path: place.project.full_path,
    environment_id: place.things.job_environment as number,
    deployment_id: place.things.job_deployment as number,
  }),
  inDraftNotePage: ({ place, own }) => ({
    project_path: place.project.full_path,
    merge_request_iid: 1,
    draft_note_id: own[`draft_${place.project.id}`] ?? 1,
  }),
  inGroupPage: ({ place }) => ({ group_path: place.group.full_path }),
  inProjectPageLabel: ({ place }) => ({ project_path: place.project.full_path, label_id: place.things.project_label as number }),
  inGroupPageLabel: ({ place }) => ({ group_path: place.group.full_path, label_id: place.things.group_label as number }),
  inEpicPage: ({ place }) => ({ group_path: place.group.full_path, epic_iid: 1 }),
  inEpicPageNote: ({ place }) => ({ group_path: place.group.full_path, epic_iid: 1, note_id: place.things.epic_note as number }),
  inEpicPageDiscussion: ({ place }) => ({
    group_path: place.group.full_path,
    epic_iid: 1,
    discussion_id: place.things.epic_discussion as string,
  }),
  inEpicPageAward: ({ place }) => ({ group_path: place.group.full_path, epic_iid: 1, award_id: place.things.epic_award as number }),
  inEpicPageNoteAward: ({ place }) => ({
    group_path: place.group.full_path,
    epic_iid: 1,
    note_id: place.things.epic_note as number,
    award_id: place.things.epic_note_award as number,
  }),
  inIssueOfEpicPage: ({ place }) => ({
    group_path: place.group.full_path,
    epic_iid: 1,
    epic_issue_id: place.things.epic_issue as number,
  }),
  inChildEpicPage: ({ place }) => ({
    group_path: place.group.full_path,
    epic_iid: 1,
    child_epic_id: place.things.child_epic as number,
  }),
  inIterationPage: ({ place }) => ({ group_path: place.group.full_path, iteration_id: place.things.iteration as number }),
  inCommitPage: ({ place }) => ({ project_path: place.project.full_path, sha: 'main' }),
  inCommitOrText: ({ place }) => ({ project_path: place.project.full_path, sha: 'main' }),
  inBranchPath: ({ place }) => ({ project_path: place.project.full_path, revision_path: 'main' }),
  inBranchFile: ({ place }) => ({ project_path: place.project.full_path, revision_path: 'main/README.md' }),
  inBranchText: ({ place }) => ({ project_path: place.project.full_path, revision_path: 'main/README.md' }),
  inFilePage: ({ place }) => ({ project_path: place.project.full_path, revision_path: 'main/README.md' }),
  inRevisionPage: ({ place }) => ({ project_path: place.project.full_path, revision_path: 'main' }),
  inBranchPage: ({ place }) => ({ project_path: place.project.full_path, branch: 'topic-1' }),
  inTagPage: ({ place }) => ({ project_path: place.project.full_path, tag_name: 'v0.1' }),
  inRepositoryPage: ({ place }) => ({ project_path: place.project.full_path }),
  inOwnSession: ({ own }) => ({ session_id: own.session as number }),
}

/** Path values of single pages and forms, where the scope's example is in the wrong state for it. */
export const pagePaths: Readonly<Record<string, (where: Where) => Things>> = {
  'POST /:project_path/-/jobs/:job_id/play': ({ place }) => manualJob(place),
  'POST /:project_path/-/jobs/:job_id/cancel': ({ place }) => manualJob(place),
  'POST /:project_path/-/environments/:environment_id/deployments/:deployment_id/play': ({ place }) => ({
    project_path: place.project.full_path,
    environment_id: place.things.manual_environment as number,
    deployment_id: place.things.manual_deployment as number,
  }),
  'POST /:project_path/-/settings/general/restore': ({ place }) => ({ project_path: `${place.group.full_path}/marked` }),
}

const manualJob = ({ project, things }: Where['place']): Things => ({
  project_path: project.full_path,
  job_id: things.manual_job as number,
})

/** Parameters of single endpoints: what the examples of required parameters cannot satisfy. */
export const pageParameters: Readonly<Record<string, (where: Omit<Where, 'own'>) => Record<string, unknown>>> = {
  'POST /:project_path/-/pipelines/new': () => ({ ref: 'ci' }),
  'POST /:project_path/-/settings/general/delete': ({ place }) => ({ full_path: place.project.full_path }),
  'POST /groups/:group_path/-/settings/general/delete': ({ place }) => ({ full_path: place.group.full_path }),
  'POST /groups/:group_path/-/settings/general/transfer': ({ world }) => ({ group_id: world.things.other_group }),
  'POST /:project_path/-/settings/merge_requests/approvals': () => ({ reset_approvals_on_push: true }),
}

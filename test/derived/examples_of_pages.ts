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
  inMergeRequestPage: ({ place }) => ({ project_path: place.project.full_path, merge_request_iid: 1 }),
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
  inGroupPage: ({ place }) => ({ group_path: place.group.full_path }),
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

/** The abilities on projects, and on what people plan, write and discuss in them. */
import { roles } from '../open_to.ts'
import type { Rule } from './rule.ts'

/** Labels, milestones and boards exist for these features: with both disabled they are hidden. */
const planned = ['issues', 'merge_requests'] as const

export const projectRules = {
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
  // Contract: who may write to the repository (project statistics API at 14.0).
  read_fetches: { on: 'project', role: roles.developer },
  push_code: { on: 'project', role: roles.developer, feature: 'repository', changes: true },
  // Push access to at least one branch: users who may merge a merge request from a fork have it in the fork if its author allows that.
  push_to_branch: { on: 'project', role: roles.developer, own: 'read_code', feature: 'repository', changes: true },
  admin_protected_branches: { on: 'project', role: roles.maintainer, feature: 'repository' },
  // What an archived project pushes and pulls can be seen, and not be changed.
  read_mirrors: { on: 'project', role: roles.maintainer },
  admin_mirrors: { on: 'project', role: roles.maintainer, changes: true },
  admin_protected_tags: { on: 'project', role: roles.maintainer, feature: 'repository' },

  // Wikis. Contract: Guests read the pages of a private project and cannot clone them; Maintainers delete pages (public permissions at 14.0).
  read_wiki: { on: 'project', role: roles.guest, public: 'anyone', feature: 'wiki' },
  download_wiki: { on: 'project', role: roles.reporter, public: 'anyone', feature: 'wiki' },
  create_wiki: { on: 'project', role: roles.developer, feature: 'wiki', changes: true },
  admin_wiki: { on: 'project', role: roles.maintainer, feature: 'wiki', changes: true },
} as const satisfies Record<string, Rule>

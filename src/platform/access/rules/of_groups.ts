/** The abilities on groups, and on the users that an identity provider provisions in them. */
import { roles } from '../open_to.ts'
import type { Rule } from './rule.ts'

export const groupRules = {
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
  read_group_container_images: { on: 'group', role: roles.reporter },
  admin_group_scim: { on: 'group', role: roles.owner },
  provision_group_users: { on: 'provisioning', who: 'scim_token' },
} as const satisfies Record<string, Rule>

/** The settings of the instance as such: what new things begin with, who may sign up, what is recorded. */

import { languageNames, languages } from '../../../platform/access/preferences.ts'
import { updateApplicationSettings } from '../../../platform/application_settings/endpoints.ts'
import { visibilities } from '../../projects/visibilities.ts'
import { instancePage, instanceValues } from './declared.ts'

const shared = { of: updateApplicationSettings, values: instanceValues, confirms: true } as const

export const generalPage = instancePage({
  key: 'general',
  sections: [
    {
      ...shared,
      key: 'visibility',
      title: 'Visibility of new projects and groups',
      says: 'Where nothing else is chosen.',
      fields: [
        { name: 'default_project_visibility', label: 'New projects', control: 'radio', choices: visibilities, hint: '' },
        {
          name: 'default_snippet_visibility',
          label: 'New snippets',
          control: 'radio',
          choices: visibilities,
          hint: 'What the page for a new snippet begins with.',
        },
        { name: 'default_group_visibility', label: 'New groups at the top', control: 'radio', choices: visibilities, hint: '' },
        {
          name: 'restricted_visibility_levels',
          label: 'Levels that only administrators give',
          control: 'checkboxes',
          choices: visibilities,
          hint: '',
        },
      ],
    },
    {
      ...shared,
      key: 'texts',
      title: 'What this server says',
      says: 'Each is optional.',
      fields: [
        { name: 'sign_in_text', label: 'On the page for signing in', control: 'textarea', hint: '' },
        { name: 'after_sign_up_text', label: 'To those who made an account', control: 'textarea', hint: '' },
        { name: 'help_page_text', label: 'Above the handbook', control: 'textarea', hint: '' },
        { name: 'help_page_support_url', label: 'Address where people get help', placeholder: 'https://help.example.com', hint: '' },
        { name: 'home_page_url', label: 'Address that visitors are led to', hint: 'In place of the page for signing in.' },
        { name: 'after_sign_out_path', label: 'Path that people are led to who sign out', placeholder: '/explore/projects', hint: '' },
        { name: 'email_additional_text', label: 'At the end of each mail', control: 'textarea', hint: '' },
        { name: 'html_emails_enabled', label: 'Mails have HTML besides their text', hint: '' },
        {
          name: 'default_preferred_language',
          label: 'Language of mails',
          control: 'select',
          choices: languages.map(language => [language, languageNames[language]] as const),
          hint: 'To people who chose none, and to addresses without an account. Pages are in English.',
        },
      ],
    },
    {
      ...shared,
      key: 'commits',
      title: 'Commits',
      says: 'People may choose an address for their commits that takes no mail.',
      fields: [
        {
          name: 'commit_email_hostname',
          label: 'Domain of these addresses',
          required: true,
          hint: 'Commits with an address of another domain are then no longer theirs.',
        },
      ],
    },
    {
      ...shared,
      key: 'audit',
      title: 'Audit log',
      fields: [{ name: 'audit_events_retention_days', label: 'Days that entries are kept', required: true, hint: '0: for ever.' }],
    },
  ],
})

export const accountsPage = instancePage({
  key: 'accounts',
  sections: [
    {
      ...shared,
      key: 'sign_in',
      title: 'Sign-in',
      fields: [
        {
          name: 'password_authentication_enabled_for_web',
          label: 'People sign in with passwords',
          hint: 'If not, the page shows the sign-in providers of the server alone. Administrators keep their passwords as a way in, and so do all others where there is no provider.',
        },
      ],
    },
    {
      ...shared,
      key: 'sign_up',
      title: 'Sign-up',
      fields: [
        { name: 'signup_enabled', label: 'People may make accounts of their own', hint: '' },
        {
          name: 'require_admin_approval_after_user_signup',
          label: 'An administrator approves each',
          hint: 'They get a mail when someone waits.',
        },
        {
          name: 'send_user_confirmation_email',
          label: 'People confirm their address by a link in a mail',
          hint: 'Without effect where this server sends no mail: addresses are then taken at their word, or vouched for by the administrator who approves.',
        },
        {
          name: 'domain_allowlist',
          label: 'Domains that their addresses may have',
          placeholder: 'example.com, *.example.org',
          hint: 'With commas between them; `*` for any characters. Empty: all.',
        },
        { name: 'domain_denylist_enabled', label: 'Refuse the domains below', hint: '' },
        {
          name: 'domain_denylist',
          label: 'Domains that their addresses may not have',
          hint: 'With commas between them; `*` for any characters.',
        },
      ],
    },
    {
      ...shared,
      key: 'new_users',
      title: 'New users',
      fields: [
        { name: 'default_projects_limit', label: 'Personal projects that each may have', required: true, hint: '' },
        { name: 'user_default_external', label: 'New users are external', hint: 'They see what they are a member of, and what is public.' },
        { name: 'minimum_password_length', label: 'Characters that a password has at least', required: true, hint: 'From 8 to 128.' },
      ],
    },
    {
      ...shared,
      key: 'invitations',
      title: 'Invitations, issues and comments',
      fields: [
        {
          name: 'daily_invitations_per_user',
          label: 'Invitations by mail in a day, by one user',
          required: true,
          hint: 'To addresses without an account. 0: any number.',
        },
        { name: 'daily_invitations_per_instance', label: 'Invitations in a day, by all users', required: true, hint: '0: any number.' },
        { name: 'issues_create_limit', label: 'Issues that a user may create in a minute', required: true, hint: '0: any number.' },
        { name: 'notes_create_limit', label: 'Comments that a user may write in a minute', required: true, hint: '0: any number.' },
      ],
    },
    {
      ...shared,
      key: 'scim',
      title: 'Accounts by identity providers (SCIM)',
      fields: [
        {
          name: 'scim_provisioning',
          label: 'Who turns on the SCIM of a group',
          control: 'radio',
          choices: [
            ['disabled', 'Nobody'],
            ['administrators', 'Administrators'],
            ['owners', 'Administrators and the owners of the group'],
          ],
          hint: '',
        },
        {
          name: 'scim_existing_users',
          label: 'Accounts there are already that a provider may link',
          control: 'radio',
          choices: [
            ['refused', 'None'],
            ['members', 'Members of the group'],
            ['verified', 'All whose address is verified'],
          ],
          hint: '',
        },
        { name: 'scim_email_domains', label: 'Domains of the addresses', hint: 'With commas between them. Empty: all.' },
        {
          name: 'scim_accounts_per_group',
          label: 'Accounts for each top-level group',
          required: true,
          hint: 'Those of subgroups included, also of such that were deleted since.',
        },
        {
          name: 'scim_accounts_per_owner',
          label: 'Accounts in all groups of one owner',
          required: true,
          hint: 'Of owners who turned SCIM on without being an administrator; deleted groups included.',
        },
      ],
    },
  ],
})

/** Issue trackers outside: their issues are named in texts and commits, and linked. */
import { called, flagField, type IntegrationKind, line, link, must, type SettingField, secret } from './field.ts'

const project = must(
  link('project_url', 'Address of the project in the tracker', { label: 'Project', example: 'https://tracker.example.com/project' }),
)
const issue = must(
  link('issues_url', 'Address of an issue, with `:id` in the place of its number', {
    label: 'Issue',
    example: 'https://tracker.example.com/issues/:id',
  }),
)
const newIssue = must(
  link('new_issue_url', 'Address where an issue is made', { label: 'New issue', example: 'https://tracker.example.com/issues/new' }),
)
const described: SettingField = line('description', 'Description of the tracker', { unlisted: true })
const titled: SettingField = line('title', 'Name that the tracker is shown under', { unlisted: true })

const tracker = (slug: string, title: string, about: string, fields: readonly SettingField[]): IntegrationKind => ({
  slug,
  title,
  about,
  group: 'Issue trackers',
  fields,
  events: ['push_events'],
})

export const trackers: readonly IntegrationKind[] = [
  {
    slug: 'jira',
    title: 'Jira',
    about: 'Links issue keys, comments on the issues that commits and merge requests name, and moves those that they close.',
    group: 'Issue trackers',
    fields: [
      must(called('url', 'Address of Jira, for links', { label: 'Address', example: 'https://jira.example.com' })),
      called('api_url', 'Address of its API, where it is another one', { label: 'Address of the API' }),
      must(line('username', 'Name or email address of the user who comments', { label: 'Username' })),
      must(secret('password', 'Password or API token of the user', { label: 'Password or API token' })),
      flagField('jira_issue_transition_automatic', 'Whether closed issues move to the first state that counts as done', {
        label: 'Move closed issues by themselves',
      }),
      line('jira_issue_transition_id', 'IDs of transitions that closed issues take in this order, with commas between', {
        label: 'Transitions',
      }),
    ],
    events: ['commit_events', 'merge_requests_events'],
  },
  tracker('custom-issue-tracker', 'Custom issue tracker', 'Links issues to a tracker of your own.', [
    project,
    issue,
    newIssue,
    titled,
    described,
  ]),
  tracker('redmine', 'Redmine', 'Links issues to Redmine.', [project, issue, newIssue, described]),
  tracker('bugzilla', 'Bugzilla', 'Links issues to Bugzilla.', [project, issue, newIssue, titled, described]),
  tracker('ewm', 'EWM', 'Links work items to IBM Engineering Workflow Management.', [project, issue, newIssue]),
  tracker('youtrack', 'YouTrack', 'Links issues to YouTrack.', [project, issue, described]),
  {
    slug: 'asana',
    title: 'Asana',
    about: 'Keeps the key of Asana.',
    group: 'Issue trackers',
    fields: [
      must(secret('api_key', 'Personal access token', { label: 'Token' })),
      line('restrict_to_branch', 'Branches, with commas between; empty: all', { label: 'Branches' }),
    ],
    events: ['push_events'],
    kept: true,
  },
  {
    slug: 'assembla',
    title: 'Assembla',
    about: 'Keeps the token of Assembla.',
    group: 'Issue trackers',
    fields: [must(secret('token', 'Token of Assembla', { label: 'Token' })), line('subdomain', 'Subdomain of Assembla')],
    events: ['push_events'],
    kept: true,
  },
  {
    slug: 'pivotaltracker',
    title: 'PivotalTracker',
    about: 'Keeps the token of Pivotal Tracker.',
    group: 'Issue trackers',
    fields: [
      must(secret('token', 'Token of Pivotal Tracker', { label: 'Token' })),
      line('restrict_to_branch', 'Branches, with commas between; empty: all', { label: 'Branches' }),
    ],
    events: ['push_events'],
    kept: true,
  },
]

/** The settings of a project as such: what it is called, who sees it, which features it has, and what cannot be taken back. */
import { isAdmin } from '../../../platform/access/actor.ts'
import { updateProject } from '../../../spaces/projects/endpoints.ts'
import { visibilities } from '../visibilities.ts'
import { projectPage, projectValues } from './declared.ts'
import { ending } from './ending.ts'
import { pictureSection } from './picture.ts'

/** Who may use a feature. */
const levels = [
  ['enabled', 'Everyone who may see the project'],
  ['private', 'Members only'],
  ['disabled', 'Nobody: it is off'],
] as const

const level = (feature: string, label: string, hint: string) =>
  ({ name: `${feature}_access_level`, label, control: 'select', choices: levels, hint }) as const

export const generalPage = projectPage({
  key: 'general',
  title: 'General',
  path: '/:project_path/-/edit',
  formsAt: '/:project_path/-/settings/general',
  sections: [
    {
      key: 'naming',
      title: 'Name, description, topics',
      of: updateProject,
      values: projectValues,
      fields: [
        { name: 'name', label: 'Name', required: true, hint: 'As people call it. The address stays as it is.' },
        { name: 'description', label: 'Description', control: 'textarea', hint: 'What it is, in a line or two.' },
        {
          name: 'topics',
          label: 'Topics',
          hint: 'Words with commas between them, by which others find the project.',
          placeholder: 'compiler, tooling',
        },
      ],
    },
    pictureSection,
    {
      key: 'visibility',
      title: 'Visibility and features',
      says: 'Who sees the project, and who may use which part of it.',
      of: updateProject,
      values: projectValues,
      fields: [
        { name: 'visibility', label: 'Visibility', control: 'radio', choices: visibilities, hint: '' },
        level('issues', 'Issues', 'Problems and plans, with boards and milestones.'),
        level('repository', 'Repository', 'Files, commits and branches. Merge requests and CI/CD need it.'),
        level('merge_requests', 'Merge requests', 'Changes that others review.'),
        level('forking', 'Forks', 'Who may copy the project to a place of their own.'),
        level('builds', 'CI/CD', 'Pipelines, jobs and what they leave behind.'),
        level('wiki', 'Wiki', 'Pages that are written together.'),
        level('snippets', 'Snippets', 'Pieces of text and code, each with an address of its own.'),
        {
          ...level('pages', 'Pages', 'The static site that a job of the project makes.'),
          choices: [...levels.slice(0, 1), ['public', 'Everyone, also where the project is private'], ...levels.slice(1)],
        },
        level('analytics', 'Analytics', 'Figures and charts of issues, merge requests and people.'),
        level('operations', 'Environments', 'Where it is deployed, the deployments, and feature flags.'),
        {
          name: 'request_access_enabled',
          label: 'People may ask for access',
          hint: 'Who sees the project and is no member can ask to become one.',
        },
        {
          name: 'show_default_award_emojis',
          label: 'Thumbs up and down are always shown',
          hint: 'Below issues and merge requests, also where nobody has given one yet.',
        },
        {
          name: 'emails_disabled',
          label: 'No notifications by mail',
          hint: 'Nobody gets mail about what happens in the project, whatever they chose.',
        },
      ],
    },
    {
      key: 'issues',
      title: 'New issues',
      of: updateProject,
      values: projectValues,
      isShown: ({ tier }) => tier !== 'free',
      fields: [
        {
          name: 'issues_template',
          label: 'Text that new issues begin with',
          control: 'textarea',
          hint: 'It goes before `.gitlab/issue_templates/Default.md` of the repository.',
        },
      ],
    },
    {
      key: 'storage',
      title: 'Storage',
      says: 'For administrators.',
      of: updateProject,
      values: projectValues,
      isShown: ({ actor }) => isAdmin(actor),
      fields: [
        {
          name: 'repository_size_limit',
          label: 'Size limit in MB',
          hint: 'Of the repository, LFS objects, packages and uploads together. 0: none. Empty: as for the instance.',
        },
        { name: 'repository_storage', label: 'Storage of the repository', control: 'text', hint: 'The name of a storage of the instance.' },
      ],
    },
    ...ending,
  ],
})

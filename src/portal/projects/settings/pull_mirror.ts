/** Where a project pulls from, and what follows. How it goes is on the page of its mirrors. */
import { updateProject } from '../../../spaces/projects/endpoints.ts'
import { projectPage, projectValues } from './declared.ts'

export const pullMirrorPage = projectPage({
  key: 'mirrors',
  title: 'Pull mirror',
  path: '/:project_path/-/settings/mirrors/pull',
  sections: [
    {
      key: 'pull',
      title: 'Pull from another repository',
      says: 'The branches and tags of the other repository come here every half hour, as if they were pushed by the user who sets this up. What is deleted there stays here.',
      of: updateProject,
      values: projectValues,
      tier: 'premium',
      fields: [
        {
          name: 'import_url',
          label: 'Address of the repository',
          control: 'text',
          placeholder: 'https://name:token@git.example.com/team/project.git',
          hint: 'Over http or https. Credentials are kept encrypted and shown nowhere; an address that is left as it stands keeps its own.',
        },
        { name: 'mirror', label: 'Pull from it', hint: '' },
        {
          name: 'mirror_trigger_builds',
          label: 'Make pipelines for what is pulled',
          hint: 'They run with the variables and runners of this project: only for repositories that you trust.',
        },
        { name: 'only_mirror_protected_branches', label: 'Only branches that are protected here', hint: 'And all tags.' },
        {
          name: 'mirror_overwrites_diverged_branches',
          label: 'Overwrite branches that have diverged',
          hint: 'Commits that were made here are lost from them. Otherwise such branches stay as they are.',
        },
      ],
    },
  ],
})

/** The keys at the top level of a CI file. Every other name there is that of a job, or of a template where it begins with a point. */
import { conditions } from './conditions.ts'
import { defaultsOfJobs, legacyDefaults, variables } from './job_keys.ts'
import { ignored, type Keys } from './words.ts'

const { if: ifKey, changes, exists } = conditions

const workflowRule: Keys = {
  if: ifKey,
  changes,
  exists,
  when: { says: 'Whether there is a pipeline where the rule applies.', example: 'never', values: ['always', 'never'] },
  variables,
  auto_cancel: ignored('Of later versions of the format.', '{on_new_commit: none}'),
}

export const fileKeys: Keys = {
  stages: {
    says: 'The stages in their order. Jobs of a stage run side by side, after those of the stage before. `.pre` and `.post` are always first and last.',
    example: '[build, test, deploy]',
  },
  include: {
    says: 'Other files that are read first: this file is merged over them. A text is a path in this project, or an address.',
    example: 'ci/tests.yml',
    keys: {
      local: { says: 'A file of this project at the same commit; `*` and `**` match several.', example: 'ci/*.yml' },
      project: { says: 'The path of another project, whose `file` is read with your rights.', example: 'group/project' },
      file: { says: 'With `project`: a file, or a list of files.', example: 'ci/build.yml' },
      ref: { says: 'With `project`: a branch, tag or commit; the default branch unless given.', example: 'main' },
      remote: { says: 'The address of a file that anyone may read.', example: 'https://example.com/ci.yml' },
      template: {
        says: 'A template that comes with this server: `GET /templates/gitlab_ci_ymls` lists their names.',
        example: 'Nodejs.gitlab-ci.yml',
      },
      rules: { says: 'When the file is included, by the conditions of `rules`.', example: '[{exists: [Dockerfile]}]' },
    },
  },
  default: {
    says: 'What all jobs have unless they say otherwise.',
    example: '{image: alpine}',
    keys: defaultsOfJobs,
  },
  variables,
  workflow: {
    says: 'Whether there is a pipeline at all.',
    example: '{rules: [{if: $CI_COMMIT_BRANCH}]}',
    keys: {
      rules: {
        says: 'The first rule that applies decides; where none does there is no pipeline.',
        example: '[{when: always}]',
        keys: workflowRule,
      },
      name: ignored('A name of the pipeline, of later versions of the format.', 'Nightly'),
      auto_cancel: ignored('Of later versions of the format.', '{on_new_commit: none}'),
    },
  },
  ...legacyDefaults,
  types: { says: 'The former name of `stages`.', example: '[build, test]' },
  spec: ignored('A head of the file, of later versions of the format.', '{inputs: {}}'),
}

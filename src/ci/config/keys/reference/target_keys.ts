/** The keys that say where a job deploys, which pipeline it starts, and how many copies of it there are. */
import { type Keys, yesOrNo } from './words.ts'

export const target: Keys = {
  environment: {
    says: 'The environment that it deploys to: a name, or a map.',
    example: '{name: review/$CI_COMMIT_REF_SLUG, url: "https://example.com"}',
    keys: {
      name: { says: 'The name; those with a slash are grouped.', example: 'production' },
      url: { says: 'Where it can be seen.', example: 'https://example.com' },
      action: {
        says: 'What the job does to it.',
        example: 'stop',
        values: ['start', 'prepare', 'stop', 'verify', 'access'],
      },
      on_stop: { says: 'The job that stops it.', example: 'stop_review' },
      auto_stop_in: { says: 'After which time it is stopped.', example: '1 day' },
      deployment_tier: {
        says: 'What it is for.',
        example: 'staging',
        values: ['production', 'staging', 'testing', 'development', 'other'],
      },
      kubernetes: {
        says: 'How it deploys to a cluster by certificate that is not managed.',
        example: '{namespace: review}',
        keys: { namespace: { says: 'The namespace in the cluster, `KUBE_NAMESPACE`.', example: 'review' } },
      },
    },
  },
  parallel: {
    says: 'How many copies of it run: a number, or a matrix of variables.',
    example: '{matrix: [{OS: [linux, macos]}]}',
    keys: { matrix: { says: 'A copy for each combination of the values.', example: '[{OS: [linux, macos]}]' } },
  },
  trigger: {
    says: 'Starts a pipeline: of another project, or a child pipeline of the included files. Such a job has no script.',
    example: '{include: ci/child.yml, strategy: depend}',
    keys: {
      project: {
        says: 'The path of the other project. Who runs the pipeline has to be a member of it who may run pipelines there.',
        example: 'group/project',
      },
      branch: { says: 'Its branch; the default branch unless given.', example: 'main' },
      include: {
        says: 'The CI file of the child pipeline, or up to three.',
        example: 'ci/child.yml',
        keys: {
          local: { says: 'A file of this project.', example: 'ci/child.yml' },
          artifact: { says: 'A file that `job` has made.', example: 'child.yml' },
          job: { says: 'With `artifact`: the job.', example: 'generate', beside: 'artifact' },
          project: { says: 'The path of another project, whose `file` it is.', example: 'group/project' },
          file: { says: 'With `project`: the file.', example: 'ci/child.yml', beside: 'project' },
          ref: { says: 'With `project`: a branch or tag.', example: 'main', beside: 'project' },
          remote: { says: 'The address of a file that anyone may read.', example: 'https://example.com/ci.yml' },
          template: { says: 'A template that comes with this server.', example: 'Nodejs.gitlab-ci.yml' },
        },
      },
      strategy: { says: 'The job waits for the pipeline and gets its status.', example: 'depend', values: ['depend'] },
      forward: {
        says: 'Which variables the pipeline gets.',
        example: '{pipeline_variables: true}',
        keys: {
          yaml_variables: yesOrNo('Those of the job.', 'false'),
          pipeline_variables: yesOrNo('Those that the pipeline was run with.'),
        },
      },
    },
  },
}

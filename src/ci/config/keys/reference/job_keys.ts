/** The keys of a job. */
import { failures } from '../target.ts'
import { except, only, rulesOf, start_in, when } from './conditions.ts'
import { artifacts, cache, release } from './output_keys.ts'
import { target } from './target_keys.ts'
import { ignored, type Keys, type KeyWords, yesOrNo } from './words.ts'

/** `variables` of a file, a job or a rule. */
export const variables: KeyWords = {
  says: 'Variables by name. A value may be a map, whose description, at the top level, asks for a value where a pipeline is run by hand.',
  example: '{LEVEL: {value: info, description: How much is logged}}',
}

/** The keys of a variable that is a map. */
export const variableKeys: Keys = {
  value: { says: 'The value.', example: 'info' },
  description: { says: 'What it is for: shown where a pipeline is run by hand.', example: 'How much is logged' },
  options: { says: 'The values that are offered.', example: '[info, debug]' },
  expand: yesOrNo('Whether `$NAME` in the value stands for another variable.', 'false'),
}

/** The keys of a token of `id_tokens`. */
export const idTokenKeys: Keys = {
  aud: { says: 'Whom it is for: one service, or a list.', example: 'https://example.com' },
}

const container: Keys = {
  name: { says: 'The image.', example: 'node:22' },
  entrypoint: { says: 'What the container starts, in place of what the image says.', example: '[""]' },
  ports: { says: 'Ports that the container listens on.', example: '[80]' },
  pull_policy: ignored('Of later versions of the format.', 'always'),
}

/** What may also stand at the top level of the file, as before `default` existed. */
export const legacyDefaults: Keys = {
  image: { says: 'The container image that the script runs in, with runners that have containers.', example: 'node:22', keys: container },
  services: {
    says: 'Containers beside that of the script, such as a database.',
    example: '[postgres:17]',
    keys: {
      ...container,
      alias: { says: 'The host name by which the script finds it.', example: 'db' },
      command: { says: 'The command, in place of what the image says.', example: '[serve]' },
    },
  },
  before_script: { says: 'Commands that run before the script, in the same shell.', example: '[npm ci]' },
  after_script: { says: 'Commands that run after the script, also when it has failed, in a shell of their own.', example: '[rm -rf tmp]' },
  cache,
}

/** What `default` may say for all jobs. */
export const defaultsOfJobs: Keys = {
  ...legacyDefaults,
  artifacts,
  tags: { says: 'Tags that the runner must have.', example: '[docker]' },
  timeout: { says: 'How long the job may run.', example: '1 hour 30 minutes' },
  retry: {
    says: 'How often the job is run again when it fails: 0, 1 or 2.',
    example: '{max: 2, when: [runner_system_failure]}',
    keys: {
      max: { says: 'How often.', example: '2', values: ['0', '1', '2'] },
      when: { says: 'After which failures.', example: 'script_failure', values: failures, listed: true },
    },
  },
  interruptible: yesOrNo('Whether a newer pipeline of the branch may cancel it.'),
  id_tokens: {
    says: 'Signed tokens by which the job proves to other services what it is, by the variables that hold them.',
    example: '{TOKEN: {aud: "https://example.com"}}',
  },
}

export const jobKeys: Keys = {
  stage: { says: 'Its stage; `test` unless given.', example: 'build' },
  script: { says: 'The commands: one, or a list.', example: '[make, make test]' },
  ...defaultsOfJobs,
  rules: rulesOf(variables),
  needs: {
    says: 'The jobs that it waits for, in place of all of the stages before. It gets their artifacts.',
    example: '[build, {job: lint, artifacts: false}]',
    keys: {
      job: { says: 'The job.', example: 'build' },
      artifacts: yesOrNo('Whether its artifacts are downloaded.', 'false'),
      optional: yesOrNo('Whether it may be missing in the pipeline.'),
      project: {
        says: 'Another project, whose newest artifacts of `job` at `ref` are downloaded.',
        example: 'group/project',
        beside: 'job',
      },
      ref: { says: 'With `project`: a branch or tag.', example: 'main', beside: 'project' },
      pipeline: {
        says: 'The pipeline above, or another of this project, whose artifacts of `job` are downloaded.',
        example: '$PARENT_PIPELINE_ID',
      },
      parallel: { says: 'Which of the copies of a job: not supported, name the copy.', example: '{matrix: [{OS: linux}]}', use: 'refused' },
    },
  },
  dependencies: { says: 'The jobs of stages before whose artifacts are downloaded; all unless given, none for `[]`.', example: '[build]' },
  when,
  start_in,
  allow_failure: {
    says: 'Whether the pipeline passes when the job fails: a flag, or the exit codes.',
    example: '{exit_codes: [137]}',
    keys: { exit_codes: { says: 'One exit code, or a list.', example: '[137]' } },
  },
  variables,
  extends: { says: 'Jobs or templates whose keys it takes over; its own are merged over them.', example: '.tests' },
  inherit: {
    says: 'What it takes over from the file.',
    example: '{default: false}',
    keys: {
      default: { says: 'Of `default`: all, nothing, or these keys.', example: '[image]' },
      variables: { says: 'Of `variables`: all, nothing, or these.', example: 'false' },
    },
  },
  coverage: { says: 'A pattern between slashes that finds the coverage in the log.', example: "'/Coverage: (\\d+)%/'" },
  resource_group: { says: 'Of the jobs of a resource group only one runs at a time.', example: 'production' },
  ...target,
  release,
  only,
  except,
  pages: {
    says: 'Of later versions of the format, where any job can make the site: here it is the one called `pages`.',
    example: 'true',
    use: 'ignored',
  },
  type: { says: 'The former name of `stage`.', example: 'build' },
  description: ignored('Of later versions of the format.', 'What it is'),
  publish: ignored('Of later versions of the format.', 'public'),
  dast_configuration: ignored('Of later versions of the format.', '{site_profile: main}'),
  secrets: {
    says: 'Values from external vaults are not supported: use masked variables.',
    example: '{PASSWORD: {vault: a/b@c}}',
    use: 'refused',
  },
}

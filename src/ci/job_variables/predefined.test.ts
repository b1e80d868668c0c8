import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zeroId } from '../../platform/git/index.ts'
import { descriptionOf, type Facts, predefinedFrom, predefinedKeys, slugOf } from './predefined.ts'

const sha = 'c'.repeat(40)
const person = { name: 'Ada', email: 'ada@example.com', date: '2021-06-01T12:00:00.000+02:00' }

const planned: Facts = {
  url: 'https://git.example.com:8443',
  hasDependencyProxy: true,
  tier: 'free',
  sites: { url: 'https://pages.example.net', host: 'pages.example.net' },
  project: {
    id: 7,
    name: 'My App',
    path: 'my-app',
    full_path: 'Top/sub/my-app',
    namespace_full_path: 'Top/sub',
    visibility: 'private',
    default_branch: 'main',
    ci_config_path: null,
    container_registry_access_level: 'enabled',
    languages: ['TypeScript', 'Shell'],
    isFrozen: false,
    hasCluster: false,
  },
  pipeline: {
    source: 'push',
    ref: 'Feature/One_',
    ref_type: 'branch',
    sha,
    before_sha: null,
    protected: true,
    triggered: false,
    openMergeRequests: [],
  },
  commit: { message: 'Title\n\nMore\n', title: 'Title', author: person, committer: person },
  mergeRequest: undefined,
  user: { id: 3, email: 'ada@example.com', username: 'ada', name: 'Ada' },
  job: undefined,
  runner: undefined,
}

const valuesOf = (facts: Facts): Record<string, string> => Object.fromEntries(predefinedFrom(facts).map(({ key, value }) => [key, value]))

const pipeline: Record<string, string> = {
  CI: 'true',
  GITLAB_CI: 'true',
  CI_SERVER: 'yes',
  CI_SERVER_NAME: 'GitLab',
  CI_SERVER_URL: 'https://git.example.com:8443',
  CI_SERVER_HOST: 'git.example.com',
  CI_SERVER_PORT: '8443',
  CI_SERVER_PROTOCOL: 'https',
  CI_SERVER_VERSION: '14.0.0',
  CI_SERVER_VERSION_MAJOR: '14',
  CI_SERVER_VERSION_MINOR: '0',
  CI_SERVER_VERSION_PATCH: '0',
  CI_API_V4_URL: 'https://git.example.com:8443/api/v4',
  CI_PROJECT_ID: '7',
  CI_PROJECT_NAME: 'my-app',
  CI_PROJECT_TITLE: 'My App',
  CI_PROJECT_PATH: 'Top/sub/my-app',
  CI_PROJECT_PATH_SLUG: 'top-sub-my-app',
  CI_PROJECT_NAMESPACE: 'Top/sub',
  CI_PROJECT_ROOT_NAMESPACE: 'Top',
  CI_PROJECT_URL: 'https://git.example.com:8443/Top/sub/my-app',
  CI_PROJECT_VISIBILITY: 'private',
  CI_PROJECT_REPOSITORY_LANGUAGES: 'typescript,shell',
  CI_DEFAULT_BRANCH: 'main',
  CI_CONFIG_PATH: '.gitlab-ci.yml',
  CI_DEPENDENCY_PROXY_SERVER: 'git.example.com:8443',
  CI_DEPENDENCY_PROXY_GROUP_IMAGE_PREFIX: 'git.example.com:8443/top/dependency_proxy/containers',
  CI_DEPENDENCY_PROXY_DIRECT_GROUP_IMAGE_PREFIX: 'git.example.com:8443/top/sub/dependency_proxy/containers',
  CI_REGISTRY: 'git.example.com:8443',
  CI_REGISTRY_IMAGE: 'git.example.com:8443/top/sub/my-app',
  CI_PAGES_DOMAIN: 'pages.example.net',
  CI_PAGES_URL: 'https://top.pages.example.net/sub/my-app',
  CI_PIPELINE_SOURCE: 'push',
  CI_COMMIT_SHA: sha,
  CI_COMMIT_SHORT_SHA: 'cccccccc',
  CI_COMMIT_BEFORE_SHA: zeroId,
  CI_COMMIT_REF_NAME: 'Feature/One_',
  CI_COMMIT_REF_SLUG: 'feature-one',
  CI_COMMIT_REF_PROTECTED: 'true',
  CI_COMMIT_BRANCH: 'Feature/One_',
  CI_COMMIT_MESSAGE: 'Title\n\nMore\n',
  CI_COMMIT_TITLE: 'Title',
  CI_COMMIT_DESCRIPTION: '\nMore',
  CI_COMMIT_AUTHOR: 'Ada <ada@example.com>',
  CI_COMMIT_TIMESTAMP: '2021-06-01T12:00:00+02:00',
  GITLAB_USER_ID: '3',
  GITLAB_USER_EMAIL: 'ada@example.com',
  GITLAB_USER_LOGIN: 'ada',
  GITLAB_USER_NAME: 'Ada',
}

const withoutLegacy = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !key.startsWith('CI_BUILD_') && key !== 'CI_SERVER_REVISION'))

test('a pipeline that is to be has the variables of 14.0 that are known by then', () => {
  assert.deepEqual(withoutLegacy(valuesOf(planned)), pipeline)
})

test('CI_COMMIT_TIMESTAMP is in the zone of who committed, UTC written as a zone too (public behaviour at 14.0)', () => {
  const committer = { name: 'Ada', email: 'ada@example.com', date: '2021-06-01T12:00:00.000+00:00' }

  const { CI_COMMIT_TIMESTAMP } = valuesOf({ ...planned, commit: planned.commit && { ...planned.commit, committer } })

  assert.equal(CI_COMMIT_TIMESTAMP, '2021-06-01T12:00:00+00:00')
})

test('a tag has CI_COMMIT_TAG and no branch, a trigger and a freeze say so', () => {
  const { CI_COMMIT_BRANCH: _, ...rest } = pipeline
  const values = valuesOf({
    ...planned,
    project: { ...planned.project, isFrozen: true, ci_config_path: 'ci/main.yml' },
    pipeline: { ...planned.pipeline, ref: 'v1', ref_type: 'tag', before_sha: 'd'.repeat(40), protected: false, triggered: true },
  })
  assert.deepEqual(withoutLegacy(values), {
    ...rest,
    CI_COMMIT_TAG: 'v1',
    CI_COMMIT_REF_NAME: 'v1',
    CI_COMMIT_REF_SLUG: 'v1',
    CI_COMMIT_REF_PROTECTED: 'false',
    CI_COMMIT_BEFORE_SHA: 'd'.repeat(40),
    CI_PIPELINE_TRIGGERED: 'true',
    CI_DEPLOY_FREEZE: 'true',
    CI_CONFIG_PATH: 'ci/main.yml',
  })
})

test('merge request variables are set in a pipeline of the merge request', () => {
  const values = valuesOf({
    ...planned,
    pipeline: {
      ...planned.pipeline,
      source: 'merge_request_event',
      ref: 'topic',
      ref_type: 'merge_request',
      before_sha: 'd'.repeat(40),
      openMergeRequests: ['top/app!2', 'top/app!1'],
    },
    mergeRequest: {
      id: 90,
      iid: 2,
      title: 'Do it',
      project_id: 7,
      project_path: 'Top/sub/my-app',
      source_project_id: 8,
      source_project_path: 'ada/my-app',
      source_branch: 'topic',
      target_branch: 'main',
      assignees: ['ada', 'bob'],
      labels: [],
      milestone: null,
      version_id: 5,
      base_sha: 'b'.repeat(40),
    },
  })
  const shown = Object.fromEntries(Object.entries(values).filter(([key]) => key.startsWith('CI_MERGE_REQUEST')))
  assert.deepEqual(shown, {
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
    CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '',
    CI_MERGE_REQUEST_ID: '90',
    CI_MERGE_REQUEST_IID: '2',
    CI_MERGE_REQUEST_TITLE: 'Do it',
    CI_MERGE_REQUEST_REF_PATH: 'refs/merge-requests/2/head',
    CI_MERGE_REQUEST_PROJECT_ID: '7',
    CI_MERGE_REQUEST_PROJECT_PATH: 'Top/sub/my-app',
    CI_MERGE_REQUEST_PROJECT_URL: 'https://git.example.com:8443/Top/sub/my-app',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '8',
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'ada/my-app',
    CI_MERGE_REQUEST_SOURCE_PROJECT_URL: 'https://git.example.com:8443/ada/my-app',
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'topic',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_ASSIGNEES: 'ada,bob',
    CI_MERGE_REQUEST_DIFF_ID: '5',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'b'.repeat(40),
  })
  assert.equal(values.CI_COMMIT_BRANCH, undefined)
  assert.equal(values.CI_COMMIT_BEFORE_SHA, zeroId)
  assert.equal(values.CI_OPEN_MERGE_REQUESTS, 'top/app!2,top/app!1')
})

const running: Facts = {
  ...planned,
  pipeline: { ...planned.pipeline, id: 11, iid: 4, created_at: '2021-06-01T10:00:00.123Z' },
  job: {
    id: 12,
    name: 'rspec 2/3',
    stage: 'test',
    when: 'manual',
    started_at: '2021-06-01T10:01:00.456Z',
    options: { parallel: { index: 2, total: 3 }, environment: { name: 'review/$CI_COMMIT_REF_SLUG', action: 'stop' } },
    environment: { name: 'review/feature-one', slug: 'review-feature-one', tier: 'development' },
    token: 'token-of-the-job-123',
  },
  runner: { id: 5, description: 'fast', tags: ['docker', 'linux'] },
}

test('a job that runs has its own, its runner’s and its environment’s variables besides', () => {
  const values = withoutLegacy(valuesOf(running))
  const { length } = Object.keys(pipeline)
  const more = Object.fromEntries(Object.entries(values).filter(([key]) => !(key in pipeline)))
  assert.equal(Object.keys(values).length, length + Object.keys(more).length)
  assert.deepEqual(more, {
    CI_PIPELINE_ID: '11',
    CI_PIPELINE_IID: '4',
    CI_PIPELINE_URL: 'https://git.example.com:8443/Top/sub/my-app/-/pipelines/11',
    CI_PIPELINE_CREATED_AT: '2021-06-01T10:00:00Z',
    CI_JOB_ID: '12',
    CI_JOB_URL: 'https://git.example.com:8443/Top/sub/my-app/-/jobs/12',
    CI_JOB_NAME: 'rspec 2/3',
    CI_JOB_STAGE: 'test',
    CI_JOB_MANUAL: 'true',
    CI_JOB_STARTED_AT: '2021-06-01T10:01:00Z',
    CI_JOB_TOKEN: 'token-of-the-job-123',
    CI_DEPENDENCY_PROXY_USER: 'gitlab-ci-token',
    CI_DEPENDENCY_PROXY_PASSWORD: 'token-of-the-job-123',
    CI_REGISTRY_USER: 'gitlab-ci-token',
    CI_REGISTRY_PASSWORD: 'token-of-the-job-123',
    CI_REPOSITORY_URL: 'https://gitlab-ci-token:token-of-the-job-123@git.example.com:8443/Top/sub/my-app.git',
    CI_NODE_INDEX: '2',
    CI_NODE_TOTAL: '3',
    CI_ENVIRONMENT_NAME: 'review/feature-one',
    CI_ENVIRONMENT_SLUG: 'review-feature-one',
    CI_ENVIRONMENT_ACTION: 'stop',
    CI_ENVIRONMENT_TIER: 'development',
    CI_RUNNER_ID: '5',
    CI_RUNNER_DESCRIPTION: 'fast',
    CI_RUNNER_TAGS: 'docker, linux',
  })
})

test('what holds the token is not public, and the token itself is masked (document 1, Authentication rule 4)', () => {
  const hidden = predefinedFrom(running).filter(variable => !variable.public)
  assert.deepEqual(
    hidden.map(({ key, masked }) => [key, masked]),
    [
      ['CI_JOB_TOKEN', true],
      ['CI_REGISTRY_PASSWORD', true],
      ['CI_DEPENDENCY_PROXY_PASSWORD', true],
      ['CI_REPOSITORY_URL', false],
      ['CI_BUILD_TOKEN', true],
    ],
  )
})

test('a project without a container registry has no variables of one', () => {
  const { project } = running
  const keys = Object.keys(valuesOf({ ...running, project: { ...project, container_registry_access_level: 'disabled' } }))
  assert.deepEqual(
    keys.filter(key => key.startsWith('CI_REGISTRY')),
    [],
  )
})

test('no key is there twice', () => {
  assert.equal(new Set(predefinedKeys).size, predefinedKeys.length)
})

test('slugs are for host names', () => {
  const slugs = { 'Feature/One_': 'feature-one', '--a--': 'a', 'Über/x': 'ber-x', [`${'a'.repeat(62)}/b`]: 'a'.repeat(62), '1.0': '1-0' }
  for (const [text, slug] of Object.entries(slugs)) assert.equal(slugOf(text), slug)
})

test('the description of a commit is what comes after its title, or all of it where the title is long', () => {
  const long = 'x'.repeat(100)
  assert.equal(descriptionOf('Title', 'Title'), '')
  assert.equal(descriptionOf('Title\nmore', 'Title'), 'more')
  assert.equal(descriptionOf(`${long}\nmore`, long), `${long}\nmore`)
})

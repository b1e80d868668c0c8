/**
 * The predefined variables of pipelines and jobs: the CI_* set of 14.0 as one table. A row whose facts are not known
 * yet, or do not apply, is left out; so what rules see before there is a pipeline and what a runner is given come from the same table.
 * Pure.
 *
 * Absent, since the instance has nothing that they could name: a dependency proxy, chat, requirements. CI_DEPLOY_* too:
 * deploy tokens are stored as digests. Signed tokens (CI_JOB_JWT) are made for the runner alone: id_tokens.ts.
 */
import type { SitesAddress } from '../../platform/config.ts'
import { type Commit, inWholeSeconds, zeroId } from '../../platform/git/index.ts'
import { siteAddress } from '../../platform/kernel/addresses/site_address.ts'
import type { Tier } from '../../platform/kernel/declaration/types.ts'
import { apiVersion, version } from '../../platform/system/version.ts'
import type { JobOptions, PipelineSource, When } from '../config/index.ts'
import type { JobEnvironment } from '../jobs/hooks.ts'

/** The facts that the variables are made from. */
export interface Facts {
  /** The address of the instance, without a trailing slash. */
  readonly url: string
  readonly tier: Tier
  /** Where sites are served; undefined: nowhere. */
  readonly sites: SitesAddress | undefined
  /** Do groups pull images of another registry through the instance? */
  readonly hasDependencyProxy: boolean
  readonly project: ProjectFacts
  readonly pipeline: PipelineFacts
  readonly commit: Pick<Commit, 'message' | 'title' | 'author' | 'committer'> | undefined
  readonly mergeRequest: MergeRequestFacts | undefined
  /** The user for whom it runs. */
  readonly user: UserFacts | undefined
  readonly job: JobFacts | undefined
  readonly runner: RunnerFacts | undefined
}

export interface ProjectFacts {
  readonly id: number
  readonly name: string
  readonly path: string
  readonly full_path: string
  readonly namespace_full_path: string
  readonly visibility: string
  readonly default_branch: string | null
  readonly ci_config_path: string | null
  readonly container_registry_access_level: string
  /** Programming languages, the most used first. */
  readonly languages: readonly string[]
  readonly isFrozen: boolean
  /** Has it a cluster for every environment? */
  readonly hasCluster: boolean
}

export interface PipelineFacts {
  /** Id, number and time are known once it is stored. */
  readonly id?: number | undefined
  readonly iid?: number | undefined
  readonly created_at?: string | undefined
  readonly source: PipelineSource
  /** Short name of the branch or tag; of a merge request its source branch. */
  readonly ref: string
  readonly ref_type: 'branch' | 'tag' | 'merge_request'
  readonly sha: string
  readonly before_sha: string | null
  readonly protected: boolean
  /** Was it started by a trigger token? */
  readonly triggered: boolean
  /** Open merge requests from the branch: `group/project!1`, the newest first. */
  readonly openMergeRequests: readonly string[]
}

/** What is null or empty is not there, or hidden from the user for whom the job runs. */
export interface MergeRequestFacts {
  readonly id: number
  readonly iid: number
  readonly title: string | null
  readonly project_id: number | null
  readonly project_path: string | null
  readonly source_project_id: number | null
  readonly source_project_path: string | null
  readonly source_branch: string
  readonly target_branch: string | null
  readonly assignees: readonly string[]
  readonly labels: readonly string[]
  readonly milestone: string | null
  readonly version_id: number | null
  readonly base_sha: string | null
}

export interface UserFacts {
  readonly id: number
  readonly email: string
  readonly username: string
  readonly name: string
}

export interface JobFacts {
  readonly id?: number | undefined
  readonly name: string
  readonly stage: string
  readonly when: When
  readonly started_at?: string | null | undefined
  readonly options: JobOptions
  /** Name and slug, with variables expanded. */
  readonly environment?: JobEnvironment | undefined
  /** Its token, for the runner that is assigned the job. */
  readonly token?: string | undefined
}

export interface RunnerFacts {
  readonly id: number
  readonly description: string | null
  readonly tags: readonly string[]
}

/** A variable computed from facts: references in its value are not expanded. */
export interface Predefined {
  readonly key: string
  readonly value: string
  readonly raw: true
  /** May it be shown to users who see the job? */
  readonly public: boolean
  /** Hidden in logs. */
  readonly masked: boolean
}

type Value = string | number | null | undefined | false

type Row = readonly [key: string, value: (facts: Facts) => Value, shown?: 'private' | 'masked']

const when = (condition: boolean | undefined): string | undefined => (condition ? 'true' : undefined)

/** A text made safe for host names: `[a-z0-9-]`, at most 63 characters, no dash at either end. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')

/** A commit's message without its first line, or all of it if that line is long. */
export function descriptionOf(message: string, title: string): string {
  if (title.length >= 100) return message
  const end = message.indexOf('\n')
  return end < 0 ? '' : message.slice(end + 1).replace(/\n$/, '')
}

/** A time without fractions of seconds, which the variables do not have. */
const seconds = (instant: string | null | undefined): string | undefined => instant?.replace(/\.\d+(?=Z|[+-])/, '').replace('+00:00', 'Z')

const portOf = ({ url }: Facts): string => {
  const { port, protocol } = new URL(url)
  return port || (protocol === 'https:' ? '443' : '80')
}

const [major, minor, patch] = apiVersion('free').split('.')

const projectUrl = ({ url, project }: Facts): string => `${url}/${project.full_path}`

const mergeRequest =
  (value: (of: MergeRequestFacts) => Value) =>
  (facts: Facts): Value =>
    facts.mergeRequest && value(facts.mergeRequest)

const atMergeRequest =
  (value: (of: MergeRequestFacts, facts: Facts) => Value) =>
  (facts: Facts): Value =>
    facts.mergeRequest && value(facts.mergeRequest, facts)

const repositoryUrl = (facts: Facts): Value =>
  facts.job?.token && `${projectUrl(facts).replace('://', `://gitlab-ci-token:${facts.job.token}@`)}.git`

/** The user name that a job signs in to the container registry with; its token is the password. */
export const registryUser = 'gitlab-ci-token'

/** Where images of the project are: the host of the instance; undefined where the project has no registry. */
export const registryOf = ({
  url,
  project,
}: Pick<Facts, 'url'> & { readonly project: Pick<ProjectFacts, 'container_registry_access_level'> }) =>
  project.container_registry_access_level === 'disabled' ? undefined : new URL(url).host

/** Host and port, which the platform writes out always. */
const proxyOf = (facts: Facts) => facts.hasDependencyProxy && `${new URL(facts.url).hostname}:${portOf(facts)}`

/** Where images are pulled through a group. Clients take names in lower case. */
const imagePrefix = (facts: Facts, group = '') => proxyOf(facts) && `${proxyOf(facts)}/${group}/dependency_proxy/containers`.toLowerCase()

const table: readonly Row[] = [
  ['CI', () => 'true'],
  ['GITLAB_CI', () => 'true'],
  // Contract: scripts recognise the ecosystem's servers by this word (predefined variables of 14.0).
  ['CI_SERVER_NAME', () => 'GitLab'],
  ['CI_SERVER', () => 'yes'],
  ['CI_SERVER_URL', ({ url }) => url],
  ['CI_SERVER_HOST', ({ url }) => new URL(url).hostname],
  ['CI_SERVER_PORT', portOf],
  ['CI_SERVER_PROTOCOL', ({ url }) => new URL(url).protocol.slice(0, -1)],
  ['CI_SERVER_VERSION', ({ tier }) => apiVersion(tier)],
  ['CI_SERVER_VERSION_MAJOR', () => major],
  ['CI_SERVER_VERSION_MINOR', () => minor],
  ['CI_SERVER_VERSION_PATCH', () => patch],
  ['CI_SERVER_REVISION', () => version],
  ['CI_API_V4_URL', ({ url }) => `${url}/api/v4`],

  ['CI_PROJECT_ID', ({ project }) => project.id],
  ['CI_PROJECT_NAME', ({ project }) => project.path],
  ['CI_PROJECT_TITLE', ({ project }) => project.name],
  ['CI_PROJECT_PATH', ({ project }) => project.full_path],
  ['CI_PROJECT_PATH_SLUG', ({ project }) => slugOf(project.full_path)],
  ['CI_PROJECT_NAMESPACE', ({ project }) => project.namespace_full_path],
  ['CI_PROJECT_ROOT_NAMESPACE', ({ project }) => project.namespace_full_path.split('/')[0]],
  ['CI_PROJECT_URL', projectUrl],
  ['CI_PROJECT_VISIBILITY', ({ project }) => project.visibility],
  ['CI_PROJECT_REPOSITORY_LANGUAGES', ({ project }) => project.languages.join(',').toLowerCase()],
  ['CI_DEFAULT_BRANCH', ({ project }) => project.default_branch],
  ['CI_CONFIG_PATH', ({ project }) => project.ci_config_path || '.gitlab-ci.yml'],
  ['CI_REGISTRY', facts => registryOf(facts)],
  ['CI_REGISTRY_IMAGE', facts => registryOf(facts) && `${registryOf(facts)}/${facts.project.full_path.toLowerCase()}`],
  ['CI_KUBERNETES_ACTIVE', ({ project }) => when(project.hasCluster)],
  ['CI_PAGES_DOMAIN', ({ sites }) => sites?.host],
  ['CI_PAGES_URL', ({ sites, project }) => sites && siteAddress(sites, project.full_path)],
  ['CI_DEPENDENCY_PROXY_SERVER', facts => proxyOf(facts)],
  ['CI_DEPENDENCY_PROXY_GROUP_IMAGE_PREFIX', facts => imagePrefix(facts, facts.project.namespace_full_path.split('/')[0])],
  ['CI_DEPENDENCY_PROXY_DIRECT_GROUP_IMAGE_PREFIX', facts => imagePrefix(facts, facts.project.namespace_full_path)],
  ['CI_DEPLOY_FREEZE', ({ project }) => when(project.isFrozen)],

  ['CI_PIPELINE_ID', ({ pipeline }) => pipeline.id],
  ['CI_PIPELINE_URL', facts => facts.pipeline.id && `${projectUrl(facts)}/-/pipelines/${facts.pipeline.id}`],
  ['CI_PIPELINE_IID', ({ pipeline }) => pipeline.iid],
  ['CI_PIPELINE_SOURCE', ({ pipeline }) => pipeline.source],
  ['CI_PIPELINE_CREATED_AT', ({ pipeline }) => seconds(pipeline.created_at)],
  ['CI_PIPELINE_TRIGGERED', ({ pipeline }) => when(pipeline.triggered)],
  ['CI_OPEN_MERGE_REQUESTS', ({ pipeline }) => pipeline.openMergeRequests.join(',') || undefined],

  ['CI_COMMIT_SHA', ({ pipeline }) => pipeline.sha],
  ['CI_COMMIT_SHORT_SHA', ({ pipeline }) => pipeline.sha.slice(0, 8)],
  // Contract: zeros where there is nothing to compare with, as for merge requests (predefined variables of 14.0).
  ['CI_COMMIT_BEFORE_SHA', ({ pipeline }) => (pipeline.ref_type === 'merge_request' ? zeroId : (pipeline.before_sha ?? zeroId))],
  ['CI_COMMIT_REF_NAME', ({ pipeline }) => pipeline.ref],
  ['CI_COMMIT_REF_SLUG', ({ pipeline }) => slugOf(pipeline.ref)],
  ['CI_COMMIT_REF_PROTECTED', ({ pipeline }) => String(pipeline.protected)],
  ['CI_COMMIT_BRANCH', ({ pipeline }) => pipeline.ref_type === 'branch' && pipeline.ref],
  ['CI_COMMIT_TAG', ({ pipeline }) => pipeline.ref_type === 'tag' && pipeline.ref],
  ['CI_COMMIT_MESSAGE', ({ commit }) => commit?.message],
  ['CI_COMMIT_TITLE', ({ commit }) => commit?.title],
  ['CI_COMMIT_DESCRIPTION', ({ commit }) => commit && descriptionOf(commit.message, commit.title)],
  ['CI_COMMIT_AUTHOR', ({ commit }) => commit && `${commit.author.name} <${commit.author.email}>`],
  ['CI_COMMIT_TIMESTAMP', ({ commit }) => commit && inWholeSeconds(commit.committer)],

  // Contract: merged results are off, so that the branches' own commits stay empty (predefined variables of 14.0).
  ['CI_MERGE_REQUEST_EVENT_TYPE', mergeRequest(() => 'detached')],
  ['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA', mergeRequest(() => '')],
  ['CI_MERGE_REQUEST_TARGET_BRANCH_SHA', mergeRequest(() => '')],
  ['CI_MERGE_REQUEST_ID', mergeRequest(of => of.id)],
  ['CI_MERGE_REQUEST_IID', mergeRequest(of => of.iid)],
  ['CI_MERGE_REQUEST_TITLE', mergeRequest(of => of.title)],
  ['CI_MERGE_REQUEST_REF_PATH', mergeRequest(of => `refs/merge-requests/${of.iid}/head`)],
  ['CI_MERGE_REQUEST_PROJECT_ID', mergeRequest(of => of.project_id)],
  ['CI_MERGE_REQUEST_PROJECT_PATH', mergeRequest(of => of.project_path)],
  ['CI_MERGE_REQUEST_PROJECT_URL', atMergeRequest((of, { url }) => of.project_path && `${url}/${of.project_path}`)],
  ['CI_MERGE_REQUEST_SOURCE_PROJECT_ID', mergeRequest(of => of.source_project_id)],
  ['CI_MERGE_REQUEST_SOURCE_PROJECT_PATH', mergeRequest(of => of.source_project_path)],
  ['CI_MERGE_REQUEST_SOURCE_PROJECT_URL', atMergeRequest((of, { url }) => of.source_project_path && `${url}/${of.source_project_path}`)],
  ['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', mergeRequest(of => of.source_branch)],
  ['CI_MERGE_REQUEST_TARGET_BRANCH_NAME', mergeRequest(of => of.target_branch)],
  ['CI_MERGE_REQUEST_ASSIGNEES', mergeRequest(of => of.assignees.join(',') || undefined)],
  ['CI_MERGE_REQUEST_LABELS', mergeRequest(of => of.labels.join(',') || undefined)],
  ['CI_MERGE_REQUEST_MILESTONE', mergeRequest(of => of.milestone)],
  ['CI_MERGE_REQUEST_DIFF_ID', mergeRequest(of => of.version_id)],
  ['CI_MERGE_REQUEST_DIFF_BASE_SHA', mergeRequest(of => of.base_sha)],

  ['GITLAB_USER_ID', ({ user }) => user?.id],
  ['GITLAB_USER_EMAIL', ({ user }) => user?.email],
  ['GITLAB_USER_LOGIN', ({ user }) => user?.username],
  ['GITLAB_USER_NAME', ({ user }) => user?.name],

  ['CI_JOB_ID', ({ job }) => job?.id],
  ['CI_JOB_URL', facts => facts.job?.id && `${projectUrl(facts)}/-/jobs/${facts.job.id}`],
  ['CI_JOB_NAME', ({ job }) => job?.name],
  ['CI_JOB_STAGE', ({ job }) => job?.stage],
  ['CI_JOB_MANUAL', ({ job }) => when(job?.when === 'manual' || job?.when === 'delayed')],
  ['CI_JOB_STARTED_AT', ({ job }) => seconds(job?.started_at)],
  ['CI_JOB_TOKEN', ({ job }) => job?.token, 'masked'],
  ['CI_REGISTRY_USER', facts => facts.job?.token && registryOf(facts) && registryUser],
  ['CI_REGISTRY_PASSWORD', facts => registryOf(facts) && facts.job?.token, 'masked'],
  ['CI_DEPENDENCY_PROXY_USER', facts => facts.job?.token && proxyOf(facts) && registryUser],
  ['CI_DEPENDENCY_PROXY_PASSWORD', facts => proxyOf(facts) && facts.job?.token, 'masked'],
  ['CI_REPOSITORY_URL', repositoryUrl, 'private'],
  ['CI_NODE_INDEX', ({ job }) => job?.options.parallel?.index],
  ['CI_NODE_TOTAL', ({ job }) => job && (job.options.parallel?.total ?? 1)],

  ['CI_ENVIRONMENT_NAME', ({ job }) => job?.environment?.name],
  ['CI_ENVIRONMENT_SLUG', ({ job }) => job?.environment?.slug],
  ['CI_ENVIRONMENT_ACTION', ({ job }) => job?.environment && (job.options.environment?.action ?? 'start')],
  ['CI_ENVIRONMENT_TIER', ({ job }) => job?.environment?.tier],

  ['CI_RUNNER_ID', ({ runner }) => runner?.id],
  ['CI_RUNNER_DESCRIPTION', ({ runner }) => runner && (runner.description ?? '')],
  ['CI_RUNNER_TAGS', ({ runner }) => runner?.tags.join(', ')],

  // The names that these had before release 9.0, which still work.
  ['CI_BUILD_REF', ({ pipeline }) => pipeline.sha],
  ['CI_BUILD_BEFORE_SHA', ({ pipeline }) => pipeline.before_sha ?? zeroId],
  ['CI_BUILD_REF_NAME', ({ pipeline }) => pipeline.ref],
  ['CI_BUILD_REF_SLUG', ({ pipeline }) => slugOf(pipeline.ref)],
  ['CI_BUILD_TAG', ({ pipeline }) => pipeline.ref_type === 'tag' && pipeline.ref],
  ['CI_BUILD_TRIGGERED', ({ pipeline }) => when(pipeline.triggered)],
  ['CI_BUILD_ID', ({ job }) => job?.id],
  ['CI_BUILD_NAME', ({ job }) => job?.name],
  ['CI_BUILD_STAGE', ({ job }) => job?.stage],
  ['CI_BUILD_MANUAL', ({ job }) => when(job?.when === 'manual' || job?.when === 'delayed')],
  ['CI_BUILD_TOKEN', ({ job }) => job?.token, 'masked'],
]

/** Every predefined key. */
export const predefinedKeys: readonly string[] = table.map(([key]) => key)

/** Computes the variables from these facts. */
export const predefinedFrom = (facts: Facts): Predefined[] =>
  table.flatMap(([key, valueFrom, shown]) => {
    const value = valueFrom(facts)
    if (value === undefined || value === null || value === false) return []
    return [{ key, value: String(value), raw: true, public: shown === undefined, masked: shown === 'masked' }]
  })

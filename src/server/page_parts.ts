/** What the pages of several wings share, connected in one place: the frame, and the tabs of projects and groups in their order. */
import { pagePaths } from '../platform/pages/components/page_link.ts'
import { HTML } from '../platform/pages/dialect.ts'
import { frameParts } from '../platform/pages/frame/parts.ts'
import { topicKinds } from '../platform/pages/live/topics.ts'
import { boardTopic, groupIssuesTopic } from '../portal/boards/live.ts'
import { commitCommentsTopic } from '../portal/commit_comments/live.ts'
import { environmentsTopic } from '../portal/environments/live.ts'
import { epicsTopic, epicTopic } from '../portal/epics/live.ts'
import { activityTopic } from '../portal/feed/live.ts'
import { parts } from '../portal/frame/parts.ts'
import { hookTopic } from '../portal/hooks/live.ts'
import { archiveTopics } from '../portal/imports/live.ts'
import { issuesTopic, issueTopic } from '../portal/issues/live.ts'
import { mergeRequestsTopic, mergeRequestTopic } from '../portal/merge_requests/live.ts'
import { milestoneTopic } from '../portal/milestones/live.ts'
import { schedulesTopic } from '../portal/pipeline_schedules/live.ts'
import { jobTopic, pipelinesTopic, pipelineTopic } from '../portal/pipelines/live.ts'
import { repositoryTopic } from '../portal/repository/live.ts'
import { thingTopics } from '../portal/things/live.ts'
import { todosTopic } from '../portal/todos/live.ts'
import { groupTabs } from '../spaces/groups/pages/place.ts'
import { projectTabs } from '../spaces/projects/pages/place.ts'
import { pages } from './pages.ts'

frameParts.provide(parts)

topicKinds.provide({
  repository: repositoryTopic,
  commit_comments: commitCommentsTopic,
  activity: activityTopic,
  todos: todosTopic,
  issue: issueTopic,
  issues: issuesTopic,
  group_issues: groupIssuesTopic,
  board: boardTopic,
  merge_request: mergeRequestTopic,
  merge_requests: mergeRequestsTopic,
  milestone: milestoneTopic,
  epic: epicTopic,
  epics: epicsTopic,
  pipelines: pipelinesTopic,
  pipeline: pipelineTopic,
  job: jobTopic,
  environments: environmentsTopic,
  pipeline_schedules: schedulesTopic,
  hook: hookTopic,
  ...thingTopics,
  ...archiveTopics,
})

pagePaths.provide(
  pages.filter(({ method, answers }) => method === 'GET' && answers.kind === 'bytes' && answers.mediaType === HTML).map(({ path }) => path),
)

projectTabs.provide([
  // Those that a window of 1280 px has room for come first; the others stand in a menu.
  { key: 'project', label: 'Project', icon: 'repo', path: '', can: 'read_project', hotkey: 'g p' },
  {
    key: 'issues',
    label: 'Issues',
    icon: 'issue-opened',
    path: '/-/issues',
    can: 'read_issue',
    hotkey: 'g i',
    below: [{ label: 'New issue', path: '/-/issues/new', can: 'create_issue', isNew: true }],
  },
  { key: 'boards', label: 'Boards', icon: 'project', path: '/-/boards', can: 'read_board', hotkey: 'g k' },
  {
    key: 'merge_requests',
    label: 'Merge requests',
    icon: 'git-pull-request',
    path: '/-/merge_requests',
    can: 'read_merge_request',
    hotkey: 'g q',
    below: [{ label: 'New merge request', path: '/-/merge_requests/new', can: 'create_merge_request_from', isNew: true }],
  },
  {
    key: 'pipelines',
    label: 'Pipelines',
    icon: 'workflow',
    path: '/-/pipelines',
    can: 'read_pipeline',
    hotkey: 'g j',
    below: [
      { label: 'Run a pipeline', path: '/-/pipelines/new', can: 'create_pipeline' },
      { label: 'Schedules', path: '/-/pipeline_schedules', can: 'read_pipeline_schedule' },
      { label: 'Jobs', path: '/-/jobs', can: 'read_job' },
      { label: 'CI/CD figures', path: '/-/pipelines/charts', can: 'read_ci_cd_analytics' },
    ],
  },
  { key: 'files', label: 'Files', icon: 'code', path: '/-/tree/HEAD', can: 'read_code', needsCommits: true, hotkey: 'g f' },
  { key: 'commits', label: 'Commits', icon: 'git-commit', path: '/-/commits/HEAD', can: 'read_code', needsCommits: true, hotkey: 'g c' },
  { key: 'branches', label: 'Branches', icon: 'git-branch', path: '/-/branches', can: 'read_code', hotkey: 'g b' },
  { key: 'wiki', label: 'Wiki', icon: 'book', path: '/-/wikis', can: 'read_wiki', hotkey: 'g w' },
  { key: 'members', label: 'Members', icon: 'people', path: '/-/project_members', can: 'read_project_members', hotkey: 'g m' },
  { key: 'settings', label: 'Settings', icon: 'gear', path: '/-/settings', can: 'admin_project', hotkey: 'g x' },
  { key: 'search', label: 'Search', icon: 'search', path: '/-/search', can: 'search_project', hotkey: 'g s' },
  { key: 'tags', label: 'Tags', icon: 'tag', path: '/-/tags', can: 'read_code', hotkey: 'g v' },
  { key: 'releases', label: 'Releases', icon: 'rocket', path: '/-/releases', can: 'read_release', needsCommits: true, hotkey: 'g o' },
  { key: 'environments', label: 'Environments', icon: 'server', path: '/-/environments', can: 'read_environment', hotkey: 'g e' },
  { key: 'feature_flags', label: 'Feature flags', icon: 'flag', path: '/-/feature_flags', can: 'read_feature_flag' },
  { key: 'packages', label: 'Packages', icon: 'package', path: '/-/packages', can: 'read_package', needs: 'packages_enabled' },
  {
    key: 'container_registry',
    label: 'Container registry',
    icon: 'container',
    path: '/-/container_registry',
    can: 'read_container_image',
  },
  { key: 'terraform', label: 'Terraform states', icon: 'server', path: '/-/terraform', can: 'read_terraform_state' },
  { key: 'artifacts', label: 'Artifacts', icon: 'archive', path: '/-/artifacts', can: 'read_job' },
  { key: 'ci_editor', label: 'CI editor', icon: 'pencil', path: '/-/ci/editor', can: 'push_code' },
  {
    key: 'snippets',
    label: 'Snippets',
    icon: 'code',
    path: '/-/snippets',
    can: 'list_snippets',
    below: [{ label: 'New snippet', path: '/-/snippets/new', can: 'create_snippet' }],
  },
  { key: 'milestones', label: 'Milestones', icon: 'milestone', path: '/-/milestones', can: 'read_milestone', hotkey: 'g l' },
  { key: 'labels', label: 'Labels', icon: 'bookmark', path: '/-/labels', can: 'read_label', hotkey: 'g n' },
  { key: 'iterations', label: 'Iterations', icon: 'iterations', path: '/-/iterations', can: 'read_project_iteration', tier: 'premium' },
  { key: 'analytics', label: 'Analytics', icon: 'graph', path: '/-/value_stream_analytics', can: 'read_issue_analytics', hotkey: 'g y' },
])

groupTabs.provide([
  { key: 'group', label: 'Group', icon: 'organization', path: '', can: 'read_group', hotkey: 'g p' },
  { key: 'issues', label: 'Issues', icon: 'issue-opened', path: '/-/issues', can: 'read_group', hotkey: 'g i' },
  { key: 'boards', label: 'Boards', icon: 'project', path: '/-/boards', can: 'read_group_board', hotkey: 'g k' },
  { key: 'epics', label: 'Epics', icon: 'goal', path: '/-/epics', can: 'read_epic', tier: 'premium', hotkey: 'g e' },
  { key: 'roadmap', label: 'Roadmap', icon: 'project-roadmap', path: '/-/roadmap', can: 'read_epic', tier: 'premium' },
  { key: 'merge_requests', label: 'Merge requests', icon: 'git-pull-request', path: '/-/merge_requests', can: 'read_group', hotkey: 'g q' },
  { key: 'milestones', label: 'Milestones', icon: 'milestone', path: '/-/milestones', can: 'read_group_milestone', hotkey: 'g l' },
  { key: 'settings', label: 'Settings', icon: 'gear', path: '/-/settings', can: 'admin_group', hotkey: 'g x' },
  { key: 'analytics', label: 'Analytics', icon: 'graph', path: '/-/value_stream_analytics', can: 'read_group', hotkey: 'g y' },
  { key: 'iterations', label: 'Iterations', icon: 'iterations', path: '/-/iterations', can: 'read_iteration', tier: 'premium' },
  { key: 'wiki', label: 'Wiki', icon: 'book', path: '/-/wikis', can: 'read_group_wiki', tier: 'premium', hotkey: 'g w' },
  { key: 'labels', label: 'Labels', icon: 'bookmark', path: '/-/labels', can: 'read_group_label', hotkey: 'g n' },
  { key: 'packages', label: 'Packages', icon: 'package', path: '/-/packages', can: 'read_group_packages' },
  {
    key: 'container_registries',
    label: 'Container registry',
    icon: 'container',
    path: '/-/container_registries',
    can: 'read_group_container_images',
  },
  { key: 'search', label: 'Search', icon: 'search', path: '/-/search', can: 'search_group', hotkey: 'g s' },
  { key: 'members', label: 'Members', icon: 'people', path: '/-/group_members', can: 'read_group_members', hotkey: 'g m' },
])

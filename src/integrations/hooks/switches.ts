/** The kinds of events that a hook can subscribe to: its switches, which owners have them, and the header that names the kind. */

const headers = {
  push_events: 'Push Hook',
  tag_push_events: 'Tag Push Hook',
  merge_requests_events: 'Merge Request Hook',
  repository_update_events: 'Repository Update Hook',
  issues_events: 'Issue Hook',
  confidential_issues_events: 'Confidential Issue Hook',
  note_events: 'Note Hook',
  confidential_note_events: 'Confidential Note Hook',
  job_events: 'Job Hook',
  pipeline_events: 'Pipeline Hook',
  wiki_page_events: 'Wiki Page Hook',
  deployment_events: 'Deployment Hook',
  releases_events: 'Release Hook',
  feature_flag_events: 'Feature Flag Hook',
  subgroup_events: 'Subgroup Hook',
} as const

/** A switch of a hook, by its name in the API. */
export type Switch = keyof typeof headers

/** What a delivery is about: a switch, or an event for all system hooks (system hooks API). */
export type Trigger = Switch | 'system_events'

/** The owner of a hook. */
export type HookKind = 'project' | 'group' | 'system'

const systemSwitches = [
  'push_events',
  'tag_push_events',
  'merge_requests_events',
  'repository_update_events',
] as const satisfies readonly Switch[]
const projectSwitches = [
  'push_events',
  'tag_push_events',
  'merge_requests_events',
  'issues_events',
  'confidential_issues_events',
  'note_events',
  'confidential_note_events',
  'job_events',
  'pipeline_events',
  'wiki_page_events',
  'deployment_events',
  'releases_events',
  'feature_flag_events',
] as const satisfies readonly Switch[]

/** What each switch sends, for the API description. */
export const switchMeanings: Readonly<Record<Switch, string>> = {
  push_events: 'Whether pushes to branches are sent',
  tag_push_events: 'Whether pushes of tags are sent',
  merge_requests_events: 'Whether changes of merge requests are sent',
  repository_update_events: 'Whether each changed repository is sent',
  issues_events: 'Whether changes of issues are sent',
  confidential_issues_events: 'Whether changes of confidential issues are sent',
  note_events: 'Whether notes are sent',
  confidential_note_events: 'Whether notes on confidential issues are sent',
  job_events: 'Whether changes of jobs are sent',
  pipeline_events: 'Whether changes of pipelines are sent',
  wiki_page_events: 'Whether changes of wiki pages are sent',
  deployment_events: 'Whether changes of deployments are sent',
  releases_events: 'Whether changes of releases are sent',
  feature_flag_events: 'Whether feature flags that are switched on or off are sent',
  subgroup_events: 'Whether changes of subgroups are sent',
}

/** The switches of each kind of hook. */
export const switchesOf = {
  system: systemSwitches,
  project: projectSwitches,
  group: [...projectSwitches, 'subgroup_events'],
} as const satisfies Record<HookKind, readonly Switch[]>

/** The switches that are on by default. */
export const standardSwitches: Readonly<Record<HookKind, readonly Switch[]>> = {
  system: ['repository_update_events'],
  project: ['push_events'],
  group: ['push_events'],
}

/** `X-Gitlab-Event` of a request. */
export const headerOf = (kind: HookKind, trigger: Trigger): string =>
  // Contract: system hooks get everything under one name (system hooks API).
  kind === 'system' || trigger === 'system_events' ? 'System Hook' : headers[trigger]

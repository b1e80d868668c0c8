/** The kinds of events that an integration is told of: a switch for each, by its name in the API. */

const meanings = {
  commit_events: 'Whether commits that name an issue are told of',
  push_events: 'Whether pushes to branches are told of',
  tag_push_events: 'Whether pushes of tags are told of',
  merge_requests_events: 'Whether merge requests are told of',
  issues_events: 'Whether issues are told of',
  confidential_issues_events: 'Whether confidential issues are told of',
  note_events: 'Whether comments are told of',
  confidential_note_events: 'Whether comments on confidential issues are told of',
  pipeline_events: 'Whether finished pipelines are told of',
  job_events: 'Whether jobs are told of',
  wiki_page_events: 'Whether changes of wiki pages are told of',
  deployment_events: 'Whether deployments are told of',
} as const

/** A switch of an integration. */
export type IntegrationSwitch = keyof typeof meanings

/** All switches, in the order of answers. */
export const integrationSwitches = Object.keys(meanings) as readonly IntegrationSwitch[]

/** What each switch is for, for the API description. */
export const switchAbout: Readonly<Record<IntegrationSwitch, string>> = meanings

/** Contract: all switches are on unless they are turned off, but for deployments (services API). */
export const initialSwitches: readonly IntegrationSwitch[] = integrationSwitches.filter(name => name !== 'deployment_events')

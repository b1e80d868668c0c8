/** The kinds of events that an integration is notified of: a switch for each, by its name in the API. */

const meanings = {
  commit_events: 'Whether commits that name an issue are reported',
  push_events: 'Whether pushes to branches are reported',
  tag_push_events: 'Whether pushes of tags are reported',
  merge_requests_events: 'Whether merge requests are reported',
  issues_events: 'Whether issues are reported',
  confidential_issues_events: 'Whether confidential issues are reported',
  note_events: 'Whether comments are reported',
  confidential_note_events: 'Whether comments on confidential issues are reported',
  pipeline_events: 'Whether finished pipelines are reported',
  job_events: 'Whether jobs are reported',
  wiki_page_events: 'Whether changes of wiki pages are reported',
  deployment_events: 'Whether deployments are reported',
} as const

/** A switch of an integration. */
export type IntegrationSwitch = keyof typeof meanings

/** All switches, in the order of answers. */
export const integrationSwitches = Object.keys(meanings) as readonly IntegrationSwitch[]

/** What each switch is for, for the API description. */
export const switchAbout: Readonly<Record<IntegrationSwitch, string>> = meanings

/** Contract: all switches are on unless they are turned off, but for deployments (services API). */
export const initialSwitches: readonly IntegrationSwitch[] = integrationSwitches.filter(name => name !== 'deployment_events')

/** What a measurement works with. */
import type { HistoryProject } from './history_project.ts'
import type { ProvisionedGroup } from './scim_group.ts'
import type { Site } from './site.ts'
import type { IssueWorld } from './world/issues.ts'

/** The server that is measured, and what more of its world is made when it is first asked for. */
export interface Bench extends Omit<Site, 'close'> {
  /** A directory that goes away with the bench. */
  readonly scratch: string
  /** Of load for each sample. */
  readonly seconds: number
  /** Samples of target and of floor. */
  readonly rounds: number
  /** The project with the long history. */
  history(): Promise<HistoryProject>
  /** The group with many provisioned members. */
  provisioned(): Promise<ProvisionedGroup>
  /** Very many issues. */
  issues(): Promise<IssueWorld>
  /** A second server, with few projects. */
  few(): Promise<Site>
}
